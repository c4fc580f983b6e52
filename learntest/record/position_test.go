package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// However the trials are ordered and whatever lies between them, each is where
// it says.
func TestPositionsInAnyFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := sampleSet("vehicle", 3, 2, "a", "b", "c").clone()
		for i := range s.Trials {
			if rapid.IntRange(0, 9).Draw(t, "fails") == 0 {
				s.fail(i, "boom")
			}
		}
		full := withoutChecksum(textOf(t, s))
		head, _, _ := strings.Cut(full, "error: ")
		head, _, _ = strings.Cut(head, "BenchmarkCV")
		lines := trialLines(full)
		switch rapid.IntRange(0, 3).Draw(t, "order") {
		case 0: // canonical, with gaps
			lines = slices.DeleteFunc(lines, func(string) bool {
				return rapid.IntRange(0, 5).Draw(t,
					"gone") == 0
			})
		case 1:
			lines = rapid.Permutation(lines).Draw(t, "lines")
		case 2: // from the middle on
			from := rapid.IntRange(0, len(lines)-1).Draw(t, "from")
			lines = slices.Concat(lines[from:], lines[:from])
		}
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		var b strings.Builder
		at := 0
		for at < len(lines) || at == 0 { // one block or several
			b.WriteString(strings.ReplaceAll(head, "\n", end))
			n := rapid.IntRange(1, 2*len(lines)+1).Draw(t, "trials")
			for ; n > 0 && at < len(lines); n-- {
				b.WriteString(strings.ReplaceAll(lines[at], "\n", end))
				at++
				if rapid.IntRange(0, 9).Draw(t, "blank") == 0 {
					b.WriteString(end)
				}
			}
			at = max(at, 1)
		}
		f := readText(t, b.String())
		requirePositions(t, b.String(), f)
		total := 0
		for _, b := range f.Blocks() {
			total += b.Len()
		}
		require.Equal(t, len(lines), total)
		for _, e := range f.Experiments() { // a union keeps positions
			require.Equal(t, f.Blocks()[0].Pos(), e.Pos())
			requireTrialPositions(t, b.String(), e)
		}
	})
}

func requireTrialPositions(t require.TestingT, full string, b *Block) {
	requirePositions(t, full, &File{blocks: []*Block{b}})
}

// trialLines returns the lines of each trial.
func trialLines(full string) []string {
	var lines []string
	cause := ""
	for line := range strings.Lines(full) {
		switch {
		case strings.HasPrefix(line, "error: "):
			cause = line
		case strings.HasPrefix(line, "BenchmarkCV") && cause != "":
			lines = append(lines, cause+line+"error:\n")
			cause = ""
		case strings.HasPrefix(line, "BenchmarkCV"):
			lines = append(lines, line)
		}
	}
	return lines
}

// The lines of canonical blocks cost no memory.
func TestPositionsOfCanonicalBlocksAreComputed(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 10, 10, "a", "b")
	b := readText(t, textOf(t, s)).Blocks()[0]
	require.Nil(t, b.origin.lines)
	require.Nil(t, b.table.slots)
	slices.Reverse(s.Trials)
	require.Nil(t, s.block(t).origin.lines)
}
