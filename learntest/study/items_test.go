package study

import (
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	itemsClusters = "False alarms with clusters"
	itemsMargins  = "False passes at a margin, and power"
	itemsBroken   = "False passes where whole clusters fail"
	itemsRepeats  = "False alarms with repeats"
	itemsSizes    = "False alarms with clusters whose sizes are given"
)

func itemsReport(t *testing.T, cfg Config) string {
	t.Helper()
	s, err := Lookup("items")
	require.NoError(t, err)
	r, err := s.Run(t.Context(), cfg)
	require.NoError(t, err)
	return "\n" + r.String() // the tables of pages follow a text
}

func TestItemsStudyIsAFunctionOfItsSeed(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	one := itemsReport(t, Config{Sets: 5, Parallel: 1})
	assert.Equal(t, one, itemsReport(t, Config{Sets: 5, Parallel: 4, Seed: 1}))
	assert.NotEqual(t, one, itemsReport(t, Config{Sets: 5, Seed: 2}))
	s, err := Lookup("items")
	require.NoError(t, err)
	for _, bad := range []Config{{Parallel: -1}, {Sets: -1}, {Store: "x"}} {
		_, err = s.Run(t.Context(), bad)
		require.ErrorIs(t, err, ErrConfig)
	}
}

// both returns the shares of the ordinary t and of items-t.
func both(t *testing.T, cell string) (ordinary, items float64) {
	t.Helper()
	a, b, ok := strings.Cut(cell, " ")
	require.True(t, ok, cell)
	return figure(t, a), figure(t, b)
}

// TestPublishedItemsReport checks what the page promises. The bounds allow for its Monte Carlo
// error, 0.2 in 100.
func TestPublishedItemsReport(t *testing.T) {
	t.Parallel()
	published, small := page(t, "docs/research/items.md"), itemsReport(t, Config{Small: true, Sets: 2})
	for _, title := range []string{itemsClusters, itemsMargins, itemsBroken, itemsRepeats, itemsSizes} {
		var now, then []string
		for _, r := range body(t, small, title) {
			now = append(now, r[0])
		}
		for _, r := range body(t, published, title) {
			then = append(then, r[0])
		}
		require.NotEmpty(t, then)
		assert.Equal(t, now, then, title)
	}
	// Another implementation has, with 40,000 data sets and sizes of its own, for 5 equal clusters
	// at most 6.1, and for 10, 20 and 50 at most 5.2.
	for _, r := range body(t, published, itemsClusters) {
		sizes, rest, _ := strings.Cut(r[0], ", ")
		clusters, _, _ := strings.Cut(rest, ", ")
		g, err := strconv.Atoi(clusters)
		require.NoError(t, err)
		alone, items := figure(t, r[1]), figure(t, r[5])
		assert.LessOrEqual(t, figure(t, r[6]), map[bool]float64{true: 7, false: 6}[g == 5], r)
		if g == 10 || g == 20 {
			assert.LessOrEqual(t, figure(t, r[7]), 6., r)
		} else {
			assert.Equal(t, "–", r[7], r)
		}
		assert.Greater(t, alone, 40., r)
		assert.LessOrEqual(t, items, map[bool]float64{true: 7, false: 6}[g == 5], r)
		if sizes == "equal" {
			assert.Greater(t, items, 3.5, r)
			assert.True(t, r[3] == r[5] || g == 5 && items < figure(t, r[3]),
				"with equal sizes t(G−1) is the test, but where all clusters are equal: %v", r)
		}
		if sizes == "one with half" && g == 50 {
			assert.Less(t, items, 3., r)
			assert.Greater(t, figure(t, r[2]), 15., r)
		}
	}
	// That implementation has 7.9, 6.7, 5.2 and 4.9 with one list of lognormal sizes each, which are
	// between the median and the worst of ours.
	for i, r := range body(t, published, itemsSizes) {
		other := []float64{7.9, 6.7, 5.2, 4.9}[i]
		median, most, worst := figure(t, r[1]), figure(t, r[2]), figure(t, r[3])
		assert.True(t, median <= most && most <= worst, r)
		assert.InDelta(t, 5, median, 0.5, r)
		assert.Less(t, median-0.3, other, r)
		assert.Less(t, other, worst, r)
		assert.LessOrEqual(t, worst, []float64{12, 9, 6.5, 6}[i], r)
	}
	worst := 0.
	for _, r := range body(t, published, itemsMargins) {
		for k, cell := range r[1:] {
			ordinary, items := both(t, cell)
			assert.LessOrEqual(t, items, ordinary, r)
			if strings.HasSuffix(r[0], "worse") {
				worst = max(worst, ordinary)
				assert.LessOrEqual(t, items, 7., r)
			} else if itemNumbers[k] >= 1000 {
				assert.InDelta(t, ordinary, items, 4., "the power is nearly equal: %v", r)
			}
		}
	}
	assert.Greater(t, worst, 80.)
	for _, r := range body(t, published, itemsBroken) {
		for _, cell := range r[1:] {
			_, items := both(t, cell)
			assert.LessOrEqual(t, items, 6.2, r)
		}
	}
	for _, r := range body(t, published, itemsRepeats) {
		assert.InDelta(t, 5, figure(t, r[4]), 1.3, r)
		if strings.HasPrefix(r[0], "items differ both ways, 10") {
			assert.Greater(t, figure(t, r[1]), 25., r)
			assert.Greater(t, figure(t, r[3]), 30., r)
		}
	}
}
