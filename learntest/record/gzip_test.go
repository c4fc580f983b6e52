package record

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func compress(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestCompressedFiles(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	require.NoError(t, Write(&text, sampleBlock(t, "vehicle", 3, 4, "nn", "c45")))
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "plain.dat"), filepath.Join(dir, "packed.txt.gz")
	require.NoError(t, os.WriteFile(plain, text.Bytes(), 0o666))
	require.NoError(t, os.WriteFile(packed, compress(t, text.Bytes()), 0o666))
	want, err := Open(plain)
	require.NoError(t, err)
	for _, path := range []string{packed, dir} { // the directory has one with the extension
		got, err := Open(path)
		require.NoError(t, err)
		require.Len(t, got.Blocks(), 1)
		assert.Equal(t, want.Blocks()[0].Checksum(), got.Blocks()[0].Checksum())
	}

	// Any cut or change is an error, and so is text that unpacks to too much.
	whole := compress(t, text.Bytes())
	for n := range len(whole) {
		_, err := Read(bytes.NewReader(whole[:n]), packed)
		require.Error(t, err, "%d of %d bytes", n, len(whole))
	}
	require.NoError(t, os.WriteFile(packed, whole[:len(whole)-1], 0o666))
	_, err = Open(packed)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	changed := bytes.Clone(whole)
	changed[len(changed)-6] ^= 1 // of the checksum
	require.NoError(t, os.WriteFile(packed, changed, 0o666))
	_, err = Open(packed)
	require.ErrorIs(t, err, gzip.ErrChecksum)
	require.ErrorContains(t, err, packed+": ")
	require.NoError(t, os.WriteFile(packed, compress(t, make([]byte, 1<<20)), 0o666))
	_, err = Reader{Limits: Limits{Bytes: 1 << 16}}.Open(packed)
	require.ErrorIs(t, err, ErrLimit)
}

// Without times a block has the same trials, and takes less room.
func TestReadWithoutTimes(t *testing.T) {
	t.Parallel()
	b := sampleBlock(t, "vehicle", 3, 4, "nn", "c45")
	require.False(t, b.Timeless)
	var text bytes.Buffer
	require.NoError(t, Write(&text, b, b))
	f, err := Reader{NoTimes: true}.Read(bytes.NewReader(text.Bytes()), "f.txt")
	require.NoError(t, err)
	for _, got := range f.Blocks() {
		assert.True(t, got.Timeless)
		assert.Equal(t, b.Checksum(), got.Checksum())
		assert.Equal(t, make([][]float64, len(b.Learners)), got.table.fit)
		for trial := range got.Trials() {
			assert.Zero(t, trial.FitSeconds)
		}
	}
	bad := bytes.Replace(text.Bytes(), []byte(" fit-sec/op"), []byte(" fit"), 1)
	_, err = Reader{NoTimes: true}.Read(bytes.NewReader(bad), "f.txt")
	require.Error(t, err)
}
