package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// BenchmarkPictures draws all pictures and the page of a comparison on 27 data sets.
func BenchmarkPictures(b *testing.B) {
	dir := b.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	tenByTen(b, paths[0], 27, 0)
	tenByTen(b, paths[1], 27, 0.01)
	for _, format := range []string{"svg", "png"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				status, _, stderr := runText("-bayes", "-plot", filepath.Join(dir, format), "-plot-format",
					format, "-html", filepath.Join(dir, "page.html"), paths[0], paths[1])
				require.Equal(b, cli.Clean, status, stderr)
			}
			pictures, err := filepath.Glob(filepath.Join(dir, format, "*."+format))
			require.NoError(b, err)
			require.Len(b, pictures, 30)
		})
	}
}

// tenByTen writes a file with the results of a learner on data sets, of ten runs of ten folds.
func tenByTen(t testing.TB, path string, data int, gain float64) {
	t.Helper()
	var text strings.Builder
	for d := range data {
		fmt.Fprintf(&text, "learnbench-format: 2\npkg:\ntest:\ncommit:\nprotocol: cv runs=10 folds=10 stratified seed=1 v1\ndata-sha256: %064x\nsplit-sha256: %064x\nData: data%d\nLearners: nn\nUnit accuracy better=higher min=0 max=1\n", d+1, d+2, d)
		for i := range 100 {
			fmt.Fprintf(&text, "BenchmarkCV/data=data%d/learner=nn/run=%d/fold=%d 1 %v accuracy 90 train-n 10 test-n\n", d, i/10+1, i%10+1, 0.6+float64((d*31+i*17)%23)/100+gain*float64((i*7+d)%13))
		}
		text.WriteString("\n")
	}
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
}

// TestPicturesStayOutOfOneAnother checks that comparisons whose names are alike in the names of
// files have pictures of their own.
func TestPicturesStayOutOfOneAnother(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	for i, path := range paths {
		manyRows(t, path, 3, 0.01*float64(i))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var kept []string
		for line := range strings.Lines(strings.NewReplacer("data0", "A b", "data1", "a-B", "data2",
			"日本").Replace(string(text))) {
			if !strings.HasPrefix(line, "Checksum:") {
				kept = append(kept, strings.ReplaceAll(line, "/data=A b/", "/data=A%20b/"))
			}
		}
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(kept, "")), 0o666))
	}
	status, _, stderr := runText("-plot", filepath.Join(dir, "p"), paths[0], paths[1])
	require.Equal(t, cli.Clean, status, stderr)
	list, err := os.ReadFile(filepath.Join(dir, "p", "pictures.txt"))
	require.NoError(t, err)
	names := strings.Fields(string(list))
	assert.Contains(t, names, "accuracy-runs-001-a-b-a.svg")
	assert.Contains(t, names, "accuracy-runs-003-a-b-a.svg")
	seen := make(map[string]bool)
	for _, n := range names {
		assert.False(t, seen[n], n)
		seen[n] = true
		assert.FileExists(t, filepath.Join(dir, "p", n))
	}
	assert.Len(t, names, 2+6)
}

// TestManyComparisonsAreDrawnAsFarAsThereIsRoom checks pages of rows, and the note about the rows
// left out.
func TestManyComparisonsAreDrawnAsFarAsThereIsRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	manyRows(t, paths[0], 105, 0)
	manyRows(t, paths[1], 105, 0.01)
	status, stdout, stderr := runText("-plot", filepath.Join(dir, "p"), paths[0], paths[1])
	require.Equal(t, cli.Clean, status, stderr)
	assert.Contains(t, unbroken(stdout), "of 210 comparisons the folds of 200 were drawn, the worst ones: choose others with -data, -learner or -metric")
	for _, name := range []string{
		"accuracy-differences-1.svg", "accuracy-differences-2.svg",
		"accuracy-scores.svg",
	} {
		assert.FileExists(t, filepath.Join(dir, "p", name))
	}
	second, err := os.ReadFile(filepath.Join(dir, "p", "accuracy-differences-2.svg"))
	require.NoError(t, err)
	assert.Equal(t, 10, strings.Count(string(second), ", interval "), "the rest of the rows")
	singles, err := filepath.Glob(filepath.Join(dir, "p", "*-runs-*.svg"))
	require.NoError(t, err)
	assert.Len(t, singles, 200)
}
