package record

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is read is written and read back the same, in the short form and
// without; nothing that is done with it fails otherwise than by an error.
func FuzzRead(f *testing.F) {
	s := sampleSet("vehicle", 2, 3, "c45", "n b")
	s.fail(3, "boom\n")
	full := textOf(f, s, sampleSet("", 1, 1, "", "%"))
	f.Add([]byte(full))
	f.Add([]byte(withoutChecksum(full)))
	f.Add([]byte(full[:len(full)-1]))
	f.Add([]byte(strings.ReplaceAll(full, "\n", "\r\n")))
	f.Add([]byte(strings.Replace(withoutChecksum(full), "min=0 max=1", "", 1)))
	f.Add([]byte(strings.ReplaceAll(withoutChecksum(full), "cv runs=2 folds=3 stratified", "predefined runs=2 folds=3 sha256=5f")))
	f.Add([]byte("learnbench-format: 2\n"))
	f.Add([]byte("PASS\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		reader := Reader{Limits: Limits{Cells: 1 << 16}}
		got, err := reader.Read(bytes.NewReader(data), "f.txt")
		if err != nil {
			requireError[*SyntaxError](t, err)
		}
		if !bytes.Contains(data, []byte("\r")) { // which may be a space or the end of a line
			slow, slowErr := reader.Read(strings.NewReader(long(string(data))), "f.txt")
			require.Equal(t, err == nil, slowErr == nil, "%v, %v", err, slowErr)
			if err == nil {
				require.Equal(t, contents(slow.Blocks()...), contents(got.Blocks()...))
			}
		}
		if err != nil || len(data) > maxLine/4 {
			return // escapes may lengthen a line beyond the limit
		}
		full := text(t, got.Blocks()...)
		again := readText(t, full)
		require.Equal(t, full, text(t, again.Blocks()...))
		require.Equal(t, contents(got.Blocks()...), contents(again.Blocks()...))
		_ = got.Check()
		for _, data := range got.DataSets() {
			for _, learner := range got.Learners(data) {
				sel := Selection{File: got, Data: data, Learner: learner}
				_, _ = Pair(sel, sel, got.Units()[0].Name)
			}
		}
	})
}

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
			requireError[*SyntaxError](t, err)
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
