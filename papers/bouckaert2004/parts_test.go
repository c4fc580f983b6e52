package bouckaert2004

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/papertest"
	"github.com/learnbench/learnbench/papers/internal/prints"
	"github.com/learnbench/learnbench/papers/internal/simulation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallBF returns the report of the small study, which is made once.
var smallBF = sync.OnceValues(func() (*study.Report, error) {
	return smallBFPart("bf",
		lab.Config{Parallel: 2})
})

func smallBFPart(name string, cfg lab.Config) (*study.Report, error) {
	s, err := paper.Find(Parts(), name)
	if err != nil {
		return nil, err
	}
	cfg.Small = true
	return s.Run(context.Background(), cfg)
}

// Each part of a paper is a study of its own, with the same tables as in the study of all,
// and neither the store nor the number of goroutines changes them.
func TestPartsOfBFAreStudies(t *testing.T) {
	t.Parallel()
	for _, part := range []struct {
		name  string
		store bool
	}{{"bf1", false}, {"bf3", true}} {
		whole, err := smallBF()
		require.NoError(t, err)
		cfgs := []lab.Config{{Parallel: 1}}
		if part.store { // the second one finds what the first one has stored
			path := filepath.Join(t.TempDir(), "scores")
			cfgs = []lab.Config{{Parallel: 1, Store: path}, {Parallel: 3, Store: path}}
		}
		for _, cfg := range cfgs {
			got, err := smallBFPart(part.name, cfg)
			require.NoError(t, err)
			for _, want := range got.Tables {
				if !strings.Contains(want.Title, "near their print") {
					require.Equal(t, *papertest.Table(t, whole, want.Title), want)
				}
			}
		}
	}
}

// A study that is interrupted stops, and goes on from its stored scores.
func TestStudyOfRealDataGoesOn(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "scores")
	s, err := paper.Find(Parts(), "bf1")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = s.Run(ctx, lab.Config{Small: true, Store: store, Progress: func(done, total int) {
		assert.Equal(t, 30, total)
		if done == 7 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	before, err := os.ReadFile(store)
	require.NoError(t, err)
	got, err := s.Run(t.Context(), lab.Config{Small: true, Store: store})
	require.NoError(t, err)
	after, err := os.ReadFile(store)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after[:len(before)]))
	whole, err := smallBF()
	require.NoError(t, err)
	require.Equal(t, whole.Tables[0], got.Tables[0])
}

// The tests of a repeat are package stat's, on partitions that can be made again by their
// seed.
func TestDrawsAreThoseOfTheTest(t *testing.T) {
	t.Parallel()
	r, err := smallBF()
	require.NoError(t, err)
	draws := 0
	for part := range simulation.Repeats {
		f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{uci.Labor()},
			[]learntest.Learner[dataset.Row, int]{
				learntest.FromClassifier(lab.NewBayes()),
				learntest.FromClassifier(lab.NewTree()),
			},
			learntest.Config{Protocol: split.FiveByTwo().WithSeed(uint64(part + 1))})
		require.NoError(t, err)
		p, err := lab.NewPool(f, uci.Labor().Name(), lab.NewBayes().Name(), lab.NewTree().Name())
		require.NoError(t, err)
		result, err := stat.FiveByTwoTTest(p.All, stat.TwoSided)
		require.NoError(t, err)
		draws += lab.Indicator(result.P > 0.05)
	}
	require.Equal(t, float64(draws), papertest.Number(t, papertest.Table(t, r, "table 1: draws"),
		"NB vs C4.5", "labor"))
}

// The data sets have the sizes that the papers describe.
func TestDataSetsOfBF(t *testing.T) {
	t.Parallel()
	printed := prints.Open("bf-table1")
	for name, s := range papertest.Shelves(t, bfSets()) {
		want := 27
		if name == "built in" {
			want = 14
		}
		require.Len(t, s.Sets, want)
		require.Len(t, s.Missing, 27-want)
		for _, set := range s.Sets {
			require.Equal(t, printed.Int("instances", set.Name), set.Data.Len(), set.Name)
			classes := make(map[int]bool)
			for i := range set.Data.Len() {
				classes[set.Data.Class(i)] = true
			}
			require.Len(t, classes, printed.Int("classes", set.Name), set.Name)
			// The class counts as an attribute in some rows.
			n := printed.Int("attributes", set.Name)
			require.Contains(t, []int{n, n + 1}, set.Data.NumAttributes(), set.Name)
		}
	}
}
