package predictions

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/record"
)

// many returns predictions of two learners in three runs, 89% of them right.
func many(t testing.TB, n int) *Block {
	rng := rand.New(rand.NewPCG(3, 3))
	truth, of := make([]int, n), make([]uint16, n)
	for i := range truth {
		truth[i] = rng.IntN(2)
	}
	b, err := NewBlock(Header{
		Data: "made up", Examples: n, Classes: []string{"no", "yes"},
		Protocol:   "cv runs=3 folds=10 stratified seed=1 v1",
		DataDigest: strings.Repeat("ab", 32), SplitDigest: strings.Repeat("cd", 32),
	}, truth, nil)
	require.NoError(t, err)
	for run := 1; run <= 3; run++ {
		for i := range of {
			of[i] = uint16(rng.IntN(10)) + 1
		}
		require.NoError(t, b.SetFolds(run, of))
		for _, name := range []string{"a", "b"} {
			r := b.room(record.Cell{Learner: name, Run: run})
			for i := range r.codes {
				r.codes[i] = uint16(truth[i]) + firstClass
				if rng.IntN(100) < 11 {
					r.codes[i] = uint16(1-truth[i]) + firstClass
				}
			}
		}
	}
	return b
}

// Parts that are compressed apart are one gzip member with the text that they have otherwise, and
// shorter.
func TestLargeBlocksArePacked(t *testing.T) {
	t.Parallel()
	n := 20_000
	if citest.Has(citest.Slow) {
		n = chunk + 10_000
	}
	b := many(t, n)
	var packed, plain bytes.Buffer
	require.NoError(t, writeMember(&packed, true, true,
		func(w io.Writer) error { return Write(w, b) }))
	require.NoError(t, writeMember(&plain, true, false,
		func(w io.Writer) error { return Write(w, b) }))
	require.Less(t, float64(packed.Len()), 0.95*float64(plain.Len()))
	packed.WriteString("behind it")
	in, err := gzip.NewReader(&packed)
	require.NoError(t, err)
	in.Multistream(false)
	got, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, text(t, b), string(got))
	require.Equal(t, "behind it", packed.String())

	path := filepath.Join(t.TempDir(), "large.pred.gz")
	require.NoError(t, os.WriteFile(path, plain.Bytes(), 0o666))
	other := many(t, 10)
	other.Data = "small"
	require.NoError(t, Put(path, other)) // which keeps the bytes of the block before it
	read, err := Open(path)
	require.NoError(t, err)
	require.Len(t, read, 2)
	few := many(t, 300)
	for fails := range 100 {
		err := writeMember(new(bytes.Buffer), true, true, func(w io.Writer) error {
			p := w.(*packer)
			p.out = &failing{p.out, fails}
			if err := p.begin(levelOfLarge); err != nil {
				return err
			}
			return Write(w, few)
		})
		if err == nil {
			require.Greater(t, fails, 4, "parts are written")
			return
		}
		require.ErrorIs(t, err, io.ErrShortWrite)
	}
	t.Fatal("no write succeeds")
}

// A failing writer fails after some writes.
type failing struct {
	io.Writer
	left int
}

func (f *failing) Write(text []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return f.Writer.Write(text)
}
