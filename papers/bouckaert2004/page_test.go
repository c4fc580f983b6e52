package bouckaert2004

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/papers/internal/simulation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page has table 5 and the print beside it, and counts the cells that differ by more than two
// errors, with the networks of the table and with denser ones.
func TestPageCountsCellsOfTable5(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "research", "studies.md"))
	require.NoError(t, err)
	rows := func(title string) (found [][]string) {
		_, section, ok := strings.Cut(string(text), "\n## "+title+"\n")
		require.True(t, ok, title)
		section, _, _ = strings.Cut(section, "\n## ")
		for line := range strings.Lines(section) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			if slices.ContainsFunc(simulation.Tests(),
				func(test simulation.Repeated) bool { return test.Name == cells[0] }) {
				found = append(found, cells)
			}
		}
		require.Len(t, found, len(simulation.Tests()), title)
		return found
	}
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return x
	}
	sparse, dense := rows("Table 5 of Bouckaert & Frank 2004: consistency"),
		rows("The same table with denser networks")
	misses := func(percent, printed float64) int {
		ours := lab.Proportion{
			K: int(math.Round(percent / 100 * simulation.PrintedSets)),
			N: simulation.PrintedSets,
		}
		theirs := lab.Proportion{
			K: int(math.Round(printed / 100 * simulation.PrintedSets)),
			N: simulation.PrintedSets,
		}
		return lab.Indicator(math.Abs(ours.Share()-theirs.Share()) > 2*math.Hypot(ours.SE(), theirs.SE()))
	}
	var before, after, cells int
	for j, printed := range simulation.PrintedConsistencies() {
		var found []float64
		for i := range 4 {
			ours, theirs, _ := strings.Cut(sparse[j][1+i], " ")
			require.Equal(t, fmt.Sprintf("(%.1f)", printed[i]), theirs)
			found = append(found, number(ours))
		}
		require.Equal(t, fmt.Sprintf("%.1f (%.1f)", slices.Min(found), slices.Min(printed[:])),
			sparse[j][5])
		count := func() (n int) {
			for i := range found {
				n += misses(found[i], printed[i])
			}
			return n + misses(slices.Min(found), slices.Min(printed[:]))
		}
		before += count()
		for i, source := range []int{1, 2} {
			ours, theirs, _ := strings.Cut(dense[j][1+2*i], " ")
			require.Equal(t, fmt.Sprintf("(%.1f)", printed[source]), theirs)
			found[source] = number(ours)
			p := lab.Proportion{
				K: int(math.Round(found[source] / 100 * simulation.PrintedSets)),
				N: simulation.PrintedSets,
			}
			assert.Equal(t, p.Beside(printed[source], simulation.PrintedSets)[3],
				strings.ReplaceAll(dense[j][2+2*i], "−", "-"), "%s, dense%d", sparse[j][0], source+1)
		}
		after += count()
		cells += 1 + len(found)
	}
	assert.Contains(t, string(text),
		fmt.Sprintf("Of the %d cells %d differ from the print by more than two errors", cells, before))
	assert.Contains(t, string(text), fmt.Sprintf("%d of the %d cells differ by more than two errors",
		after, cells))
}
