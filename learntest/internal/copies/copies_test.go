package copies

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/split"
)

func TestReferenceCounts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/duplicates.json")
	require.NoError(t, err)
	var vectors []struct {
		ID    string
		Input struct {
			Rows           []any
			Labels         []any
			FoldsOfExample [][]int `json:"folds_of_example"`
		}
		Expected struct {
			Sets           [][]int
			ExamplesInSets *int    `json:"examples_in_sets"`
			Contradicting  [][]int `json:"contradicting_sets"`
			WithCopies     [][]int `json:"test_examples_with_a_copy_in_training"`
			Share          *float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.Len(t, vectors, 10)
	for _, v := range vectors {
		var keys []string
		for _, r := range v.Input.Rows {
			keys = append(keys, fmt.Sprint(r))
		}
		s := setsOf(t, keys)
		assert.Equal(t, v.Expected.Sets, append([][]int{}, s.All...), v.ID)
		if v.Expected.ExamplesInSets != nil {
			assert.Equal(t, *v.Expected.ExamplesInSets, s.Examples(), v.ID)
		}
		contradicting, reachable := Contradicting(s,
			func(i int) string { return fmt.Sprint(v.Input.Labels[i]) })
		assert.Equal(t, v.Expected.Contradicting, append([][]int{}, contradicting...), v.ID)
		assert.Equal(t, len(contradicting) == 0, reachable == 1, v.ID)
		var runs [][]split.Fold
		for run, folds := range v.Input.FoldsOfExample {
			runs = append(runs, nil)
			for fold, want := range v.Expected.WithCopies[run] {
				var f split.Fold
				for i, tested := range folds {
					if tested == fold {
						f.Test = append(f.Test, i)
					} else {
						f.Train = append(f.Train, i)
					}
				}
				runs[run] = append(runs[run], f)
				assert.InDelta(t, float64(want)/float64(len(f.Test)), divided(t, s, len(folds),
					[]split.Fold{f}), 0, "%s run %d fold %d", v.ID, run, fold)
			}
		}
		if v.Expected.Share != nil && len(runs) > 0 {
			assert.InDelta(t, *v.Expected.Share, divided(t, s, len(v.Input.Rows), runs...), 0, v.ID)
		}
	}
}

func divided(t *testing.T, s Sets, n int, runs ...[]split.Fold) float64 {
	plan, err := split.Predefined(runs...).Plan(split.Examples{N: n})
	require.NoError(t, err)
	return plan.Divided(s.All)
}

// setsOf returns the sets of equal keys.
func setsOf[K any](t require.TestingT, keys []K) Sets {
	text := func(i int, buf []byte) ([]byte, error) { return fmt.Append(buf, keys[i]), nil }
	s, err := Find(len(keys), text)
	require.NoError(t, err)
	for _, hash := range []func([]byte) uint64{ // of which many or all are equal
		func([]byte) uint64 { return math.MaxUint64 },
		func(text []byte) uint64 { return uint64(len(text)) },
	} {
		again, err := find(len(keys), text, hash)
		require.NoError(t, err)
		require.Equal(t, s, again)
	}
	return s
}

// Groups of copies keep them together, and random folds do not.
func TestShareOfAPlan(t *testing.T) {
	t.Parallel()
	keys, groups := make([]int, 100), make([]int, 100)
	for i := range keys {
		keys[i], groups[i] = i%50, i%50
	}
	s := setsOf(t, keys)
	random, err := split.CV(2, 10).Plan(split.Examples{N: 100})
	require.NoError(t, err)
	assert.Greater(t, random.Divided(s.All), 0.7)
	grouped, err := split.Groups(2, 10).Plan(split.Examples{N: 100, Group: groups})
	require.NoError(t, err)
	assert.Zero(t, grouped.Divided(s.All))
	_, reachable := Contradicting(s, func(i int) bool { return i == 3 })
	assert.InDelta(t, 0.99, reachable, 1e-15)
}
