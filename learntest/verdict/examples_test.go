package verdict

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withRight returns the pairs of ruled with the counts of right predictions, of the same draw.
func withRight(seed uint64, u unit.Unit, n int, loses []bool) *record.Pairs {
	p := ruled(rand.New(rand.NewPCG(seed, 1)), u, n, 10, 10, loses)
	r := rand.New(rand.NewPCG(seed, 1))
	p.RightA, p.RightB = make([]int, n), make([]int, n)
	for i := range n {
		if r.Float64() < 0.2 {
			continue
		}
		p.RightB[i] = p.Runs
		if !loses[i] {
			p.RightA[i] = p.Runs
		}
	}
	return p
}

// losing returns examples of which so many are lost, evenly spread.
func losing(n, lost int) []bool {
	loses := make([]bool, n)
	for k := range lost {
		loses[k*n/lost] = true
	}
	return loses
}

// noMore is a claim of no loss of a margin.
func noMore(margin float64) Claim { return Claim{Kind: NoRegression, Margin: margin} }

// A margin takes the larger p and the wider interval of the default test and of the constrained t
// on the examples, whatever direction is better; every other finding is the default test's.
func TestMarginsAreHeldAgainstExamples(t *testing.T) {
	t.Parallel()
	decided := 0
	for _, u := range []unit.Unit{accuracy, errorRate} {
		for _, kind := range []Kind{NoRegression, Equivalent, Differs} {
			for seed := range uint64(12) {
				p := withRight(seed, u, 100, losing(100, int(seed%5)))
				if seed%2 > 0 { // gains
					p.A, p.B, p.RightA, p.RightB = p.B, p.A, p.RightB, p.RightA
				}
				c := Claim{Kind: kind, Margin: 0.05}
				alone := *p
				alone.RightA, alone.RightB = nil, nil
				first, both := Judge(&alone, c), Judge(p, c)
				require.Nil(t, first.Examples)
				e := both.Examples
				require.NotNil(t, e)
				require.Equal(t, fmt.Sprint(first.Difference), fmt.Sprint(both.Difference))
				require.Equal(t, first.Estimate, both.Estimate)

				d := make([]float64, 100)
				differ := 0
				for i := range d {
					d[i] = float64(p.RightA[i]-p.RightB[i]) / 10
					if d[i] != 0 {
						differ++
					}
				}
				s, err := itemwise.Prepare(itemwise.Data{
					Differences: d, Scale: 1,
					Range: itemwise.Range{Least: -1, Most: 1},
				})
				require.NoError(t, err)
				above, err := s.Test(-0.05, stat.Greater)
				require.NoError(t, err)
				below, err := s.Test(0.05, stat.Less)
				require.NoError(t, err)
				lo, hi, err := s.Bounds(0.05)
				require.NoError(t, err)
				if u.Better == unit.Lower {
					lo, hi = -hi, -lo
				}
				require.Equal(t, 100, e.N)
				require.Equal(t, differ, e.Differ)
				require.Equal(t, [2]float64{lo, hi}, [2]float64{e.Lo, e.Hi})
				for _, x := range []struct {
					first, both Finding
					p           float64
				}{{first.Above, both.Above, above.P}, {first.Below, both.Below, below.P}} {
					require.Equal(t, max(x.first.P, x.p), x.both.P)
					require.Equal(t, x.first.Shown && x.p <= 0.05, x.both.Shown)
					require.Equal(t, min(x.first.Lo, lo), x.both.Lo)
					require.Equal(t, max(x.first.Hi, hi), x.both.Hi)
					require.Equal(t, fmt.Sprint(x.first.Result), fmt.Sprint(x.both.Result))
				}
				wantP, wantFirst := max(above.P, below.P), max(first.Above.P, first.Below.P)
				if kind == NoRegression {
					wantP, wantFirst = above.P, first.Above.P
				}
				require.Equal(t, [2]float64{wantP, wantFirst}, [2]float64{e.P, e.First})
				require.False(t, both.Holds && kind != Differs && !first.Holds, "a second test shows no more")
				if kind != Differs {
					require.Equal(t, first.Holds && wantP <= 0.05, both.Holds)
				}
				if first.Holds && !both.Holds {
					decided++
					require.Contains(t, both.Reason,
						"shows that (p = "+unit.FormatP(wantFirst)+"), the single examples do not (p = "+unit.FormatP(wantP)+")")
				} else {
					require.NotContains(t, both.Reason, "single examples")
				}
				require.GreaterOrEqual(t, both.Detectable, first.Detectable)
				require.Contains(t, both.String(), "  examples       constrained t on 100 examples, of which ")
				require.NotContains(t, first.String(), "examples  ")
			}
		}
	}
	require.Positive(t, decided)
}

