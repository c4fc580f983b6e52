package uci

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// TestTablesEqualReferenceFiles compares every cell with the ARFF files in
// general use. The order of rows, attributes, declared values and classes must
// agree; names of attributes need not, and values may differ in spelling where
// SOURCES.md says so.
func TestTablesEqualReferenceFiles(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("LEARNBENCH_SHARED")
	if shared == "" {
		t.Skip("LEARNBENCH_SHARED is not set")
	}
	spelling := map[string]map[string]string{
		"sonar": {"Rock": "R", "Mine": "M"},
		"wine":  {"1": "class_0", "2": "class_1", "3": "class_2"},
		"zoo":   {"invertebrate": "mollusc.et.al"},
	}
	// The reference files put the training samples before the whole domains.
	sample := map[string]int{"monks1-all": 124, "monks2-all": 169, "monks3-all": 122}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := strings.TrimSuffix(name, "-all")
			want, err := dataset.Open(filepath.Join(shared, "data", file+".arff"), dataset.ReadOptions{})
			require.NoError(t, err)
			got, err := Load(name)
			require.NoError(t, err)
			skip := sample[name]
			require.Equal(t, want.Len()-skip, got.Len())
			require.Equal(t, want.NumAttributes(), got.NumAttributes())
			require.Equal(t, want.ClassIndex(), got.ClassIndex())
			for j := range got.NumAttributes() {
				g, w := got.Attribute(j), want.Attribute(j)
				require.Equal(t, w.Kind, g.Kind, "attribute %d", j)
				w.Values = slices.Clone(w.Values)
				for k, v := range w.Values {
					if s, ok := spelling[name][v]; ok && j == got.ClassIndex() {
						w.Values[k] = s
					}
				}
				require.Equal(t, w.Values, g.Values, "attribute %d", j)
				for i := range got.Len() {
					if g.Kind == dataset.Nominal {
						require.Equal(t, want.Codes(j)[skip+i], got.Codes(j)[i], "row %d, attribute %d", i, j)
						continue
					}
					x, y := want.Numbers(j)[skip+i], got.Numbers(j)[i]
					require.True(t, x == y || math.IsNaN(x) && math.IsNaN(y), "row %d, attribute %d: %v, want %v",
						i, j, y, x)
				}
			}
		})
	}
}
