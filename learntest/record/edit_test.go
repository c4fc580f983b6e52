package record

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A file without checksums that was damaged in one place is rejected with a
// position, or valid: it is written and read back unchanged. A
// damage that leaves a trial out or doubles it is noticed.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 2, "c45", "nb")
	s.fail(5, "boom")
	full := withoutChecksum(textOf(t, s, sampleSet("iris", 1, 2, "c45", "nb")))
	lines := strings.SplitAfter(full, "\n")
	rapid.Check(t, func(t *rapid.T) {
		var damaged string
		i := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
		before, after := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
		at := rapid.IntRange(0, len(lines[i])-1).Draw(t, "column")
		kind := rapid.SampledFrom([]string{
			"cut", "drop line", "double line", "drop byte", "change byte",
			"swap",
		}).Draw(t, "damage")
		switch kind {
		case "cut":
			damaged = before + lines[i][:at]
		case "drop line":
			damaged = before + after
		case "double line":
			damaged = before + lines[i] + lines[i] + after
		case "drop byte":
			damaged = before + lines[i][:at] + lines[i][at+1:] + after
		case "change byte":
			damaged = before + lines[i][:at] + string(rapid.Byte().Draw(t, "byte")) + lines[i][at+1:] + after
		case "swap":
			damaged = before + lines[i+1] + lines[i] + strings.Join(lines[i+2:], "")
		}
		f, err := Read(strings.NewReader(damaged), "f.txt")
		if err != nil {
			e, ok := err.(*SyntaxError)
			require.True(t, ok)
			require.Equal(t, "f.txt", e.File)
			require.LessOrEqual(t, e.Line, strings.Count(damaged, "\n")+1)
			require.Positive(t, e.Line)
			return
		}
		again := text(t, f.Blocks()...)
		require.Equal(t, again, text(t, readText(t, again).Blocks()...))
		trialLine := strings.HasPrefix(lines[i], "Benchmark")
		switch {
		case kind == "cut":
			// Only a cut between two blocks leaves a file that is complete.
			whole := strings.HasPrefix(full, strings.TrimRight(damaged, "\n")+"\n\nlearnbench-format")
			require.Equal(t, whole, f.Check() == nil)
		case (kind == "drop line" || kind == "double line") && trialLine:
			require.Error(t, f.Check())
		}
	})
}
