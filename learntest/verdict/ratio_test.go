package verdict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const machine = "gomaxprocs=2 parallel=1 cpu=Example CPU"

// timePairs returns the times of two learners in one run of so many folds; the candidate's are the
// others times the ratios.
func timePairs(seconds float64, ratios ...float64) *record.Pairs {
	h := &record.Header{
		Protocol: "cv runs=1 folds=10 stratified seed=1 v1", Machine: machine,
		Toolchain: "go1.26",
	}
	p := &record.Pairs{
		Data: "vehicle", Candidate: "forest", Baseline: "bayes", Runs: 1, Folds: len(ratios),
		CandidateHeader: h, BaselineHeader: h,
		Unit: unit.Unit{Name: record.FitTime, Better: unit.Lower, Max: math.Inf(1)},
	}
	for _, x := range ratios {
		p.A, p.B = append(p.A, seconds*x), append(p.B, seconds)
		p.TrainN, p.TestN = append(p.TrainN, 90), append(p.TestN, 10)
	}
	return p
}

// evenly returns n ratios around a middle.
func evenly(n int, middle float64) []float64 {
	ratios := make([]float64, n)
	for i := range ratios {
		ratios[i] = middle * (1 + 0.001*(float64(i)-float64(n-1)/2))
	}
	return ratios
}

func atMost(limit float64) Claim { return Claim{Kind: RatioAtMost, Threshold: limit} }

func TestRatioVerdicts(t *testing.T) {
	t.Parallel()
	shown := Judge(timePairs(0.02, evenly(20, 1.1)...), atMost(1.2))
	require.NoError(t, shown.Err)
	assert.True(t, shown.Holds)
	assert.Equal(t, `forest takes at most ×1.2 the training time of bayes on vehicle: shown
  fit-sec        forest 22 ms, bayes 20 ms (means of 20 trials)
  claim          at most ×1.2: shown, at most ×1.11 (one-sided 95%), p = 9.5e-07 (it takes 0.05 or less)
  test           median ratio ×1.10, sign test, n = 1×20: 20 of 20 ratios within the limit (15 would show it)
  machine        gomaxprocs=2 parallel=1 cpu=Example CPU
  protocol       cv runs=1 folds=10 stratified seed=1 v1
  data           vehicle, sha256 
`, shown.String())
	assert.Equal(t, "forest takes at most ×1.2 the training time of bayes on vehicle: shown",
		shown.Summary())

	refuted := Judge(timePairs(0.02, evenly(20, 1.3)...), atMost(1.2))
	assert.False(t, refuted.Holds)
	assert.Equal(t, Regressed, refuted.Outcome)
	assert.Equal(t, "it takes at least ×1.29", refuted.Reason)
	assert.Contains(t, refuted.String(), "vehicle: refuted\n")
	assert.Contains(t, refuted.String(),
		"at most ×1.2: refuted, at least ×1.29, at most ×1.31 (one-sided 95%), p = 1.000 (it takes 0.05 or less)")

	open := Judge(timePairs(0.02, evenly(20, 1.2)...), atMost(1.2))
	assert.False(t, open.Holds)
	assert.Equal(t, Inconclusive, open.Outcome)
	assert.Contains(t, open.String(), "vehicle: inconclusive\n")
	assert.Contains(t, open.String(), "a limit of ×1.21 would have held here")
	// What the bound says holds: it is rounded up.
	assert.True(t, Judge(timePairs(0.02, evenly(20, 1.2)...), atMost(1.21)).Holds)

	// One trial in five is interrupted.
	ratios := evenly(20, 1.05)
	for i := 0; i < 20; i += 5 {
		ratios[i] = 50
	}
	assert.True(t, Judge(timePairs(0.02, ratios...), atMost(1.2)).Holds)
	predict := timePairs(0.02, evenly(20, 1.1)...)
	predict.Unit.Name = record.PredictTime
	v := Judge(predict, Claim{Kind: RatioAtMost, Threshold: 1.2, Metric: record.PredictTime})
	assert.True(t, v.Holds)
	assert.Contains(t, v.String(), "the prediction time of bayes")
}

// Holds, p and the bound never contradict each other, and nothing that is twice as slow is within
// its limit.
func TestRatioVerdictsAreConsistent(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	held := 0
	for range 2000 {
		ratios := make([]float64, 5+rng.IntN(60))
		for i := range ratios {
			ratios[i] = math.Round(20*math.Exp(0.3*rng.NormFloat64())) / 20
			if ratios[i] == 0 {
				ratios[i] = 0.05
			}
		}
		limit := []float64{1.1, 1.2, 1.5, 0.9}[rng.IntN(4)]
		v := Judge(timePairs(1, ratios...), atMost(limit))
		require.NoError(t, v.Err)
		require.Equal(t, v.Holds, v.Ratio.P <= 0.05)
		require.Equal(t, v.Holds, v.Ratio.Most <= limit)
		require.Equal(t, v.Holds, v.Outcome == Improved)
		require.Equal(t, v.Holds, v.Reason == "")
		require.Equal(t, v.Outcome == Regressed, v.Ratio.Least > limit)
		require.NotEqual(t, v.Holds, v.Outcome == Regressed || v.Outcome == Inconclusive)
		if v.Holds {
			held++
			require.LessOrEqual(t, v.Ratio.Median, limit)
		}
	}
	require.Greater(t, held, 100)
}

