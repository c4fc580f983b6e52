package copies

import (
	"encoding/json"
	"fmt"
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
			Sets             [][]int
			ExamplesInSets   *int    `json:"examples_in_sets"`
			Contradicting    [][]int `json:"contradicting_sets"`
			WithCopies       [][]int `json:"test_examples_with_a_copy_in_training"`
			Share, Reachable *float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.Len(t, vectors, 10)
	for _, v := range vectors {
		var keys []string
		for _, r := range v.Input.Rows {
			keys = append(keys, fmt.Sprint(r))
		}
		s := Find(keys)
		assert.Equal(t, v.Expected.Sets, append([][]int{}, s.All...), v.ID)
		if v.Expected.ExamplesInSets != nil {
			assert.Equal(t, *v.Expected.ExamplesInSets, s.Examples(), v.ID)
		}
		contradicting, reachable := Contradicting(s, func(i int) string { return fmt.Sprint(v.Input.Labels[i]) })
		assert.Equal(t, v.Expected.Contradicting, append([][]int{}, contradicting...), v.ID)
		assert.Equal(t, len(contradicting) == 0, reachable == 1, v.ID)
		copied, all := 0, 0
		for run, folds := range v.Input.FoldsOfExample {
			for fold, want := range v.Expected.WithCopies[run] {
				var train, test []int
				for i, f := range folds {
					if f == fold {
						test = append(test, i)
					} else {
						train = append(train, i)
					}
				}
				got := s.inTraining(train, test, make([]int, len(s.All)), 1)
				assert.Equal(t, want, got, "%s run %d fold %d", v.ID, run, fold)
				copied, all = copied+got, all+len(test)
			}
		}
		if v.Expected.Share != nil && all > 0 {
			assert.InDelta(t, *v.Expected.Share, float64(copied)/float64(all), 0, v.ID)
		}
	}
}

// Groups of copies keep them together, and random folds do not.
func TestShareOfAPlan(t *testing.T) {
	t.Parallel()
	keys, groups := make([]int, 100), make([]int, 100)
	for i := range keys {
		keys[i], groups[i] = i%50, i%50
	}
	s := Find(keys)
	random, err := split.CV(2, 10).Plan(split.Examples{N: 100})
	require.NoError(t, err)
	assert.Greater(t, s.Share(random), 0.7)
	grouped, err := split.Groups(2, 10).Plan(split.Examples{N: 100, Group: groups})
	require.NoError(t, err)
	assert.Zero(t, s.Share(grouped))
	_, reachable := Contradicting(s, func(i int) bool { return i == 3 })
	assert.InDelta(t, 0.99, reachable, 1e-15)
}