// Of a rule that truly loses the margin, and on few examples, the claim holds in no more cases than
// the level says.
func TestFewLossesDoNotPassAMargin(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	first, both, sets := 0, 0, 1000
	for seed := range uint64(sets) {
		loses := make([]bool, 125)
		for i := range loses {
			loses[i] = r.Float64() < 0.05/0.8
		}
		p := withRight(seed, accuracy, 125, loses)
		if Judge(p, noMore(0.05), Bare).Holds {
			both++
		}
		p.RightA = nil
		if Judge(p, noMore(0.05), Bare).Holds {
			first++
		}
	}
	require.Greater(t, first, both)
	require.Less(t, float64(both)/float64(sets), 0.065)
	require.Greater(t, float64(first)/float64(sets), 0.07)
}

// Where one side alone has counts, the default test decides, and the verdict says so in every form.
func TestExamplesOfOneSide(t *testing.T) {
	t.Parallel()
	p := withRight(3, accuracy, 100, losing(100, 2))
	none := *p
	none.RightA, none.RightB = nil, nil
	want := Judge(&none, noMore(0.05))
	for _, side := range []string{"new", "old"} {
		one := *p
		if side == "new" {
			one.RightA = nil
		} else {
			one.RightB = nil
		}
		v := Judge(&one, noMore(0.05))
		require.Equal(t, fmt.Sprint(want.Above), fmt.Sprint(v.Above))
		require.Equal(t, want.Holds, v.Holds)
		require.Equal(t, want.Detectable, v.Detectable)
		require.Equal(t, &Examples{Lacking: side}, v.Examples)
		require.Contains(t, v.String(),
			"  examples       the margin is judged by corrected-cv-t alone: the results of "+side+" do not say which examples are predicted right\n")
		require.Equal(t, side, v.Facts().Margin.Examples.Lacking)
		require.Empty(t, columnOf(t, v, "examples"))
		require.Empty(t, columnOf(t, v, "p_examples"))
		require.Equal(t, side, columnOf(t, v, "examples_lacking"))
	}
	require.Nil(t, want.Facts().Margin.Examples)
}

// lackingOne is a verdict on a margin of which one side has no counts.
func lackingOne() Verdict {
	p := withRight(3, accuracy, 100, losing(100, 2))
	p.RightB = nil
	return Judge(p, Claim{Margin: 0.05})
}

func columnOf(t *testing.T, v Verdict, name string) string {
	t.Helper()
	columns := v.Columns()
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	require.GreaterOrEqual(t, at, 0, name)
	return columns[at].Value
}

// JSON and CSV have what the examples show.
func TestFactsOfExamples(t *testing.T) {
	t.Parallel()
	p := withRight(3, errorRate, 100, losing(100, 3))
	v := Judge(p, noMore(0.05))
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var again Facts
	require.NoError(t, json.Unmarshal(text, &again))
	e := again.Margin.Examples
	require.NotNil(t, e)
	require.Equal(t, v.Examples.N, e.N)
	require.Equal(t, v.Examples.Differ, e.Differ)
	require.Equal(t, v.Examples.P, float64(e.P))
	require.Equal(t, v.Examples.First, float64(e.FirstP))
	require.Equal(t, v.Examples.Lo, float64(e.Lo))
	require.Equal(t, v.Examples.Hi, float64(e.Hi))
	require.Empty(t, e.Lacking)
	require.Equal(t, "100", columnOf(t, v, "examples"))
	require.Equal(t, unit.Number(v.Examples.P).String(), columnOf(t, v, "p_examples"))
	require.Equal(t, unit.Number(max(v.Above.P, v.Below.P)).String(), columnOf(t, v, "p_margin"))
}

