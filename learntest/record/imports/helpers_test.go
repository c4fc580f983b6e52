package imports

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
)

// testdata returns the path of a file.
func testdata(names ...string) string {
	return filepath.Join(append([]string{"testdata"}, names...)...)
}

func format(t testing.TB, name string) Format {
	t.Helper()
	f, err := Lookup(name)
	require.NoError(t, err)
	return f
}

// open reads files, which must be read, and whose blocks must read back unchanged when written.
func open(t testing.TB, name string, o Options, paths, learners []string) *Results {
	t.Helper()
	res, err := Open(format(t, name), o, paths, learners)
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	return res
}

// readText reads a text as a file of the given format.
func readText(t testing.TB, name string, o Options, learner, text string) (*Results, error) {
	t.Helper()
	return Read(format(t, name), o, Source{
		Name: "f", Reader: strings.NewReader(text),
		Learner: learner,
	})
}

// requireStored requires that blocks are complete, and that they are written and read back
// unchanged.
func requireStored(t testing.TB, blocks []*record.Block) {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, record.Write(&text, blocks...))
	f, err := record.Read(bytes.NewReader(text.Bytes()), "stored")
	require.NoError(t, err)
	require.NoError(t, f.Check())
	require.Len(t, f.Blocks(), len(blocks))
	for i, b := range f.Blocks() {
		require.Equal(t, blocks[i].Header, b.Header)
		require.Equal(t, blocks[i].Learners, b.Learners)
		require.Equal(t, blocks[i].Units, b.Units)
		require.Equal(t, trials(blocks[i]), trials(b))
	}
}

// trials returns the trials of a block without their positions.
func trials(b *record.Block) []record.Trial {
	var all []record.Trial
	for t := range b.Trials() {
		t.Pos = record.Pos{}
		all = append(all, t)
	}
	return all
}

// scoresOf returns the scores of a learner in the n-th metric, by run and fold.
func scoresOf(b *record.Block, learner string, n int) []float64 {
	var all []float64
	for t := range b.Trials() {
		if t.Learner == learner && t.Err == "" {
			all = append(all, t.Values[n])
		}
	}
	return all
}
