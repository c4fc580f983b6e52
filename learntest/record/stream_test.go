package record

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// A gate counts how much of its text has been read.
type gate struct {
	text string
	read int
}

func (g *gate) Read(b []byte) (int, error) {
	if g.read == len(g.text) {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), 64)], g.text[g.read:])
	g.read += n
	return n, nil
}

func TestBlocksComeBeforeTheRestIsRead(t *testing.T) {
	t.Parallel()
	one := textOf(t, sampleSet("vehicle", 3, 4, "a", "b"))
	g := &gate{text: strings.Repeat(one, 4)}
	n := 0
	for b, err := range (Reader{}).Blocks(g, "f.txt") {
		require.NoError(t, err)
		require.Equal(t, 24, b.Len())
		n++
		require.Less(t, g.read, min(n*len(one)+150, len(g.text)+1))
	}
	require.Equal(t, 4, n)
	g.read, n = 0, 0
	for range (Reader{}).Blocks(g, "f.txt") { // who has enough stops
		n++
		break
	}
	require.Equal(t, 1, n)
	require.Less(t, g.read, len(one)+150)
}

func TestBlocksBeforeAnErrorAreYielded(t *testing.T) {
	t.Parallel()
	one := textOf(t, sampleSet("vehicle", 1, 2, "a"))
	spoilt := strings.Replace(one, "run=1/fold=2", "run=1/fold=3", 1)
	broken := errors.New("the disk is gone")
	for name, c := range map[string]struct {
		in   io.Reader
		kind error
	}{
		"of the format": {strings.NewReader(one + one + spoilt + one), nil},
		"of the input": {
			io.MultiReader(strings.NewReader(one+one+one), iotest.ErrReader(broken)),
			broken,
		},
		"within a line": {io.MultiReader(strings.NewReader(one+one+one[:len(one)-9]),
			iotest.ErrReader(broken)), broken},
		"of the end": {strings.NewReader(one + one + one[:len(one)-1]), nil},
		"of the checksum": {
			strings.NewReader(one + one + strings.Replace(one, " 0.", " 0.0", 1)),
			ErrChecksum,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var last error
			blocks := 0
			for b, err := range (Reader{}).Blocks(c.in, "f.txt") {
				require.NoError(t, last, "it ends after an error")
				if last = err; err == nil {
					require.Equal(t, 2, b.Len())
					blocks++
				} else {
					require.Nil(t, b)
				}
			}
			require.Error(t, last)
			require.Equal(t, 2, blocks)
			if c.kind != nil {
				require.ErrorIs(t, last, c.kind)
			}
			if c.kind == broken {
				require.EqualError(t, last, "f.txt: the disk is gone")
			} else {
				requireError[*SyntaxError](t, last)
			}
		})
	}
}

func TestReadFromAnyReader(t *testing.T) {
	t.Parallel()
	s, other := sampleSet("vehicle", 3, 4, "a", "b"), sampleSet("iris", 40, 40, "a", "b")
	s.fail(3, "boom")
	full := textOf(t, s, other, s) // longer than a buffer
	require.Greater(t, len(full), 256<<10)
	want := contents(readText(t, full).Blocks()...)
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"byte by byte": iotest.OneByteReader, "by halves": iotest.HalfReader,
		"end with data": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := Read(wrap(strings.NewReader(full)), "f.txt")
			require.NoError(t, err)
			require.Equal(t, want, contents(f.Blocks()...))
			requirePositions(t, full, f)
		})
	}
	_, err := Read(iotest.TimeoutReader(iotest.HalfReader(strings.NewReader(full))), "f.txt")
	require.ErrorIs(t, err, iotest.ErrTimeout)
}
