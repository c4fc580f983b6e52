package dataset

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func TestOpenChoosesByExtension(t *testing.T) {
	t.Parallel()
	const csv = "temperature,windy,play\n20.5,no,yes\n?,yes,no\n-30,?,?\n"
	dir := t.TempDir()
	var digests []string
	for _, f := range []struct{ file, text, name string }{
		{"x.arff", weatherARFF, "weather"},
		{"x.ARFF.gz", gzipped(t, weatherARFF), "weather"},
		{"x.y.csv", csv, "x.y"},
		{"x.Csv.GZ", gzipped(t, csv), "x"},
	} {
		path := filepath.Join(dir, f.file)
		require.NoError(t, os.WriteFile(path, []byte(f.text), 0o600))
		table, err := Open(path, ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, f.name, table.Name())
		require.Equal(t, path, table.File())
		grouped, err := table.WithGroups("group", make([]string, table.Len()))
		require.NoError(t, err)
		require.Equal(t, path, grouped.File())
		digests = append(digests, digest(t, table))
	}
	for _, d := range digests {
		require.Equal(t, digests[0], d)
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	full := gzipped(t, weatherARFF)
	for _, f := range []struct{ file, text, err string }{
		{"a.txt", "", "a.txt: unknown extension: want .arff, .csv, .arff.gz or .csv.gz"},
		{"a.gz", "", "a.gz: unknown extension"},
		{"arff", "", "arff: unknown extension"},
		{"a.arff", "x", `a.arff:1: "x" in place of @relation`},
		{"a.csv", "a\nb,c\n", "a.csv:2:3: the row has 2 fields, the header has 1"},
		{"plain.arff.gz", weatherARFF, "plain.arff.gz: gzip: invalid header"},
		{"short.arff.gz", full[:len(full)-20], "short.arff.gz: after line "},
		{
			"damaged.arff.gz", full[:len(full)-8] + "12345678",
			"damaged.arff.gz: after line 11: gzip: invalid checksum",
		},
	} {
		path := filepath.Join(dir, f.file)
		require.NoError(t, os.WriteFile(path, []byte(f.text), 0o600))
		_, err := Open(path, ReadOptions{})
		require.ErrorContains(t, err, f.err)
		require.ErrorContains(t, err, dir)
	}
	_, err := Open(filepath.Join(dir, "none.csv"), ReadOptions{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// A test may change its directory after it has opened a table.
func TestFileIsAbsolute(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.csv", []byte("a,b\n1,2\n"), 0o666))
	dir, err := os.Getwd()
	require.NoError(t, err)
	table, err := Open("x.csv", ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "x.csv"), table.File())
}