// Examples are for margins and the default test alone: nothing else depends on them.
func TestExamplesAreForMarginsAlone(t *testing.T) {
	t.Parallel()
	p := withRight(3, accuracy, 100, losing(100, 2))
	alone := *p
	alone.RightA, alone.RightB = nil, nil
	for name, c := range map[string]Claim{
		"difference":  {},
		"gain":        {Kind: Improves, Gain: 0.01},
		"one-sided":   {Kind: Improves, OneSided: true},
		"posterior":   {Kind: NoRegression, Probability: 0.9, Rope: 0.05},
		"unbeaten":    {Kind: Unbeaten},
		"at least":    {Kind: AtLeast, Threshold: 0.6},
		"other test":  {Kind: NoRegression, Margin: 0.05, Test: stat.MustLookup("averaged-t")},
		"other test2": {Margin: 0.05, Test: stat.MustLookup("corrected-resampled-t")},
	} {
		v := Judge(p, c)
		require.NotEqual(t, Invalid, v.Outcome, name)
		require.Nil(t, v.Examples, name)
		require.Equal(t, Judge(&alone, c).String(), v.String(), name)
	}
	named := Judge(p, Claim{Kind: NoRegression, Margin: 0.05, Test: stat.MustLookup("corrected-cv-t")})
	require.Equal(t, Judge(p, noMore(0.05)).String(), named.String())
}

// Nothing that was not changed fails by its examples, and equal predictions of something that was
// changed show no more than so many examples can.
func TestExamplesOfEqualPredictions(t *testing.T) {
	t.Parallel()
	p := withRight(3, accuracy, 50, make([]bool, 50))
	v := Judge(p, noMore(0.02))
	require.False(t, v.Holds)
	require.Zero(t, v.Examples.Differ)
	require.Less(t, v.Examples.Lo, -0.05)
	p.SameProgram = true
	v = Judge(p, noMore(0.02))
	require.True(t, v.Unchanged)
	require.True(t, v.Holds)
	require.Nil(t, v.Examples)

	big := withRight(3, accuracy, 600, make([]bool, 600))
	v = Judge(big, noMore(0.02))
	require.True(t, v.Holds)
	require.InDelta(t, -2.7/600, v.Examples.Lo, 0.3/600)
}

// Counts of different numbers of examples are an error, as is what no run can have.
func TestExamplesThatDoNotPair(t *testing.T) {
	t.Parallel()
	p := withRight(3, accuracy, 100, losing(100, 2))
	p.RightA = p.RightA[:99]
	v := Judge(p, noMore(0.05))
	require.Equal(t, Invalid, v.Outcome)
	require.Contains(t, v.Reason, "99 examples of new and on 100 of old")
	p = withRight(3, accuracy, 100, losing(100, 2))
	p.RightA[0] = 21
	require.Equal(t, Invalid, Judge(p, noMore(0.05)).Outcome)
}

// A second opinion and repetitions are not held against the examples of the protocol's own runs,
// and the text names the test.
func TestExamplesAndFurtherTests(t *testing.T) {
	t.Parallel()
	p := withRight(3, accuracy, 600, losing(600, 3))
	v := Judge(p, Claim{Kind: NoRegression, Margin: 0.05, Replicability: 0.9})
	require.NotNil(t, v.Rerun)
	alone := *p
	alone.RightA, alone.RightB = nil, nil
	w := Judge(&alone, Claim{Kind: NoRegression, Margin: 0.05, Replicability: 0.9})
	require.Equal(t, w.Rerun.R, v.Rerun.R)
	require.NotContains(t, w.Rerun.Finds, "first test")
	if v.Rerun.Finds != "" {
		require.Equal(t, "the first test shows the claim again", v.Rerun.Finds)
	}

	// Repetitions come to their conclusions by the default test: here it shows the margin, and the
	// examples do not.
	few, more := withRight(4, accuracy, 100, losing(100, 3)), withRight(5, accuracy, 100,
		losing(100, 3))
	few.A, few.B, few.More = append(few.A, more.A...), append(few.B, more.B...), 10
	few.TrainN, few.TestN = append(few.TrainN, more.TrainN...), append(few.TestN, more.TestN...)
	counting := Claim{Kind: NoRegression, Margin: 0.06, Repeats: 2}
	v = Judge(few, counting)
	few.RightA, few.RightB = nil, nil
	w = Judge(few, counting)
	require.True(t, w.Holds)
	require.False(t, v.Holds)
	require.Equal(t, 2, w.Rerun.Agreeing)
	require.Zero(t, v.Rerun.Agreeing)

	second := *p
	second.Second = withSecond(&second, 20, 0.001).Second
	c := noMore(0.05)
	c.Halvings = 20
	v = Judge(&second, c)
	require.NotNil(t, v.Second)
	require.True(t, v.Second.Asked)
	require.Equal(t, v.Second.P, v.Second.Result.P)
	require.Equal(t, 600, v.Examples.N)
	assert.GreaterOrEqual(t, v.Decision.P, v.Examples.P)
}

