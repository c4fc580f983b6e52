package stat_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// R. R. Bouckaert and E. Frank (2004), "Evaluating the replicability of
// significance tests for comparing learning algorithms".
//
// Reproduced: the foot of table 1, exactly, from the counts printed in it. The
// counts are of draws, tests that do not reject; R(k, n) and consistency are
// the same for either.
//
// Not reproducible from print: tables 2 to 5, whose counts are not given.
// Misprints and damage: "n degrees of freedom" of the corrected resampled test
// is n−1 (compare section 3.3); "R cannot be smaller than 0.5" holds for the
// probability, not for its estimate: R(5, 10), as of audiology under NB vs
// C4.5, is 4/9.
func TestBouckaertFrank2004Table1(t *testing.T) {
	t.Parallel()
	table := []struct {
		dataset string
		draws   [3]int // NB vs C4.5, NB vs NN, C4.5 vs NN
	}{
		{"anneal", [3]int{4, 4, 10}},
		{"arrhythmia", [3]int{9, 9, 2}},
		{"audiology", [3]int{5, 10, 8}},
		{"autos", [3]int{10, 7, 10}},
		{"balance-scale", [3]int{1, 4, 7}},
		{"breast-cancer", [3]int{10, 9, 8}},
		{"credit-rating", [3]int{6, 8, 10}},
		{"ecoli", [3]int{7, 10, 10}},
		{"German credit", [3]int{9, 6, 10}},
		{"glass", [3]int{6, 6, 9}},
		{"heart-statlog", [3]int{4, 5, 9}},
		{"hepatitis", [3]int{9, 10, 10}},
		{"horse-colic", [3]int{8, 10, 7}},
		{"Hungarian", [3]int{10, 10, 10}},
		{"ionosphere", [3]int{10, 10, 8}},
		{"iris", [3]int{10, 10, 10}},
		{"labor", [3]int{8, 10, 10}},
		{"lymphography", [3]int{9, 10, 10}},
		{"pima-diabetes", [3]int{10, 6, 7}},
		{"primary-tumor", [3]int{7, 3, 10}},
		{"sonar", [3]int{10, 9, 6}},
		{"soybean", [3]int{8, 8, 9}},
		{"vehicle", [3]int{0, 0, 9}},
		{"vote", [3]int{4, 9, 7}},
		{"vowel", [3]int{4, 0, 0}},
		{"Wisconsin", [3]int{8, 9, 10}},
		{"zoo", [3]int{10, 10, 8}},
	}
	for column, want := range []struct {
		consistent, almost int
		r                  string
	}{{9, 14, "0.737"}, {12, 17, "0.783"}, {13, 17, "0.816"}} {
		rejections := make([]int, len(table))
		for i, row := range table {
			rejections[i] = 10 - row.draws[column]
		}
		c, err := stat.ReplicabilityOver(rejections, 10)
		require.NoError(t, err)
		require.Equal(t, 27, c.Sets)
		require.Equal(t, want.consistent, c.Consistent)
		require.Equal(t, want.almost, c.AlmostConsistent)
		require.Equal(t, want.r, fmt.Sprintf("%.3f", c.R))
	}
}

// Section 2: R(k, n) against the binomial coefficients of its definition.
func TestBouckaertFrank2004Replicability(t *testing.T) {
	t.Parallel()
	pairs := func(n int) float64 { return float64(n * (n - 1) / 2) }
	for n := 2; n <= 30; n++ {
		for k := range n + 1 {
			r, err := stat.Replicability(k, n)
			require.NoError(t, err)
			require.InEpsilon(t, 1+(pairs(k)+pairs(n-k))/pairs(n), 1+r, 1e-15)
		}
	}
	r, err := stat.Replicability(5, 10)
	require.NoError(t, err)
	require.Equal(t, 4.0/9, r, "below one half, which the probability never is")
}
