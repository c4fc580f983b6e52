package replicate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
)

// The thresholds that the documentation of Adaptive prints, to its digits.
func TestRuleThresholds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule           Rule
		runs, n        int
		refuted, shown float64
	}{
		{Rule{Required: 0.9}, 10, 10, -0.0272, 3.9197},
		{Rule{Required: 0.9}, 10, 20, 0.4550, 3.0702},
		{Rule{Required: 0.9}, 10, 30, 0.6637, 2.7578},
		{Rule{Required: 0.9}, 10, 50, 0.8731, 2.4712},
		{Rule{Required: 0.9}, 10, 100, 1.0857, 2.2036},
		{Rule{Required: 0.9}, 5, 5, nan(), 5.02},
		{Rule{Required: 0.9}, 20, 20, nan(), 3.55},
		{StrictRule(0.9), 10, 10, nan(), 4.51},
	} {
		refuted, shown, err := c.rule.Thresholds(c.runs, c.n)
		require.NoError(t, err)
		if math.IsNaN(c.refuted) {
			require.InDelta(t, c.shown, shown, 0.005)
			continue
		}
		require.InDelta(t, c.refuted, refuted, 1e-4)
		require.InDelta(t, c.shown, shown, 1e-4)
	}
}

// A look answers as the thresholds say, and with equal levels as the interval
// does.
func TestRuleLooksAtItsThresholds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := Rule{
			Required: rapid.Float64Range(0.55, 0.99).Draw(t, "R0"),
			Pass:     rapid.Float64Range(0.01, 0.2).Draw(t, "γ1"), Refute: rapid.Float64Range(0.01, 0.2).Draw(t,
				"γ2"),
		}
		runs := rapid.IntRange(1, 20).Draw(t, "runs")
		n := max(2, runs*rapid.IntRange(1, 10).Draw(t, "looks"))
		refuted, shown, err := rule.Thresholds(runs, n)
		require.NoError(t, err)
		require.Less(t, refuted, shown)
		for z, want := range map[float64]Answer{
			shown + 1e-6:   Shown,
			shown - 1e-6:   Undecided,
			refuted + 1e-6: Undecided,
			refuted - 1e-6: Refuted,
			math.Inf(1):    Shown,
			math.Inf(-1):   Refuted,
		} {
			require.Equal(t, want, rule.look(Score{Z: z, Runs: runs, N: n}), "score %v", z)
		}
		rule.Refute = rule.Pass
		s := Score{Z: rapid.Float64Range(-3, 8).Draw(t, "z"), Runs: runs, N: n}
		answer := rule.look(s)
		lo, hi := s.bounds(1 - 2*rule.Pass)
		below, above := agreeWithSign(lo) <= rule.Required, agreeWithSign(hi) >= rule.Required
		require.Equal(t, below && above, answer == Undecided)
	})
}

// agreeWithSign is R(θ), or less for θ below 0, where rejections are the lesser
// part.
func agreeWithSign(theta float64) float64 { return 0.5 + math.Copysign(agree(theta)-0.5, theta) }

// normalScores are the scores at r, 2r, ... runs where G is exactly normal.
func normalScores(rng *rand.Rand, theta float64, runs, looks int) []Score {
	scores := make([]Score, looks)
	var sum, sq float64
	for i := range runs * looks {
		u := theta/math.Sqrt(float64(runs)) + rng.NormFloat64()
		sum += u
		sq += u * u
		if n := i + 1; n%runs == 0 {
			mean := sum / float64(n)
			sd := math.Sqrt((sq - float64(n)*mean*mean) / float64(n-1))
			scores[n/runs-1] = Score{Z: mean / sd * math.Sqrt(float64(runs)), Runs: runs, N: n}
		}
	}
	return scores
}

