package study

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run returns the report of a small study.
func runSmall(t *testing.T, name string, cfg Config) *Report {
	t.Helper()
	s, err := Lookup(name)
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

// number returns the cell of the row that begins with the given cells.
func (t *Table) cell(tb testing.TB, column string, row ...string) string {
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

func (t *Table) number(tb testing.TB, column string, row ...string) float64 {
	tb.Helper()
	x, err := strconv.ParseFloat(t.cell(tb, column, row...), 64)
	require.NoError(tb, err)
	return x
}

// Every printed figure of the examples comes out to its last digit, but for the two mean
// ranks that the paper cuts off instead of rounding them.
func TestBCMFiguresAreThePrinted(t *testing.T) {
	t.Parallel()
	var misprints []string
	held := 0
	for _, name := range []string{"bcm1", "bcm3"} {
		for _, table := range runSmall(t, name, Config{}).Tables {
			for _, row := range table.Rows {
				switch row[3] {
				case "none":
					held++
				case "":
				default:
					misprints = append(misprints, row[0]+": "+row[1])
				}
				if row[2] == "yes" || row[2] == "no" {
					assert.Equal(t, row[2], row[1], row[0])
				}
			}
		}
	}
	require.Equal(t, []string{"C1 C2 C3 C4, mean rank of C1: 2.51852", "C1 C2 C3 C4, mean rank of C3: 2.88889"}, misprints)
	require.Equal(t, 22, held)

	table := runSmall(t, "bcm-table1", Config{}).Tables[0]
	require.Len(t, table.Rows, 4)
	for _, row := range table.Rows {
		require.Equal(t, "0", row[7], "%v", row)
	}
	require.Equal(t, "3/5", table.cell(t, "Card=4", "C2 vs C4"))
}

func TestBCMExample2(t *testing.T) {
	t.Parallel()
	got := runSmall(t, "bcm2", Config{Parallel: 1})
	table := got.Tables[0]
	require.Equal(t, "0.9423", table.cell(t, "exact", "of the sign test"))
	for _, name := range []string{"of the sign test", "of the mean-ranks test"} {
		require.InDelta(t, 0, table.number(t, "in errors", name), 3, name)
	}
	require.Equal(t, got, runSmall(t, "bcm2", Config{Parallel: 4}))
	require.NotEqual(t, got, runSmall(t, "bcm2", Config{Seed: 2}))
}

// Mean ranks keep their level where all learners are equivalent, and not where others are
// between two of them; sign tests always do.
func TestBCMMeanRanksErrors(t *testing.T) {
	t.Parallel()
	table := runSmall(t, "bcm-mean-ranks", Config{}).Tables[0]
	require.Len(t, table.Rows, 8)
	for _, m := range []string{"3", "5"} {
		require.Less(t, table.number(t, "mean ranks, %", "all equivalent", m), 6.5)
		require.Less(t, table.number(t, "mean ranks, %", "all but one, which is the best", m), 3.0)
		require.Greater(t, table.number(t, "mean ranks, %", "two, the others between them", m), 6.5)
	}
	for _, row := range table.Rows {
		signs, err := strconv.ParseFloat(row[4], 64)
		require.NoError(t, err)
		require.Less(t, signs, 6.5, "%v", row)
	}
	require.Contains(t, table.Notes[1], "two, the others between them")
}

// Of how many draws something happens does not depend on how they are dealt out.
func TestDraws(t *testing.T) {
	t.Parallel()
	const n = 2*batch + 10
	for _, parallel := range []int{1, 3} {
		got, err := draws(t.Context(), Config{Parallel: parallel}, n, 2, 1, func(rng *rand.Rand, hit []int) error {
			hit[0]++
			hit[1] += index(rng.Float64() < 0.5)
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, proportion{n, n}, got[0])
		require.Equal(t, n, got[1].n)
		require.InDelta(t, 0.5, got[1].share(), 0.05)
	}
	// No draw is made twice.
	seen := make(map[uint64]bool)
	_, err := draws(t.Context(), Config{Parallel: 1}, n, 1, 1, func(rng *rand.Rand, _ []int) error {
		seen[rng.Uint64()] = true
		return nil
	})
	require.NoError(t, err)
	require.Len(t, seen, n)
}

func TestComputedStudiesRefuseWhatTheyDoNotHave(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bcm1", "bcm2", "bcm-mean-ranks"} {
		s, err := Lookup(name)
		require.NoError(t, err)
		_, err = s.Run(t.Context(), Config{Sets: 2})
		require.ErrorIs(t, err, ErrConfig, name)
		_, err = s.Run(t.Context(), Config{Parallel: -1})
		require.ErrorIs(t, err, ErrConfig, name)
	}
}