func TestTimesThatAreTooShort(t *testing.T) {
	t.Parallel()
	ones := evenly(20, 1)
	for name, p := range map[string]*record.Pairs{
		"forest": timePairs(110e-6, evenly(20, 0.9)...),
		"bayes":  timePairs(99e-6, evenly(20, 1.5)...),
	} {
		v := Judge(p, atMost(1.2))
		require.Error(t, v.Err, name)
		require.Contains(t, v.Reason, "the mean training time of "+name+" is below 100 µs, which is too short for a ratio: claim the time of larger data")
		require.False(t, v.Holds)
	}
	require.True(t, Judge(timePairs(101e-6, ones...), atMost(1.2)).Holds)
	zero := timePairs(0.02, slices.Repeat([]float64{1}, 20)...)
	zero.B[3] = 0
	v := Judge(zero, atMost(1.2))
	require.False(t, v.Holds)
	require.Contains(t, v.Reason, "fit-sec of run 1, fold 4 is 0.02 and 0")
	require.Contains(t, v.Reason, "too short for the clock")
	zero = timePairs(0.02, ones...)
	zero.A[0] = 0
	require.Equal(t, Invalid, Judge(zero, atMost(1.2)).Outcome)
	v = Judge(timePairs(0.02, ones[:4]...), atMost(1.2))
	require.ErrorIs(t, v.Err, stat.ErrSampleSize)
	require.True(t, Judge(timePairs(0.02, ones[:5]...), atMost(1.2)).Holds)
}

func TestRatioClaimsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	margins := unit.Margins{}
	require.NoError(t, margins.Set("fit-sec=1"))
	for name, c := range map[string]Claim{
		"no limit":         {},
		"negative":         {Threshold: -1},
		"NaN":              {Threshold: math.NaN()},
		"infinite":         {Threshold: math.Inf(1)},
		"margin":           {Threshold: 1.2, Margin: 0.1},
		"margins":          {Threshold: 1.2, Margins: margins},
		"gain":             {Threshold: 1.2, Gain: 0.1},
		"posterior":        {Threshold: 1.2, Rope: 0.1, Probability: 0.9},
		"one-sided":        {Threshold: 1.2, OneSided: true},
		"second opinion":   {Threshold: 1.2, Halvings: 20},
		"majority":         {Threshold: 1.2, AllowMajority: true},
		"test":             {Threshold: 1.2, Test: stat.MustLookup("paired-t")},
		"replicability":    {Threshold: 1.2, Replicability: 0.9},
		"repetitions":      {Threshold: 1.2, Repeats: 10},
		"adjustment":       {Threshold: 1.2, Adjust: adjust.MustLookup("holm")},
		"level":            {Threshold: 1.2, Alpha: 1},
		"metric":           {Threshold: 1.2, Metric: "accuracy"},
		"the other time":   {Threshold: 1.2, Metric: record.PredictTime},
		"a gain in speed":  {Threshold: 1.2, Kind: Improves},
		"another's metric": {Threshold: 1.2, Kind: NoRegression},
	} {
		if c.Kind == Differs {
			c.Kind = RatioAtMost
		}
		v := Judge(timePairs(0.02, evenly(20, 0.5)...), c)
		require.ErrorIs(t, v.Err, ErrClaim, name)
		require.False(t, v.Holds, name)
		require.Equal(t, Invalid, v.Outcome, name)
		if c.Kind == RatioAtMost {
			require.Regexp(t, `^forest (takes|costs) at most ×`, v.String())
		}
	}
}

func TestRatiosOfAFamilyAreAdjusted(t *testing.T) {
	t.Parallel()
	clear, close := timePairs(0.02, evenly(20, 1)...), timePairs(0.02, evenly(20, 1)...)
	for i := range 5 {
		close.A[i] *= 1.5
	}
	one := Judge(close, atMost(1.2))
	require.True(t, one.Holds)
	require.InDelta(t, 0.0207, one.Ratio.P, 0.0001)
	vs, err := Adjust([]Verdict{Judge(clear, atMost(1.2)), one, one, one}, adjust.MustLookup("holm"))
	require.NoError(t, err)
	require.True(t, vs[0].Holds)
	require.False(t, vs[1].Holds)
	require.Equal(t, Inconclusive, vs[1].Outcome)
	require.Contains(t, vs[1].String(), "vehicle: inconclusive\n")
	require.Contains(t, vs[1].String(), ", holm of 4 p = 0.062 (it takes")
}

func TestDoubtsAboutRatios(t *testing.T) {
	t.Parallel()
	p := timePairs(0.02, evenly(20, 1)...)
	require.Empty(t, Judge(p, atMost(1.2)).Warnings)
	other := *p.BaselineHeader
	other.Toolchain = "go1.25"
	p.BaselineHeader = &other
	v := Judge(p, atMost(20))
	require.Len(t, v.Warnings, 3)
	require.ErrorContains(t, v.Warnings[0], "both sides were measured in runs of their own")
	require.ErrorContains(t, v.Warnings[1], "go1.26 and go1.25")
	require.ErrorContains(t, v.Warnings[2], "20% more is 1.2")
	// Copies of examples take as long as others.
	p.CandidateHeader.SetCopies(0.5)
	require.NoError(t, v.MostlyCopies())
}

func TestRatiosAndTimesInWords(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64][3]string{
		1.1:     {"×1.10", "×1.10", "×1.10"},
		1.15:    {"×1.15", "×1.15", "×1.15"},
		1.20001: {"×1.20", "×1.20", "×1.21"},
		0.999:   {"×0.99", "×1.00", "×1.00"},
		12.345:  {"×12.34", "×12.35", "×12.35"},
		0.01234: {"×0.0123", "×0.0123", "×0.0124"},
	} {
		require.Equal(t, want, [3]string{
			formatRatio(x, math.Floor), formatRatio(x, math.Round),
			formatRatio(x, math.Ceil),
		}, x)
	}
	for x, want := range map[float64]string{
		2.345: "2.35 s", 0.0123: "12.3 ms", 0.00099: "990 µs",
		12e-6: "12 µs",
	} {
		require.Equal(t, want, formatTime(x))
	}
}
