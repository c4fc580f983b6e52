package study

import (
	"context"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The claim that learners differ holds where the gates of the study gate reject. Claims about a
// constant more or less are one claim, and each is just not true: a little less of it is true, and
// mostly shown with many examples. The last thirty data sets, which are all unless LEARNBENCH_CI
// names slow, have p values on either side of the level and near it.
func TestFalseClaims(t *testing.T) {
	t.Parallel()
	u := named(t, "1-NN, n = 100", claimNulls)
	alone, both, sets := 0, 0, 30
	if citest.Has(citest.Slow) {
		sets = 80
	}
	for i := 80 - sets; i < 80; i++ {
		s := testLab(t, lab.Config{}, 1).Desk().Draw(u.source, u.n, i)
		found, err := u.judge(t.Context(), s)
		require.NoError(t, err)
		gates, err := u.measure(t.Context(), s)
		require.NoError(t, err)
		require.Equal(t, gates.rejects[defaultGate], found.rejects)
		require.Equal(t, gates.rejects[bothShort], found.confirmed)
		require.InDelta(t, gates.mean, found.mean, 1e-12)
		for c := range found.alone {
			for at := range found.alone[c] {
				require.False(t, found.both[c][at] && !found.alone[c][at])
			}
		}
		require.Equal(t, found.alone[1], found.alone[2], "a gain")
		require.Equal(t, found.alone[1], found.alone[3], "no regression")
		require.Equal(t, found.alone[1], found.alone[5], "Bayes")
		require.Equal(t, found.both[1], found.both[2], "a gain")
		alone += lab.Indicator(found.alone[1][0])
		both += lab.Indicator(found.both[1][0])
	}
	require.Less(t, both, alone)
	require.Less(t, alone, sets/4)
}

// Each claim is true on the other side of its bound, but for the claim of a difference.
func TestFalseClaimsAreJustFalse(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"naive Bayes, n = 300", "naive Bayes, log loss, n = 300",
		"least squares, RMSE, n = 300",
	} {
		u := named(t, name, claimNulls)
		s := testLab(t, lab.Config{}, 1).Desk().Draw(u.source, u.n, 1)
		_, a, err := s.Scores(t.Context(), u.planned(), u.candidate)
		require.NoError(t, err)
		_, b, err := s.Scores(t.Context(), u.planned(), u.baseline)
		require.NoError(t, err)
		for _, c := range falseClaims()[1:] {
			claim := c.claim(u.margin)
			for _, at := range c.at {
				inside, outside := at+3, at-3
				if claim.Kind == verdict.Equivalent {
					inside, outside = 0, 3*at
				}
				for shift, want := range map[float64]bool{inside: true, outside: false} {
					got, _, err := u.holds(t.Context(), s, a, b, claim, shift*u.margin)
					require.NoError(t, err)
					assert.Equal(t, want, got, "%s, %s at %v", name, c.name, shift)
				}
			}
		}
	}
}

// The better model on fresh examples is the model of the learner that has learned something.
func TestBetterOnFreshExamples(t *testing.T) {
	t.Parallel()
	majority := lab.Classified(func() learner.Classifier { return baseline.Majority() }, false)
	u := named(t, "1-NN, n = 100", claimNulls)
	for _, c := range []struct {
		candidate, baseline lab.Subject
		want                bool
	}{{neighbors(1), majority, true}, {majority, neighbors(1), false}} {
		u.candidate, u.baseline = c.candidate, c.baseline
		s := testLab(t, lab.Config{}, 1).Desk().Draw(u.source, u.n, 1)
		for _, preferred := range []bool{true, false} {
			got, err := u.better(t.Context(), s, preferred)
			require.NoError(t, err)
			require.Equal(t, c.want == preferred, got)
		}
	}
	// Neither is better than itself.
	u.candidate, u.baseline = neighbors(1), neighbors(1)
	s := testLab(t, lab.Config{}, 1).Desk().Draw(u.source, u.n, 1)
	for _, preferred := range []bool{true, false} {
		got, err := u.better(t.Context(), s, preferred)
		require.NoError(t, err)
		require.False(t, got)
	}
}

func TestStacked(t *testing.T) {
	t.Parallel()
	a, err := usual.Table("a", 7, 1)
	require.NoError(t, err)
	b, err := usual.Table("b", 5, 2)
	require.NoError(t, err)
	whole, err := stacked(a, b)
	require.NoError(t, err)
	require.Equal(t, 12, whole.Len())
	for j := range a.ClassIndex() {
		require.Equal(t, a.Numbers(j), whole.Numbers(j)[:7])
		require.Equal(t, b.Numbers(j), whole.Numbers(j)[7:])
	}
	require.Equal(t, b.Codes(b.ClassIndex()), whole.Codes(whole.ClassIndex())[7:])
}

func TestClaimRow(t *testing.T) {
	t.Parallel()
	set := func(mean float64, rejects, confirmed, fresher bool, first, second bool) claimSet {
		return claimSet{
			alone: [][]bool{{rejects}, {first, second}}, both: [][]bool{{confirmed}, {false, second}},
			mean: mean, rejects: rejects, confirmed: confirmed, fresher: fresher,
		}
	}
	row := newClaimRow(new(claimNull), []claimSet{
		set(3, true, true, true, true, false), set(-3, true, false, false, true, false),
		set(3, true, true, false, false, true), set(-3, false, false, false, false, false),
	})
	require.Equal(t, []lab.Proportion{{K: 3, N: 4}, {K: 2, N: 4}}, row.alone)
	require.Equal(t, []lab.Proportion{{K: 2, N: 4}, {K: 1, N: 4}}, row.both)
	require.Equal(t, lab.Proportion{K: 1, N: 3}, row.fresh)
	require.Equal(t, lab.Proportion{K: 1, N: 2}, row.freshBoth)
	require.InDelta(t, 3, row.sd, 1e-15)
}

// Other halvings turn some second opinions around, and only where the default test finds the
// difference.
func TestTurnedByOtherHalvings(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	u := named(t, "1-NN, n = 100", claimNulls)
	found, turned := 0, 0
	for i := range 60 {
		s := testLab(t, lab.Config{}, 1).Desk().Draw(u.source, u.n, i)
		up, _, err := u.turns(t.Context(), s, 0.001)
		require.NoError(t, err)
		down, _, err := u.turns(t.Context(), s, -0.001)
		require.NoError(t, err)
		require.False(t, up && down, "in one direction")
		finds, turns, err := u.turns(t.Context(), s, 0.1)
		require.NoError(t, err)
		require.False(t, turns && !finds)
		found += lab.Indicator(finds)
		turned += lab.Indicator(turns)
	}
	assert.Greater(t, found, 20)
	assert.Positive(t, turned)
	assert.Less(t, turned, found/2)
}

// The study is the same however many work on it.
func TestGateClaimsStudy(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	s, err := Lookup("gate-claims")
	require.NoError(t, err)
	var want *Report
	for _, cfg := range []Config{{Parallel: 1}, {Parallel: 3}} {
		cfg.Sets = 2
		got, err := s.Run(context.Background(), cfg)
		require.NoError(t, err)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
	require.Len(t, want.Tables, 2)
	require.Len(t, want.Tables[0].Rows, 11)
	require.Len(t, want.Tables[1].Rows, 11)
}
