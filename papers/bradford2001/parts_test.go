package bradford2001

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/papertest"
	"github.com/learnbench/learnbench/papers/internal/prints"
	"github.com/stretchr/testify/require"
)

// smallBB returns the report of the small study, which is made once.
var smallBB = sync.OnceValues(func() (*study.Report, error) {
	return smallBBPart("bb",
		lab.Config{Parallel: 2})
})

func smallBBPart(name string, cfg lab.Config) (*study.Report, error) {
	s, err := paper.Find(Parts(), name)
	if err != nil {
		return nil, err
	}
	cfg.Small = true
	return s.Run(context.Background(), cfg)
}

// Each part of a paper is a study of its own, with the same tables as in the study of all,
// and neither the store nor the number of goroutines changes them.
func TestPartsOfBBAreStudies(t *testing.T) {
	t.Parallel()
	for _, part := range []struct {
		name  string
		store bool
	}{{"bb4", true}} {
		whole, err := smallBB()
		require.NoError(t, err)
		cfgs := []lab.Config{{Parallel: 1}}
		if part.store { // the second one finds what the first one has stored
			path := filepath.Join(t.TempDir(), "scores")
			cfgs = []lab.Config{{Parallel: 1, Store: path}, {Parallel: 3, Store: path}}
		}
		for _, cfg := range cfgs {
			got, err := smallBBPart(part.name, cfg)
			require.NoError(t, err)
			for _, want := range got.Tables {
				if !strings.Contains(want.Title, "near their print") {
					require.Equal(t, *papertest.Table(t, whole, want.Title), want)
				}
			}
		}
	}
}

// The data sets have the sizes that the paper describes.
func TestDataSetsOfBB(t *testing.T) {
	t.Parallel()
	sizes := prints.Open("bb-table1")
	for name, s := range papertest.Shelves(t, bbSets()) {
		want := 23
		if name == "built in" {
			want = 16
		}
		require.Len(t, s.Sets, want)
		for _, set := range s.Sets {
			row, err := printedRow(sizes, 1, set.Name)
			require.NoError(t, err)
			if set.Name == "hypothyroid" { // another version of it
				require.Equal(t, 3772, set.Data.Len())
				continue
			}
			require.Equal(t, sizes.Int("size", row...), set.Data.Len(), set.Name)
		}
	}
}
