package verdict

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scored returns the scores of one learner, in runs of folds that test n examples.
func scored(u unit.Unit, n int, runs [][]float64) *record.Pairs {
	h := &record.Header{
		Protocol:    "cv runs=10 folds=10 unstratified seed=1 v1",
		Determinism: "forest=yes",
	}
	p := &record.Pairs{
		Data: "vehicle", Candidate: "forest", Baseline: "forest", Unit: u,
		Runs: len(runs), Folds: len(runs[0]), CandidateHeader: h, BaselineHeader: h,
	}
	for _, run := range runs {
		for i, x := range run {
			p.A, p.B = append(p.A, x), append(p.B, x)
			size := (i+1)*n/len(run) - i*n/len(run)
			p.TrainN, p.TestN = append(p.TrainN, int32(n-size)), append(p.TestN, int32(size))
		}
	}
	return p
}

func constantRuns(runs, folds int, score float64) [][]float64 {
	all := make([][]float64, runs)
	for j := range all {
		for range folds {
			all[j] = append(all[j], score)
		}
	}
	return all
}

func mirroredRuns(runs [][]float64) [][]float64 {
	all := make([][]float64, len(runs))
	for j, run := range runs {
		for _, x := range run {
			all[j] = append(all[j], 1-x)
		}
	}
	return all
}

func TestLevelReferenceNumbers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/at_least.json")
	require.NoError(t, err)
	var cases []struct {
		ID    string
		Input struct {
			Scores    [][]float64 `json:"scores_runs_by_folds"`
			Threshold float64
			Examples  int
		}
		Expected struct {
			Mean, SE, DF, P, Lower, Upper float64
			LowerT                        float64 `json:"lower_t"`
			PT                            float64 `json:"p_t"`
			UpperT                        float64 `json:"upper_t"`
			LowerWilson                   float64 `json:"lower_wilson"`
			UpperWilson                   float64 `json:"upper_wilson"`
			PWilson                       float64 `json:"p_wilson"`
			Verdict                       string
			Agrees                        *float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Greater(t, len(cases), 10)
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			v := Judge(scored(accuracy, c.Input.Examples, c.Input.Scores),
				Claim{Kind: AtLeast, Threshold: c.Input.Threshold})
			require.NoError(t, v.Err)
			e, x := c.Expected, v.Level
			near := func(want, got float64) {
				t.Helper()
				require.True(t, floatcmp.Equal(got, want, 1e-13, 1e-9), "%v, want %v", got, want)
			}
			near(e.Mean, v.CandidateMean)
			near(e.SE, x.T.SE)
			near(e.DF, x.T.DF)
			near(e.PT, x.T.P)
			near(e.PWilson, x.WilsonP)
			near(e.LowerWilson, x.WilsonBound)
			if x.T.SE > 0 {
				lower, upper := x.T.Interval(0.95)
				near(e.LowerT-c.Input.Threshold, lower)
				require.True(t, math.IsInf(upper, 1))
			}
			_, high, err := x.Wilson.Bounds(e.Mean)
			require.NoError(t, err)
			near(e.UpperWilson, high)
			near(max(e.UpperT, e.UpperWilson), x.Ceiling)
			near(e.P, x.P)
			near(e.Lower, x.Bound)
			near(e.Upper, x.Ceiling)
			require.Equal(t, map[string]Outcome{
				"shown": Improved, "refuted": Regressed,
				"inconclusive": Inconclusive,
			}[e.Verdict], v.Outcome)
			require.Equal(t, e.Verdict == "shown", v.Holds)
			if e.Agrees != nil {
				p := scored(accuracy, c.Input.Examples, c.Input.Scores)
				for i := range p.B {
					p.B[i] = c.Input.Threshold
				}
				d := differences(p, 0, p.Runs)
				d.LeastVariance = 0
				r, err := replicate.Retest{
					Test: defaultCV, Runs: p.Runs, Alpha: 0.05,
					Alternative: stat.Greater,
				}.Predict(d)
				require.NoError(t, err)
				near(*e.Agrees, r.P)
				if x.T.P >= x.WilsonP { // else the bound is what a rerun agrees with
					near(*e.Agrees, v.Rerun.P)
				}
			}
			// An error rate is the accuracy of the other side.
			m := Judge(scored(errorRate, c.Input.Examples, mirroredRuns(c.Input.Scores)),
				Claim{Kind: AtMost, Threshold: 1 - c.Input.Threshold})
			require.NoError(t, m.Err)
			require.Equal(t, v.Outcome, m.Outcome)
			require.InDelta(t, v.Level.P, m.Level.P, 1e-9)
			require.InDelta(t, 1-v.Level.Bound, m.Level.Bound, 1e-9)
			require.InDelta(t, 1-v.Level.Ceiling, m.Level.Ceiling, 1e-9)
		})
	}
}