// thetaOf is the θ ≥ 0 at which the replicability is R.
func thetaOf(R float64) float64 {
	lo, hi := 0.0, 10.0
	for range 60 {
		if mid := (lo + hi) / 2; agree(mid) < R {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// The operating characteristics that the documentation of Adaptive prints, by
// simulation of the normal model.
func TestRulePassesAsOftenAsItSays(t *testing.T) {
	t.Parallel()
	const sets = 1500
	rule := Rule{Required: 0.9}
	var refuted, shown [10]float64
	for i := range 10 {
		var err error
		refuted[i], shown[i], err = rule.Thresholds(10, 10*(i+1))
		require.NoError(t, err)
	}
	for _, c := range []struct{ R, pass, runs float64 }{
		{0.70, 2.4, 58},
		{0.80, 5.7, 74},
		{0.90, 18.6, 82},
		{0.95, 43, 74},
		{0.97, 63, 64},
		{0.99, 92, 43},
		{0.999, 99.9, 23},
	} {
		rng := rand.New(rand.NewPCG(99, math.Float64bits(c.R)))
		theta := thetaOf(c.R)
		var passed, runs, squares float64
		for set := 0; set < sets; {
			scores := normalScores(rng, theta, 10, 10)
			if scores[0].Z <= 0 {
				continue // the claim does not hold on the first runs
			}
			set++
			looked := 0.0
			for i, s := range scores {
				looked += 10
				if s.Z >= shown[i] {
					passed++
				}
				if s.Z >= shown[i] || s.Z <= refuted[i] {
					break
				}
			}
			runs += looked
			squares += looked * looked
		}
		pass, mean := passed/sets, runs/sets
		sePass := math.Sqrt(c.pass/100*(1-c.pass/100)/sets) + 0.002
		seRuns := math.Sqrt((squares/sets-mean*mean)/sets) + 0.3
		t.Logf("R %v: shown %.1f%%, mean runs %.1f", c.R, 100*pass, mean)
		require.InDelta(t, c.pass/100, pass, 3.5*sePass)
		require.InDelta(t, c.runs, mean, 3.5*seRuns)
	}
}

// The levels of the whole rule, which the documentation of Rule and the options of claims print:
// Pass is the level of each look, of which there are ten.
func TestRulePassesWronglyAsOftenAsItSaysOverAllLooks(t *testing.T) {
	t.Parallel()
	const sets = 4000
	for _, c := range []struct {
		rule Rule
		pass float64
	}{{Rule{Required: 0.9}, 0.19}, {StrictRule(0.9), 0.11}} {
		var refuted, shown [10]float64
		for i := range 10 {
			var err error
			refuted[i], shown[i], err = c.rule.Thresholds(10, 10*(i+1))
			require.NoError(t, err)
		}
		rng, passed := rand.New(rand.NewPCG(98, 1)), 0.0
		for set := 0; set < sets; {
			scores := normalScores(rng, thetaOf(0.9), 10, 10)
			if scores[0].Z <= 0 {
				continue
			}
			set++
			for i, s := range scores {
				if s.Z >= shown[i] {
					passed++
				}
				if s.Z >= shown[i] || s.Z <= refuted[i] {
					break
				}
			}
		}
		t.Logf("%+v: %.4f", c.rule, passed/sets)
		require.InDelta(t, c.pass, passed/sets, 3*math.Sqrt(c.pass*(1-c.pass)/sets)+0.005)
	}
}

// Enough is where an undecided rule decides in half of the cases or more, if θ
// is as uncertain as the score says.
func TestRuleProbablyDecidesWithEnoughRuns(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	const sets = 400
	d, _ := undecided(t, 10)
	q := retest(10)
	rule := Rule{Required: 0.9, Budget: 10}
	c, err := q.Adaptive(d, rule)
	require.NoError(t, err)
	require.Equal(t, Undecided, c.Answer)
	require.Zero(t, c.Next)
	require.Zero(t, c.Enough%10)
	require.Greater(t, c.Enough, 10)
	refuted, shown, err := rule.Thresholds(10, c.Enough)
	require.NoError(t, err)
	// Draw G and τ from what 10 runs leave open, and further runs from these.
	decided := 0
	const n = 10
	for range sets {
		var w float64
		for range n - 1 {
			e := rng.NormFloat64()
			w += e * e
		}
		tau := math.Sqrt((n - 1) / w) // where the estimate is 1
		g := c.Prediction.Z/math.Sqrt(10) + tau/math.Sqrt(n)*rng.NormFloat64()
		sum, sq := n*c.Prediction.Z/math.Sqrt(10), n-1+n*c.Prediction.Z*c.Prediction.Z/10
		for range c.Enough - n {
			u := g + tau*rng.NormFloat64()
			sum += u
			sq += u * u
		}
		N := float64(c.Enough)
		mean := sum / N
		z := mean / math.Sqrt((sq-N*mean*mean)/(N-1)) * math.Sqrt(10)
		if z >= shown || z <= refuted {
			decided++
		}
	}
	t.Logf("from %d runs %.2f are decided", c.Enough, float64(decided)/sets)
	require.InDelta(t, 0.5, float64(decided)/sets, 0.1)
}

// undecided returns a pool that leaves the default rule undecided after the
// given number of runs, and its seed.
func undecided(t *testing.T, runs int) (stat.Differences, uint64) {
	t.Helper()
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 77))
		d := runsWithEffect(rng, 100, 10, 0.85, 0.1)
		part := d
		part.Runs, part.X = runs, d.X[:10*runs]
		c, err := retest(10).Adaptive(part, Rule{Required: 0.9})
		require.NoError(t, err)
		if c.Answer == Undecided && c.Prediction.Rejected {
			return d, seed
		}
	}
	t.Fatal("none")
	return stat.Differences{}, 0
}