// The first runs do not settle a margin that single examples hold: they are counted over all.
func TestExamplesTakeAllRuns(t *testing.T) {
	t.Parallel()
	p := withRight(3, accuracy, 600, losing(600, 3))
	c := Claim{Kind: NoRegression, Margin: 0.2, Settle: 0.01}
	v := Judge(p, c)
	require.NotNil(t, v.Settled)
	require.Equal(t, 10, v.Settled.After)
	require.Contains(t, v.Settled.Why, "single examples")
	require.NotNil(t, v.Examples)
	p.RightA = nil
	v = Judge(p, c)
	require.Less(t, v.Settled.After, 10)
	require.Less(t, Judge(withRight(3, accuracy, 600, losing(600, 200)),
		Claim{Kind: Improves, Settle: 0.01}).Settled.After, 10)
}

// Exchanging the examples of one side changes the verdict: it is not of sums.
func TestExamplesArePaired(t *testing.T) {
	t.Parallel()
	p := withRight(3, accuracy, 300, losing(300, 3))
	a := Judge(p, noMore(0.05))
	p.RightA = slices.Clone(p.RightA)
	slices.Reverse(p.RightA)
	b := Judge(p, noMore(0.05))
	require.True(t, a.Holds)
	require.Greater(t, b.Examples.Differ, 10*a.Examples.Differ)
	require.Greater(t, b.Examples.P, a.Examples.P)
	require.False(t, math.IsNaN(b.Examples.Lo))
	require.Equal(t, 1, strings.Count(b.String(), "\n  examples"))
}

// TestDetectableByExamples takes the detectable margin of the test with less power.
func TestDetectableByExamples(t *testing.T) {
	t.Parallel()
	wider, losses := 0, 0
	for seed := range uint64(20) {
		p := withRight(seed, accuracy, 300, losing(300, 6))
		for i := range p.RightA {
			if i%2 > 0 { // right in runs that the folds do not tell
				p.RightA[i] = p.RightA[i] * 7 / 10
				p.RightB[i] = p.RightB[i] * 7 / 10
			}
			if i%25 == 1 {
				p.RightA[i], p.RightB[i] = 0, p.Runs
			}
			if i%25 == 2 {
				p.RightA[i], p.RightB[i] = p.Runs, 0
			}
		}
		alone := *p
		alone.RightA, alone.RightB = nil, nil
		for _, kind := range []Kind{NoRegression, Equivalent} {
			c := Claim{Kind: kind, Margin: 0.08}
			v, w := Judge(p, c), Judge(&alone, c)
			x := float64(v.Examples.N)
			d := make([]float64, int(x))
			for i := range d {
				d[i] = float64(p.RightA[i]-p.RightB[i]) / 10
			}
			s, err := itemwise.Prepare(itemwise.Data{
				Differences: d, Scale: 1,
				Range: itemwise.Range{Least: -1, Most: 1},
			})
			require.NoError(t, err)
			r, err := s.Test(-0.08, stat.Greater)
			require.NoError(t, err)
			power := 0.8
			if kind == Equivalent {
				power = 0.9
			}
			most, err := r.Detectable(0.05, power)
			require.NoError(t, err)
			require.Equal(t, max(w.Detectable, most), v.Detectable)
			if v.Detectable > w.Detectable {
				wider++
			}
			if v.Holds {
				loss, err := r.DetectableLoss(0.05, 0.8)
				require.NoError(t, err)
				require.Equal(t, min(w.DetectableLoss(), loss), v.DetectableLoss())
				if v.DetectableLoss() < w.DetectableLoss() {
					losses++
				}
			}
			c.Margin = 0.021
			if v := Judge(p, c); v.Detectable > w.Detectable {
				require.NotContains(t, strings.Join(v.Help, " "), "more runs of the protocol")
			}
		}
	}
	require.Positive(t, wider)
	require.Positive(t, losses)
}
