package imports

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExpandPutsFilesInThePlaceOfDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"b.csv", "a.json.gz", "c.ARFF", "d.arff", "notes.txt", "e.gz",
		"f.csv.bak",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "sub.csv"), 0o777))
	got, err := Expand([]string{"none.csv", dir, "-"})
	require.NoError(t, err)
	require.Equal(t, []string{
		"none.csv", filepath.Join(dir, "a.json.gz"), filepath.Join(dir, "b.csv"),
		filepath.Join(dir, "d.arff"), "-",
	}, got)
	_, err = Expand([]string{filepath.Join(dir, "sub.csv")})
	require.ErrorContains(t, err, "sub.csv: no file in it ends with .csv, .tsv, .json, .jsonl or .arff, or with .gz behind that")
	_, err = Open(format(t, "weka"), Options{}, []string{filepath.Join(dir, "sub.csv")}, nil)
	require.ErrorContains(t, err, "no file in it ends with")
}

// Compressed text is unpacked from any reader, up to a limit.
func TestReadUnpacks(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "weka", "experiment.csv")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	pack := func(texts ...[]byte) *bytes.Buffer {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		for _, text := range texts {
			_, err := w.Write(text)
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		return &b
	}
	want, err := Read(format(t, "weka"), Options{}, Source{Name: path})
	require.NoError(t, err)
	got, err := Read(format(t, "weka"), Options{}, Source{Name: "<stdin>", Reader: pack(text)})
	require.NoError(t, err)
	require.Len(t, got.Blocks, len(want.Blocks))
	for i := range got.Blocks {
		require.Equal(t, want.Blocks[i].Checksum(), got.Blocks[i].Checksum())
	}
	_, err = Read(format(t, "weka"), Options{Limits: Limits{Bytes: 1 << 20}},
		Source{Name: "<stdin>", Reader: pack(text, []byte(strings.Repeat("\n", 1<<20)))})
	require.ErrorIs(t, err, ErrLimit)
	require.Equal(t, int64(minUnpacked), Limits{}.compressed(0).Bytes, "where there is no size")
	_, err = Read(format(t, "weka"), Options{},
		Source{Name: "<stdin>", Reader: strings.NewReader("\x1f\x8b")})
	require.ErrorContains(t, err, "<stdin>: ")
	_, err = Read(format(t, "weka"), Options{}, Source{Name: filepath.Join(t.TempDir(), "none.csv")})
	require.ErrorIs(t, err, os.ErrNotExist)
}