// noisy returns scores of runs about a mean, rounded to hits.
func noisy(seed uint64, n, runs, folds int, p float64) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 5))
	right := make([]float64, n)
	for i := range right {
		if r.Float64() < p {
			right[i] = 1
		}
	}
	all := make([][]float64, runs)
	for j := range all {
		order := r.Perm(n)
		for f := range folds {
			sum, size := 0.0, 0.0
			for _, i := range order[f*n/folds : (f+1)*n/folds] {
				x := right[i]
				if r.Float64() < 0.05 { // the training set matters
					x = 1 - x
				}
				sum, size = sum+x, size+1
			}
			all[j] = append(all[j], sum/size)
		}
	}
	return all
}

func TestLevelText(t *testing.T) {
	t.Parallel()
	p := scored(accuracy, 846, noisy(3, 846, 10, 10, 0.75))
	v := Judge(p, Claim{Kind: AtLeast, Threshold: 0.7})
	require.False(t, v.Holds)
	assert.Equal(t, "forest reaches 70.00% accuracy on vehicle", v.Statement())
	text := v.String()
	assert.Regexp(t, `^forest reaches 70\.00% accuracy on vehicle: inconclusive\n  accuracy       7\d\.\d\d%, 95% interval 6\d\.\d\d% to 7\d\.\d\d%\n`, text)
	assert.Regexp(t, `  claim          at least 70\.00%: not shown, at least 6\d\.\d\d% \(one-sided 95%\), p = 0\.\d+ .it takes 0\.05 or less.\n`, text)
	assert.Regexp(t, `  test           corrected-cv-t and wilson \(846 examples\), n = 10×10, t = [\d.]+, df = 99\n`, text)
	assert.Regexp(t, `  rerun          the claim fails again with probability 0\.\d+; `, text)
	assert.Regexp(t, `  help           forest would pass with 70\.00% if its true accuracy were 7\d\.\d\d% \(80% power\)\n`, text)
	assert.Regexp(t, `  mean alone     a test of the mean without an interval would flip between two partitions with probability 0\.\d\d, 90% interval 0\.\d\d to 0\.\d\d\n`, text)
	held := Judge(p, Claim{Kind: AtLeast, Threshold: 0.6})
	assert.True(t, held.Holds)
	assert.Contains(t, held.String(), "forest reaches 60.00% accuracy on vehicle: shown\n")
	assert.Contains(t, held.String(), "at least 60.00%: shown, at least ")
	assert.NotContains(t, held.String(), "help")
	refuted := Judge(p, Claim{Kind: AtLeast, Threshold: 0.9})
	assert.Contains(t, refuted.String(), "forest reaches 90.00% accuracy on vehicle: refuted\n")
	assert.Contains(t, refuted.String(), "refuted, at most ")
}

// A threshold at the bound holds, and one a little above does not.
func TestLevelBoundIsTheThresholdThatHolds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		n := []int{60, 300}[seed%2]
		p := scored(accuracy, n, noisy(seed, n, 10, 10, 0.85))
		v := Judge(p, Claim{Kind: AtLeast, Threshold: 0.5})
		require.True(t, v.Holds)
		for _, c := range []struct {
			add  float64
			want bool
		}{{-1e-6, true}, {1e-6, false}} {
			at := Judge(p, Claim{Kind: AtLeast, Threshold: v.Level.Bound + c.add})
			require.NoError(t, at.Err)
			require.Equal(t, c.want, at.Holds)
		}
		require.LessOrEqual(t, v.Level.Bound, v.Level.WilsonBound)
	}
}

func TestLevelsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	p := scored(accuracy, 100, noisy(1, 100, 3, 5, 0.9))
	e := scored(errorRate, 100, noisy(1, 100, 3, 5, 0.1))
	logloss := scored(unit.Unit{Name: "logloss", Better: unit.Lower, Max: math.Inf(1)}, 100,
		noisy(1, 100, 3, 5, 0.1))
	for name, c := range map[string]struct {
		p     *record.Pairs
		claim Claim
		says  string
	}{
		"percent": {
			p,
			Claim{Kind: AtLeast, Threshold: 70},
			"outside of the range of accuracy, 0 to 1: 70% is 0.7",
		},
		"below the range": {p, Claim{Kind: AtLeast, Threshold: -0.1}, "outside of the range"},
		"everything": {
			p,
			Claim{Kind: AtLeast},
			"is the worst possible accuracy: every learner reaches it",
		},
		"no number": {p, Claim{Kind: AtLeast, Threshold: math.NaN()}, "a threshold of NaN"},
		"infinite": {
			logloss,
			Claim{Kind: AtMost, Threshold: math.Inf(1)},
			"a threshold of +Inf",
		},
		"at least an error": {e, Claim{Kind: AtLeast, Threshold: 0.1}, "lower error is better"},
		"at most accuracy":  {p, Claim{Kind: AtMost, Threshold: 0.9}, "higher accuracy is better"},
		"unattainable": {
			p,
			Claim{Kind: AtLeast, Threshold: 0.98},
			"no scores on 100 examples could show 98.00%: not a single failure would show 97.37%",
		},
		"unattainable error": {
			e,
			Claim{Kind: AtMost, Threshold: 0.02},
			"no scores on 100 examples could show 2.00%: not a single failure would show 2.63%",
		},
		"no loss at all": {logloss, Claim{Kind: AtMost}, "no data show the best possible logloss"},
		"margin": {
			p,
			Claim{Kind: AtLeast, Threshold: 0.7, Margin: 0.1},
			"takes neither a margin",
		},
		"gain": {
			p,
			Claim{Kind: AtLeast, Threshold: 0.7, Gain: 0.1},
			"takes neither a margin",
		},
		"posterior": {
			p,
			Claim{Kind: AtLeast, Threshold: 0.7, Probability: 0.9},
			"takes neither a margin",
		},
		"second opinion": {
			p,
			Claim{Kind: AtLeast, Threshold: 0.7, Halvings: 20},
			"takes neither a margin",
		},
		"one-sided": {
			p,
			Claim{Kind: AtLeast, Threshold: 0.7, OneSided: true},
			"takes neither a margin",
		},
		"other metric": {
			p,
			Claim{Kind: AtLeast, Threshold: 0.7, Metric: "f1"},
			"the scores are of accuracy",
		},
		"test without bound": {p, Claim{
			Kind: AtLeast, Threshold: 0.7,
			Test: stat.MustLookup("permutation"),
		}, "has no interval"},
		"two learners": {
			p,
			Claim{Kind: Improves, Threshold: 0.7},
			"a threshold is for claims about one learner",
		},
	} {
		v := Judge(c.p, c.claim)
		require.ErrorIs(t, v.Err, ErrClaim, name)
		require.False(t, v.Holds, name)
		require.ErrorContains(t, v.Err, c.says, name)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		broken := scored(accuracy, 100, noisy(1, 100, 3, 5, 0.9))
		broken.A[7] = bad
		require.Equal(t, Invalid, Judge(broken, Claim{Kind: AtLeast, Threshold: 0.7}).Outcome)
	}
}

// Scores that are equal in all folds show nothing by the test alone; perfect folds of few examples
// do not either.
func TestPerfectFoldsPassNothingByTheTestAlone(t *testing.T) {
	t.Parallel()
	perfect := constantRuns(10, 10, 1)
	v := Judge(scored(accuracy, 100, perfect), Claim{Kind: AtLeast, Threshold: 0.97})
	require.True(t, v.Holds, "Wilson's bound on 100 examples is .9737")
	require.InDelta(t, 100/(100+1.6448536269514722*1.6448536269514722), v.Level.Bound, 1e-12)
	require.False(t, Judge(scored(accuracy, 20, perfect), Claim{Kind: AtLeast, Threshold: 0.9}).Holds)
	require.True(t, Judge(scored(accuracy, 20, perfect), Claim{Kind: AtLeast, Threshold: 0.88}).Holds)
	auc := unit.Unit{Name: "auc", Better: unit.Higher, Max: 1}
	v = Judge(scored(auc, 100, constantRuns(10, 10, 0.9)), Claim{Kind: AtLeast, Threshold: 0.6})
	require.False(t, v.Holds)
	require.Contains(t, v.Reason, "no fold has another score than the others")
}

