package contingency_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

func TestEValueReference(t *testing.T) {
	t.Parallel()
	for _, v := range vectors.Read(t, "mcnemar_e_value") {
		var in struct{ Better, Worse int }
		var want struct {
			LogE number `json:"log_e"`
			P    number `json:"p_anytime"`
			Stop bool   `json:"stop_at_alpha_05"`
		}
		v.In(t, &in)
		v.Want(t, &want)
		logE, p, err := contingency.EValue(contingency.PairCounts{
			OnlyFirst:  in.Better,
			OnlySecond: in.Worse,
		})
		require.NoError(t, err)
		v.Near(t, v.ID+" log E", logE, want.LogE)
		v.Near(t, v.ID+" p", p, want.P)
		require.Equal(t, want.Stop, p <= 0.05, v.ID)
		mirror, _, err := contingency.EValue(contingency.PairCounts{
			Both: 3, OnlyFirst: in.Worse,
			OnlySecond: in.Better,
		})
		require.NoError(t, err)
		require.InDelta(t, logE, mirror, 1e-13)
	}
	_, _, err := contingency.EValue(contingency.PairCounts{OnlySecond: -1})
	require.ErrorIs(t, err, stat.ErrDomain)
}

// TestEValueAtAnyTime looks after each disagreement of equally good learners: McNemar's test would
// err far more often than at its level.
func TestEValueAtAnyTime(t *testing.T) {
	t.Parallel()
	const tries = 2000
	r := rand.New(rand.NewPCG(1, 49))
	type decision struct{ e, mcnemar bool }
	decisions := make(map[contingency.PairCounts]decision) // of counts that many tries meet
	stopped, fixed := 0, 0
	for range tries {
		var c contingency.PairCounts
		any, mcnemar := false, false
		for range 200 {
			if r.IntN(2) == 0 {
				c.OnlyFirst++
			} else {
				c.OnlySecond++
			}
			d, ok := decisions[c]
			if !ok {
				_, p, err := contingency.EValue(c)
				require.NoError(t, err)
				m, err := contingency.McNemarTest(c, contingency.MidP, stat.TwoSided)
				require.NoError(t, err)
				d = decision{p <= 0.05, m.P <= 0.05}
				decisions[c] = d
			}
			any, mcnemar = any || d.e, mcnemar || d.mcnemar
		}
		if any {
			stopped++
		}
		if mcnemar {
			fixed++
		}
	}
	require.Less(t, float64(stopped)/tries, 0.05)
	require.Greater(t, float64(fixed)/tries, 0.2)
}
