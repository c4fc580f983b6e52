package learnbench_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/learnbench/learnbench/learntest/items"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// TestPublishedItems checks the page on agents: so many items show a margin if none of them
// differs, and one fewer does not.
func TestPublishedItems(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/items.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (\d+) points? \| (\d+) \|$`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, 5)
	for _, row := range rows {
		points, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		n, err := strconv.Atoi(row[2])
		require.NoError(t, err)
		for _, fewer := range []int{0, 1} {
			suite := make([]record.Item, n-fewer)
			for i := range suite {
				suite[i] = record.Item{ID: fmt.Sprint(i), Content: "01234567"}
			}
			claim := verdict.Claim{Kind: verdict.NoRegression, Margin: float64(points) / 100}
			note, err := claim.ForItems(new(record.Header), items.Correct(), suite)
			require.NoError(t, err)
			require.Equal(t, fewer == 1, note != "", "%d items, %d points: %s", n-fewer, points, note)
		}
	}
}