// TestLevelsOfTheMajorityClass refuses thresholds that always predicting the most frequent class
// reaches.
func TestLevelsOfTheMajorityClass(t *testing.T) {
	t.Parallel()
	p := scored(accuracy, 300, noisy(1, 300, 10, 10, 0.9))
	p.CandidateHeader.Majority = "no accuracy=0.8"
	if _, _, ok := p.CandidateHeader.MajorityIn("accuracy"); !ok {
		t.Fatal("the header says nothing of the most frequent class")
	}
	v := Judge(p, Claim{Kind: AtLeast, Threshold: 0.75})
	require.ErrorIs(t, v.Err, ErrClaim)
	require.ErrorContains(t, v.Err,
		`a model that always predicts "no" scores 80.00% and reaches 75.00% (AllowMajority or -allow-majority, if that is meant)`)
	require.True(t, Judge(p, Claim{Kind: AtLeast, Threshold: 0.75, AllowMajority: true}).Holds)
	require.NoError(t, Judge(p, Claim{Kind: AtLeast, Threshold: 0.81}).Err)
}

// A required replicability takes further runs where the test decides, and is refused where the
// bound does.
func TestLevelsThatRequireReplicability(t *testing.T) {
	t.Parallel()
	auc := unit.Unit{Name: "auc", Better: unit.Higher, Max: 1}
	p := scored(auc, 300, noisy(1, 300, 10, 10, 0.9))
	v := Judge(p, Claim{Kind: AtLeast, Threshold: 0.6, Replicability: 0.9})
	require.True(t, v.Holds)
	require.Greater(t, v.Rerun.R, 0.9)
	at := v.Level.Bound - 1e-4
	v = Judge(p, Claim{Kind: AtLeast, Threshold: at, Replicability: 0.9})
	require.False(t, v.Holds)
	require.Positive(t, v.NeedRuns)
	q := scored(accuracy, 50, noisy(2, 50, 10, 10, 0.97))
	v = Judge(q, Claim{Kind: AtLeast, Threshold: 0.8})
	require.True(t, v.Holds)
	require.Greater(t, v.Level.WilsonP, v.Level.T.P)
	v = Judge(q, Claim{Kind: AtLeast, Threshold: 0.8, Replicability: 0.9})
	require.False(t, v.Holds)
	require.ErrorContains(t, v.Err, "Wilson's bound on 50 examples decides this one")
}

// The first runs of a protocol settle no bound: it takes all.
func TestLevelsTakeAllRuns(t *testing.T) {
	t.Parallel()
	p := scored(accuracy, 300, noisy(1, 300, 10, 10, 0.9))
	first := p.First(2)
	for _, settle := range []float64{0, 0.001} {
		v := Judge(first, Claim{Kind: AtLeast, Threshold: 0.6, Settle: settle})
		require.Equal(t, Invalid, v.Outcome)
		require.False(t, v.Holds)
		require.Equal(t, 10, v.NeedRuns)
		require.True(t, Judge(p, Claim{Kind: AtLeast, Threshold: 0.6, Settle: settle}).Holds)
	}
}

func TestLevelWarnsOfAnotherSeed(t *testing.T) {
	t.Parallel()
	p := scored(accuracy, 300, noisy(1, 300, 10, 10, 0.9))
	require.NotContains(t, Judge(p, Claim{Kind: AtLeast, Threshold: 0.8}).String(), "seed is")
	p.CandidateHeader.Protocol = "cv runs=10 folds=10 unstratified seed=17 v1"
	require.Contains(t, Judge(p, Claim{Kind: AtLeast, Threshold: 0.8}).String(),
		"the seed is 17, not 1: a seed that is chosen until a claim holds makes it hold wrongly")
}

func TestJudgeOfLevelsDoesNotModifyThePairs(t *testing.T) {
	t.Parallel()
	p := scored(accuracy, 300, noisy(1, 300, 10, 10, 0.9))
	before, err := json.Marshal(p)
	require.NoError(t, err)
	Judge(p, Claim{Kind: AtLeast, Threshold: 0.8})
	after, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

// A claim of a family holds after adjustment only.
func TestFamiliesOfLevels(t *testing.T) {
	t.Parallel()
	p := scored(accuracy, 300, noisy(1, 300, 10, 10, 0.9))
	v := Judge(p, Claim{Kind: AtLeast, Threshold: 0.5})
	edge := Judge(p, Claim{Kind: AtLeast, Threshold: v.Level.Bound - 1e-6})
	require.True(t, edge.Holds)
	adjusted, err := Adjust([]Verdict{edge, edge, edge}, adjust.MustLookup("holm"))
	require.NoError(t, err)
	for _, a := range adjusted {
		require.False(t, a.Holds)
	}
}
