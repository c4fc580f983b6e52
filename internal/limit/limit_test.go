package limit

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	l := Limit{Max: 3, What: "rows", Field: "Limits.Rows"}
	require.NoError(t, l.Check(3))
	err := l.Check(4)
	require.ErrorIs(t, err, Err)
	require.EqualError(t, err, "more than 3 rows: raise Limits.Rows if so many are meant")
}

// TestReader reads inputs shorter than the limit, as long and longer, in
// pieces of any size.
func TestReader(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 40, 40).Draw(t, "text")
		limit := Limit{Max: int64(rapid.IntRange(0, 40).Draw(t, "limit")), What: "bytes"}
		var in io.Reader = strings.NewReader(text)
		for _, wrap := range []func(io.Reader) io.Reader{
			iotest.OneByteReader, iotest.HalfReader,
			iotest.DataErrReader,
		} {
			if rapid.Bool().Draw(t, "wrap") {
				in = wrap(in)
			}
		}
		r := limit.Reader(in)
		got, err := io.ReadAll(r)
		want := text[:min(len(text), int(limit.Max))]
		require.Equal(t, want, string(got))
		require.Equal(t, int64(len(want)), r.Count())
		if len(text) <= int(limit.Max) {
			require.NoError(t, err)
			return
		}
		require.ErrorIs(t, err, Err)
		for range 2 { // a caller that reads on gets the same error, not what follows
			n, again := r.Read(make([]byte, 8))
			require.Zero(t, n)
			require.Equal(t, err, again)
		}
	})
}

func TestReaderPassesErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for max := range int64(3) {
		r := Limit{Max: max}.Reader(io.MultiReader(strings.NewReader("ab"[:max]),
			iotest.ErrReader(broken)))
		var got bytes.Buffer
		_, err := got.ReadFrom(r)
		require.ErrorIs(t, err, broken)
		require.Equal(t, "ab"[:max], got.String())
	}
}

func TestReaderTakesNoBytesForNone(t *testing.T) {
	t.Parallel()
	r := Limit{Max: 1}.Reader(strings.NewReader("ab"))
	n, err := r.Read(nil)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Zero(t, r.Count())
}
