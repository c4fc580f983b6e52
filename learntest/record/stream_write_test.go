package record

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A stream writes what Write does, but for the checksum; where the text is cut off, the whole
// trials in it are the written ones.
func TestStreamsWriteWhatWriteDoes(t *testing.T) {
	t.Parallel()
	s := sampleSet("a b", 2, 3, "c45", "n/b")
	s.fail(3, "boom\n")
	stream, err := NewStream(s.Header, s.Learners, s.Units, s.Examples)
	require.NoError(t, err)
	full := stream.AppendHead(nil)
	whole := ""
	for i, tr := range s.Trials {
		from := len(full)
		full, err = stream.AppendTrial(full, tr)
		require.NoError(t, err)
		for n := from; n < len(full)-1; n++ {
			require.Equal(t, whole, string(WholeTrials(full[:n])), "%d bytes of trial %d", n-from, i)
		}
		whole = string(full)
	}
	require.Equal(t, withoutChecksum(textOf(t, s)), whole)
	_, err = stream.AppendTrial(nil, s.Trials[2])
	require.ErrorIs(t, err, ErrDouble)
	_, err = NewStream(s.Header, []string{strings.Repeat("x", maxLine)}, s.Units, s.Examples)
	require.ErrorIs(t, err, ErrInvalid)
}

func TestNamesOfCells(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := Cell{
			Data: anyText().Draw(t, "data"), Learner: anyText().Draw(t, "learner"),
			Run: rapid.IntRange(1, maxCount).Draw(t, "run"), Fold: rapid.IntRange(1, maxCount).Draw(t,
				"fold"),
		}
		got, err := ParseCell(c.Name())
		require.NoError(t, err)
		require.Equal(t, c, got)
	})
	for _, name := range []string{
		"", "data=a", "data=a/learner=b/run=1",
		"data=a/learner=b/run=0/fold=1", "data=a/learner=b/run=1/fold=01",
		"data=%/learner=%zz/run=1/fold=1", "CV/data=a/learner=b/run=1/fold=1",
	} {
		_, err := ParseCell(name)
		require.Error(t, err, name)
	}
}

func TestNamesOfItems(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := Cell{
			Data: anyText().Draw(t, "data"), Learner: anyText().Draw(t, "learner"),
			Run:  rapid.IntRange(1, maxCount).Draw(t, "run"),
			Item: anyText().Filter(func(s string) bool { return s != "" }).Draw(t, "item"),
		}
		got, err := ParseCell(c.Name())
		require.NoError(t, err)
		require.Equal(t, c, got)
	})
	for _, name := range []string{
		"data=a/learner=b/item=c/repeat=0",
		"data=a/learner=b/item=c/repeat=x", "data=a/learner=b/item=%zz/repeat=1",
		"data=a/learner=b/item=/repeat=1",
	} {
		_, err := ParseCell(name)
		require.Error(t, err, name)
	}
}
