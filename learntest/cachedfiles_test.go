package learntest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const filesTest = `package against

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

type row struct {
	X float64
	Y string ` + "`csv:\",label\"`" + `
}

// Before the tests, where go test does not look.
var (
	rows, rowsErr   = learntest.CSV[row, string]("rows.csv")
	table, tableErr = dataset.Open("table.csv", dataset.ReadOptions{})
)

func TestRows(t *testing.T) {
	if rowsErr != nil {
		t.Fatal(rowsErr)
	}
	a := learntest.Pretrained("a", func(row) string { return "a" })
	b := learntest.Pretrained("b", func(row) string { return "b" })
	learntest.CompareWith(t, learntest.Config{NoClaim: true, Protocol: split.CV(2, 2)}, rows, a, b)
}

func TestTable(t *testing.T) { compare(t, table, tableErr) }

func TestWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "written.csv")
	if err := os.WriteFile(path, []byte("X,Y\n1,a\n2,b\n3,a\n4,b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	written, err := dataset.Open(path, dataset.ReadOptions{})
	compare(t, written, err)
}

func compare(t *testing.T, table *dataset.Table, err error) {
	if err != nil {
		t.Fatal(err)
	}
	a := learntest.Pretrained("a", func(dataset.Row) int { return 0 })
	b := learntest.Pretrained("b", func(dataset.Row) int { return 1 })
	learntest.CompareWith(t, learntest.Config{NoClaim: true, Protocol: split.CV(2, 2)}, table, a, b)
}
`

// TestCacheSeesTheFiles reads files before the tests begin: if one of them has changed, the tests
// run again, and if none has, they do not.
func TestCacheSeesTheFiles(t *testing.T) {
	t.Parallel()
	dir := moduleDir(t)
	source := filepath.Join(dir, "files_test.go")
	require.NoError(t, os.WriteFile(source, []byte(filesTest), 0o666))
	pkg := "./" + filepath.ToSlash(dir)
	write := func(path, last string, age time.Duration) {
		require.NoError(t, os.WriteFile(path, []byte("X,Y\n1,a\n2,b\n3,a\n"+last+"\n"), 0o666))
		then := time.Now().Add(-age) // go test caches nothing that reads a file younger than 2 s
		require.NoError(t, os.Chtimes(path, then, then))
	}
	write(filepath.Join(dir, "rows.csv"), "4,b", 2*time.Hour)
	write(filepath.Join(dir, "table.csv"), "4,b", 2*time.Hour)
	for _, changed := range []string{"", "rows.csv", "table.csv"} {
		if changed != "" {
			write(filepath.Join(dir, changed), "5,b", time.Hour)
		}
		for j := range 2 {
			out, ok := goTest(t, []string{pkg})
			require.True(t, ok, out)
			assert.Equal(t, j > 0, strings.Contains(out, "(cached)"), "%s: %s", changed, out)
		}
	}

	outside, text := t.TempDir(), filesTest
	for _, name := range []string{"rows.csv", "table.csv"} {
		path := filepath.Join(outside, name)
		write(path, "4,b", time.Hour)
		text = strings.ReplaceAll(text, strconv.Quote(name), strconv.Quote(path))
	}
	require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
	out, ok := goTest(t, []string{pkg})
	require.False(t, ok, out)
	require.Equal(t, 2, strings.Count(out, "--- FAIL"), out)
	for _, name := range []string{"rows.csv", "table.csv"} {
		require.Contains(t, out, filepath.Join(outside,
			name)+" lies outside of the module: add -count=1: the cache does not look at it")
	}
	out, ok = goTest(t, []string{"-count=1", pkg})
	require.True(t, ok, out)
}