func TestAdaptiveLooksInOrder(t *testing.T) {
	t.Parallel()
	d, _ := undecided(t, 35)
	q := retest(10)
	rule := Rule{Required: 0.9}
	full, err := q.Adaptive(d, rule)
	require.NoError(t, err)
	require.Greater(t, full.Looked, 30)
	require.Equal(t, 100, full.Budget)
	for runs := 10; runs <= 100; runs += 5 {
		part := d
		part.Runs, part.X = runs, d.X[:10*runs]
		c, err := q.Adaptive(part, rule)
		require.NoError(t, err)
		looked := min(runs/10*10, full.Looked)
		require.Equal(t, looked, c.Looked)
		part.Runs, part.X = looked, d.X[:10*looked]
		p, err := q.Predict(part)
		require.NoError(t, err)
		require.Equal(t, p, c.Prediction)
		complete, err := rule.withDefaults(10)
		require.NoError(t, err)
		require.Equal(t, complete.look(p.Score), c.Answer)
		switch {
		case looked == full.Looked:
			require.Equal(t, full, c)
			require.Zero(t, c.Next)
		default:
			require.Equal(t, Undecided, c.Answer)
			require.Equal(t, looked+10, c.Next)
			require.Greater(t, c.Enough, looked)
		}
	}
	// A budget ends it earlier.
	rule.Budget = 29
	c, err := q.Adaptive(d, rule)
	require.NoError(t, err)
	require.Equal(t, Undecided, c.Answer)
	require.Equal(t, []int{20, 29, 0}, []int{c.Looked, c.Budget, c.Next})
	require.Positive(t, c.Enough)
}

// A clear case needs no runs beyond the test's own.
func TestAdaptiveDecidesClearCasesAtOnce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 1))
	c, err := retest(10).Adaptive(randomRuns(rng, 100, 10, 3), Rule{Required: 0.9})
	require.NoError(t, err)
	require.GreaterOrEqual(t, c.Prediction.Z, 3.92)
	require.Equal(t, Decision{
		Answer: Shown, Looked: 10, Budget: 100, Needed: c.Needed, AtMost: 1,
		Prediction: c.Prediction,
	}, c)
	require.InDelta(t, 0.947214, c.Needed, 1e-6)
	require.Equal(t, 10, c.Prediction.N)

	c, err = retest(10).Adaptive(randomRuns(rng, 100, 10, 0.1), Rule{Required: 0.9})
	require.NoError(t, err)
	require.Equal(t, [2]int{int(Refuted), 10}, [2]int{int(c.Answer), c.Looked})

	// The other direction is refuted however clear the case.
	q := retest(10)
	q.Direction = stat.Less
	c, err = q.Adaptive(randomRuns(rng, 100, 10, 3), Rule{Required: 0.9})
	require.NoError(t, err)
	require.Equal(t, Refuted, c.Answer)

	constant := stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 1, 1, 1}}
	c, err = retest(2).Adaptive(constant, Rule{Required: 0.9})
	require.NoError(t, err)
	require.Equal(t, Shown, c.Answer)
	require.ErrorIs(t, c.Prediction.Warnings[0], stat.ErrZeroVariance)
	constant.X = make([]float64, 4)
	c, err = retest(2).Adaptive(constant, Rule{Required: 0.9})
	require.NoError(t, err)
	require.Equal(t, Refuted, c.Answer)
}

