package storage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// A journal that was cut off anywhere reads, if it reads as a whole.
func FuzzJournal(f *testing.F) {
	s, other := sampleSet("vehicle", 1, 2, "c45", "n b"), sampleSet("iris", 1, 1, "c45")
	s.fail(3, "boom\n")
	full := withoutChecksum(textOf(f, s, other))
	f.Add([]byte("\n"+full), 300)
	f.Add([]byte("\n"+strings.Replace(full, "BenchmarkCV", "\nBenchmarkCV", 1)), 900)
	f.Add([]byte(strings.ReplaceAll(full, "error:", "error: ")), 1200)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		path := filepath.Join(dir, "j")
		read := func(data []byte) (*Remains, error) {
			require.NoError(t, os.WriteFile(path, data, 0o600))
			return ReadJournal(path)
		}
		whole, err := read(data)
		if err != nil {
			requireError[*record.SyntaxError](t, err)
			return
		}
		part, err := read(data[:min(max(n, 0), len(data))])
		require.NoError(t, err)
		require.LessOrEqual(t, len(part.Blocks()), len(whole.Blocks()))
		for i, b := range part.Blocks() {
			require.LessOrEqual(t, b.Len(), whole.Blocks()[i].Len())
			for _, e := range part.Experiments() {
				_ = e.Check()
			}
		}
	})
}
