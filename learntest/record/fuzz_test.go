package record

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Blocks that were read are written and read back unchanged, in the short form and
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
	f.Add([]byte(strings.ReplaceAll(withoutChecksum(full), "cv runs=2 folds=3 stratified",
		"predefined runs=2 folds=3 sha256=5f")))
	suite := text(f, sampleItems(f, 2, "agent", "b"))
	f.Add([]byte(suite))
	f.Add([]byte(withoutChecksum(suite)))
	f.Add([]byte(withoutChecksum(text(f, sampleItems(f, 1, "agent")))))
	hits, counts := hitsOf("mails", 2, 2, 6, accuracy, some, "a", "b c")
	right := text(f, counted(f, hits, counts))
	f.Add([]byte(right))
	f.Add([]byte(withoutChecksum(right)))
	f.Add([]byte(strings.ReplaceAll(withoutChecksum(right), "\n", "\r\n")))
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
				sel := got.Of(data, learner)
				_, _ = Pair(sel, sel, got.Units()[0].Name)
			}
		}
	})
}
