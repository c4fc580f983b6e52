package benavoli2016

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/learnbench/learnbench/papers/internal/papertest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every printed figure of the examples comes out to its last digit, but for the two mean
// ranks that the paper cuts off instead of rounding them.
func TestBCMFiguresAreThePrinted(t *testing.T) {
	t.Parallel()
	var misprints []string
	held := 0
	for _, name := range []string{"bcm1", "bcm3"} {
		for _, table := range papertest.RunSmall(t, Parts(), name, lab.Config{}).Tables {
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
	require.Equal(t, []string{
		"C1 C2 C3 C4, mean rank of C1: 2.51852",
		"C1 C2 C3 C4, mean rank of C3: 2.88889",
	}, misprints)
	require.Equal(t, 22, held)

	table := papertest.RunSmall(t, Parts(), "bcm-table1", lab.Config{}).Tables[0]
	require.Len(t, table.Rows, 4)
	for _, row := range table.Rows {
		require.Equal(t, "0", row[7], "%v", row)
	}
	require.Equal(t, "3/5", papertest.Cell(t, &table, "Card=4", "C2 vs C4"))
}

func TestBCMExample2(t *testing.T) {
	t.Parallel()
	got := papertest.RunSmall(t, Parts(), "bcm2", lab.Config{Parallel: 1})
	table := got.Tables[0]
	require.Equal(t, "0.9423", papertest.Cell(t, &table, "exact", "of the sign test"))
	for _, name := range []string{"of the sign test", "of the mean-ranks test"} {
		require.InDelta(t, 0, papertest.Number(t, &table, "in errors", name), 3, name)
	}
	require.Equal(t, got, papertest.RunSmall(t, Parts(), "bcm2", lab.Config{Parallel: 4}))
	require.NotEqual(t, got, papertest.RunSmall(t, Parts(), "bcm2", lab.Config{Seed: 2}))
}

// Mean ranks keep their level where all learners are equivalent, and not where others are
// between two of them; sign tests always do.
func TestBCMMeanRanksErrors(t *testing.T) {
	t.Parallel()
	table := papertest.RunSmall(t, Parts(), "bcm-mean-ranks", lab.Config{}).Tables[0]
	require.Len(t, table.Rows, 8)
	for _, m := range []string{"3", "5"} {
		require.Less(t, papertest.Number(t, &table, "mean ranks, %", "all equivalent", m), 6.5)
		require.Less(t, papertest.Number(t, &table, "mean ranks, %", "all but one, which is the best", m),
			3.0)
		require.Greater(t, papertest.Number(t, &table, "mean ranks, %", "two, the others between them",
			m), 6.5)
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
		got, err := draws(t.Context(), lab.Config{Parallel: parallel}, n, 2, 1,
			func(rng *rand.Rand, hit []int) error {
				hit[0]++
				hit[1] += lab.Indicator(rng.Float64() < 0.5)
				return nil
			})
		require.NoError(t, err)
		require.Equal(t, lab.Proportion{K: n, N: n}, got[0])
		require.Equal(t, n, got[1].N)
		require.InDelta(t, 0.5, got[1].Share(), 0.05)
	}
	// No draw is made twice.
	seen := make(map[uint64]bool)
	_, err := draws(t.Context(), lab.Config{Parallel: 1}, n, 1, 1,
		func(rng *rand.Rand, _ []int) error {
			seen[rng.Uint64()] = true
			return nil
		})
	require.NoError(t, err)
	require.Len(t, seen, n)
}

func TestComputedStudiesRefuseWhatTheyDoNotHave(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bcm1", "bcm2", "bcm-mean-ranks"} {
		s, err := paper.Find(Parts(), name)
		require.NoError(t, err)
		_, err = s.Run(t.Context(), lab.Config{Sets: 2})
		require.ErrorIs(t, err, lab.ErrConfig, name)
		_, err = s.Run(t.Context(), lab.Config{Parallel: -1})
		require.ErrorIs(t, err, lab.ErrConfig, name)
	}
}
