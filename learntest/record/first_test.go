package record

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFirstRuns selects the first runs, and cuts them from all runs, which may be missing, complete
// or failed: the results are equal.
func TestFirstRuns(t *testing.T) {
	t.Parallel()
	const runs, folds = 5, 4
	s := marked(runs, 1, 3, 6, 9, 17)
	pair := func(s set, first int) (*Pairs, error) {
		f := fileOf(t, s)
		return Pair(Selection{File: f, Data: "vehicle", Learner: "a", First: first},
			Selection{File: f, Data: "vehicle", Learner: "b", First: first}, "accuracy")
	}
	all, err := pair(s, 0)
	require.NoError(t, err)
	require.Equal(t, 5, all.ConstantA)
	for first := 1; first < runs; first++ {
		want := all.First(first)
		require.Equal(t, []int{first, runs, 0, first * folds}, []int{
			want.Runs, want.Planned, want.More,
			len(want.A),
		})
		for name, trials := range map[string]int{
			"all":                    len(s.Trials),
			"a part of the next run": 2*first*folds + 3, "none but these": 2 * first * folds,
		} {
			part := s.clone()
			part.Trials = part.Trials[:trials]
			if trials > 2*first*folds {
				part.fail(2*first*folds, "in a later run")
			}
			got, err := pair(part, first)
			require.NoError(t, err, name)
			require.Equal(t, want.A, got.A, name)
			require.Equal(t, want.B, got.B, name)
			require.Equal(t, []int{want.Runs, want.Planned, want.More, want.ConstantA, want.ConstantB},
				[]int{got.Runs, got.Planned, got.More, got.ConstantA, got.ConstantB}, name)
			require.Equal(t, got.First(1).A, all.First(1).A)
			require.Equal(t, got.First(1).ConstantA, all.First(1).ConstantA)
			if trials < len(s.Trials) {
				_, err = pair(part, 0)
				require.ErrorIs(t, err, ErrIncomplete, "nobody takes a part for all unasked")
				_, err = pair(part, first+1)
				require.ErrorIs(t, err, ErrIncomplete, name)
			}
		}
		failed := s.clone()
		failed.fail(2*first*folds-1, "in the last of these runs")
		_, err = pair(failed, first)
		require.ErrorIs(t, err, ErrFailedTrial)
	}
	whole, err := pair(s, runs)
	require.NoError(t, err)
	require.Zero(t, whole.Planned)
	f := fileOf(t, s)
	_, err = Pair(Selection{File: f, Data: "vehicle", Learner: "a", First: 2},
		f.Of("vehicle", "b"), "accuracy")
	require.ErrorIs(t, err, ErrMismatch)
	require.ErrorContains(t, err, "2 runs of candidate a and 5 of baseline b")
}
