// Package papertest runs parts of papers in tests, and finds cells in their tables.
package papertest

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/shelf"
	"github.com/stretchr/testify/require"
)

// RunSmall returns the report of a small study.
func RunSmall(t testing.TB, parts []paper.Part, name string, cfg lab.Config) *study.Report {
	t.Helper()
	s, err := paper.Find(parts, name)
	require.NoError(t, err)
	cfg.Small = true
	r, err := s.Run(t.Context(), cfg)
	require.NoError(t, err)
	require.NotEmpty(t, r.Tables)
	for _, table := range r.Tables {
		for _, row := range table.Rows {
			require.Len(t, row, len(table.Columns), table.Title)
		}
	}
	return r
}

// Table returns the table of a report whose title contains the text.
func Table(t testing.TB, r *study.Report, title string) *study.Table {
	t.Helper()
	i := slices.IndexFunc(r.Tables, func(table study.Table) bool {
		return strings.Contains(table.Title,
			title)
	})
	require.GreaterOrEqual(t, i, 0, title)
	return &r.Tables[i]
}

// Cell returns the cell of the row that begins with the given cells.
func Cell(tb testing.TB, t *study.Table, column string, row ...string) string {
	tb.Helper()
	for j, c := range t.Columns {
		if c != column {
			continue
		}
		for _, cells := range t.Rows {
			if strings.Join(cells[:len(row)], "\n") == strings.Join(row, "\n") {
				return cells[j]
			}
		}
	}
	require.Fail(tb, "no such cell", "%s: %s, %q", t.Title, column, row)
	return ""
}

// Number returns the number in a cell.
func Number(tb testing.TB, t *study.Table, column string, row ...string) float64 {
	tb.Helper()
	x, err := strconv.ParseFloat(Cell(tb, t, column, row...), 64)
	require.NoError(tb, err)
	return x
}

// Shelves returns the built-in data sets of the papers, and all of them if they are
// somewhere.
func Shelves(t testing.TB, wanted []shelf.Set) map[string]shelf.Shelf {
	t.Helper()
	dirs := map[string]string{"built in": ""}
	if shared := os.Getenv("LEARNBENCH_SHARED"); shared != "" {
		dirs["files"] = filepath.Join(shared, "data")
	}
	all := make(map[string]shelf.Shelf)
	for name, dir := range dirs {
		s, err := shelf.Open(lab.Config{Data: dir}, wanted)
		require.NoError(t, err)
		all[name] = s
	}
	return all
}
