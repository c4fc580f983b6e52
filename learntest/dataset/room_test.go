package dataset

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// onlyReader hides how much there is.
type onlyReader struct{ io.Reader }

// mostRoom returns the greatest room that a column of n rows may have.
func mostRoom(n int) int {
	if n > manyRows {
		return sureGrowth * n
	}
	return max(mostGrowth*n, 2*fewRows)
}

// TestColumnsGrowByTheSizeOfTheFile reads equal tables, whatever size the file promises, from rows
// that get longer or shorter.
func TestColumnsGrowByTheSizeOfTheFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var csv, arff strings.Builder
		csv.WriteString("x,n,class\n")
		arff.WriteString("@relation f\n@attribute x real\n@attribute n {p,q}\n@attribute class {a,b}\n@data\n")
		n := 0
		for _, rows := range rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 4).Draw(t, "rows") {
			form := rapid.SampledFrom([]string{"%d", "%d.500000000", "?"}).Draw(t, "form")
			for range rows {
				x := form
				if strings.Contains(form, "d") {
					x = fmt.Sprintf(form, n)
				}
				line := fmt.Sprint(x, ",", "pq"[n%2:][:1], ",", "ab"[n%3/2:][:1], "\n")
				csv.WriteString(line)
				arff.WriteString(line)
				n++
			}
		}
		opts := ReadOptions{}
		for text, read := range map[string]func(io.Reader, string, ReadOptions) (*Table,
			error){csv.String(): ReadCSV, arff.String(): ReadARFF} {
			want, err := read(onlyReader{strings.NewReader(text)}, "f", opts)
			got, err2 := read(strings.NewReader(text), "f", opts)
			require.Equal(t, err, err2)
			if err != nil {
				continue
			}
			require.Equal(t, n, got.Len())
			require.Equal(t, digest(t, want), digest(t, got))
			require.LessOrEqual(t, cap(got.Numbers(0)), mostRoom(n))
		}
	})
}

func TestColumnsOfRegularFilesAreCopiedSeldom(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	text := "x,class\n" + strings.Repeat("1.25,a\n2.25,b\n", 20000)
	name := filepath.Join(t.TempDir(), "f.csv")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	for _, r := range []io.Reader{f, bytes.NewReader([]byte(text))} {
		require.Equal(t, int64(len(text)), sizeOf(r))
	}
	require.Zero(t, sizeOf(onlyReader{f}))
	table, err := Open(name, ReadOptions{})
	require.NoError(t, err)
	require.Less(t, cap(table.Numbers(0)), 41000)

	b := &budget{size: 1 << 60, taken: 1} // as if a file promised rows without end
	s, copies := []float64(nil), 0
	for i := range 1 << 20 {
		before := cap(s)
		s = append(room(s, b), float64(i))
		if len(s) > fewRows && cap(s) != before {
			copies++
		}
		require.LessOrEqual(t, cap(s), mostRoom(len(s)))
	}
	require.LessOrEqual(t, copies, 3)
	require.True(t, slices.IsSorted(s))
	require.Len(t, s, 1<<20)
}