// A test on one run is first looked at with two, since one has no spread.
func TestAdaptiveOfATestOnOneRun(t *testing.T) {
	t.Parallel()
	d := randomRuns(rand.New(rand.NewPCG(1, 5)), 3, 10, 2)
	c, err := retest(1).Adaptive(d, Rule{Required: 0.9})
	require.NoError(t, err)
	require.Equal(t, []int{3, 10, 4}, []int{c.Looked, c.Budget, c.Next})
	_, err = retest(1).Adaptive(d, Rule{Required: 0.9, Budget: 1})
	require.ErrorIs(t, err, stat.ErrDomain)
	require.ErrorContains(t, err, "budget of 1 runs")
}

func TestRuleRejectsBadInput(t *testing.T) {
	t.Parallel()
	d := randomRuns(rand.New(rand.NewPCG(1, 5)), 10, 10, 2)
	for _, rule := range []Rule{
		{},
		{Required: 0.5},
		{Required: 1},
		{Required: nan()},
		{Required: 0.9, Pass: -0.1},
		{Required: 0.9, Pass: 0.5},
		{Required: 0.9, Refute: 0.5},
		{Required: 0.9, Refute: nan()},
		{Required: 0.9, Budget: 9},
		{Required: 0.9, Budget: -1},
	} {
		_, err := retest(10).Adaptive(d, rule)
		require.ErrorIs(t, err, stat.ErrDomain, "%+v", rule)
		_, _, err = rule.Thresholds(10, 10)
		require.ErrorIs(t, err, stat.ErrDomain, "%+v", rule)
	}
	for _, n := range [][2]int{{0, 10}, {1, 1}} {
		_, _, err := Rule{Required: 0.9}.Thresholds(n[0], n[1])
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	require.Equal(t, Rule{Required: 0.8, Pass: 0.025, Refute: 0.10}, StrictRule(0.8))
	require.Equal(t, []string{"undecided", "shown", "refuted", "Answer(7)"},
		[]string{Undecided.String(), Shown.String(), Refuted.String(), Answer(7).String()})
}

func BenchmarkRetestAdaptive(b *testing.B) {
	d := randomRuns(rand.New(rand.NewPCG(1, 1)), 100, 10, 0.85)
	q := retest(10)
	for b.Loop() {
		if _, err := q.Adaptive(d, Rule{Required: 0.9}); err != nil {
			b.Fatal(err)
		}
	}
}

// For any conclusion, the answer does not contradict the interval of its replicability.
func TestAdaptiveAgreesWithTheInterval(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(15, 16))
	seen := map[string]int{}
	for i := range sized(60, 200) {
		d := randomRuns(rng, 10, 5, []float64{0, 0.1, 0.6, 2}[i%4])
		p, err := retest(10).Predict(d)
		require.NoError(t, err)
		c, err := retest(10).Adaptive(d, Rule{Required: 0.9, Budget: 10, NoRejection: !p.Rejected})
		require.NoError(t, err)
		require.Equal(t, p, c.Prediction)
		switch c.Answer {
		case Shown:
			require.GreaterOrEqual(t, p.Lo, 0.9-1e-9, "%+v", c)
			require.Greater(t, p.P, 0.9)
		case Refuted:
			require.LessOrEqual(t, p.Lo, 0.9, "%+v", c)
		}
		seen[fmt.Sprint(p.Rejected, c.Answer)]++
	}
	require.NotZero(t, seen[fmt.Sprint(false, Shown)], "%v", seen)
	require.NotZero(t, seen[fmt.Sprint(true, Shown)], "%v", seen)

	same := stat.Differences{Runs: 10, Folds: 5, X: make([]float64, 50)}
	c, err := retest(10).Adaptive(same, Rule{Required: 0.9, NoRejection: true})
	require.NoError(t, err)
	require.Equal(t, Shown, c.Answer)
	require.Equal(t, 10, c.Looked)
}
