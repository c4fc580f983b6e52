package study

import (
	"fmt"
	"math"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const settleNormalTitle, settleRealTitle = "Normal differences", "Real comparisons"

func settleReport(t *testing.T, cfg Config) string {
	t.Helper()
	s, err := Lookup("settle")
	require.NoError(t, err)
	r, err := s.Run(t.Context(), cfg)
	require.NoError(t, err)
	return "\n" + r.String() // the tables of pages follow a text
}

// Figures of another implementation in another language: 100,000 replicates of the same model, in
// percent; all runs reject, the first reject, they differ, mean runs.
var settleElsewhere = map[string][4]float64{
	"0.0": {5.00, 5.06, 0.07, 5.7},
	"0.6": {43.5, 43.7, 0.21, 7.4},
	"0.9": {77.0, 77.1, 0.14, 6.6},
	"1.8": {100, 100, 0, 2.2},
}

// checkSettled checks the promises in a report of so many data sets.
func checkSettled(t *testing.T, report string, sets float64) {
	t.Helper()
	normal := body(t, report, settleNormalTitle)
	require.NotEmpty(t, normal)
	beside := 0
	for _, r := range normal {
		all, settled, differ, runs := figure(t, r[2]), figure(t, r[3]), figure(t, r[4]), figure(t, r[6])
		assert.LessOrEqual(t, differ, 100*settleError, r)
		assert.LessOrEqual(t, math.Abs(all-settled), differ+0.011, r)
		assert.True(t, runs >= 2 && runs < 8, r)
		want, ok := settleElsewhere[r[1]]
		if r[0] != "differs" || !ok {
			continue
		}
		beside++
		for i, got := range []float64{all, settled, differ} {
			// Both have a Monte Carlo error; printed are two digits here, and three there.
			p := math.Max(want[i], 0.02) / 100
			se := 100 * math.Sqrt(p*(1-p)*(1/sets+1e-5))
			assert.InDelta(t, want[i], got, 4*se+0.06, "%v: column %d", r, i+2)
		}
		assert.InDelta(t, want[3], runs, 0.15, r)
	}
	assert.Equal(t, len(settleElsewhere), beside)
}

func TestSettleStudyIsAFunctionOfItsSeed(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	one := settleReport(t, Config{Small: true, Sets: 60, Parallel: 1})
	assert.Equal(t, one, settleReport(t, Config{Small: true, Sets: 60, Parallel: 5, Seed: 1}))
	assert.NotEqual(t, one, settleReport(t, Config{Small: true, Sets: 60, Seed: 2}))
	s, err := Lookup("settle")
	require.NoError(t, err)
	for _, bad := range []Config{{Parallel: -1}, {Sets: -1}, {Store: "x"}} {
		_, err = s.Run(t.Context(), bad)
		require.ErrorIs(t, err, ErrConfig)
	}
}

func TestSettledVerdictsDifferAsSeldomAsPromised(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	checkSettled(t, settleReport(t, Config{Small: true, Sets: 10_000, Seed: 7}), 10_000)
}

// The published report keeps the promises, and is of the current study.
func TestPublishedSettleReport(t *testing.T) {
	t.Parallel()
	published := page(t, "docs/research/settle.md")
	small := settleReport(t, Config{Small: true, Sets: 64})
	label := func(report, title string, columns int) (labels [][]string) {
		for _, r := range body(t, report, title) {
			labels = append(labels, r[:columns])
		}
		return labels
	}
	assert.Equal(t, label(small, settleNormalTitle, 2), label(published, settleNormalTitle, 2))
	assert.Equal(t, label(small, settleRealTitle, 1), label(published, settleRealTitle, 1))
	checkSettled(t, published, 100_000)
	for _, r := range body(t, published, settleRealTitle) {
		n, differ, runs := figure(t, r[1]), figure(t, r[4]), figure(t, r[9])
		assert.GreaterOrEqual(t, n, 500.0, r)
		assert.LessOrEqual(t, differ, settleError*n, r)
		assert.LessOrEqual(t, runs, 6.0, r)
	}
}

// The page for users has the figures of the report.
func TestSettlePageHasThePublishedFigures(t *testing.T) {
	t.Parallel()
	text, published := page(t, "docs/settle.md"), page(t, "docs/research/settle.md")
	differs := body(t, published, settleRealTitle)[0]
	n, mean := figure(t, differs[1]), figure(t, differs[9])
	assert.Equal(t, "1", differs[4])
	assert.Contains(t, text, fmt.Sprintf("Over %d,%03d pairs of learners on real data sets the verdict took %.1f runs instead of 10, and one verdict", int(n)/1000, int(n)%1000, mean))
	normal := body(t, published, settleNormalTitle)
	assert.Contains(t, text, fmt.Sprintf("become %.1f%% on differences", figure(t, normal[0][3])))
	for i, saved := range map[int]float64{0: 0.4, 2: 0.25, 4: 0.8} {
		assert.InDelta(t, saved, 1-figure(t, normal[i][6])/10, 0.05, normal[i])
	}
}
