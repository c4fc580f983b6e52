package bouckaert2004

import (
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/papers/internal/prints"
	"github.com/stretchr/testify/require"
)

// R. R. Bouckaert and E. Frank (2004), "Evaluating the replicability of
// significance tests for comparing learning algorithms".
//
// Reproduced: the foot of table 1, exactly, from the counts printed in it. The
// counts are of draws, tests that do not reject; R(k, n) and consistency
// do not depend on which are counted.
//
// Not reproducible from print: tables 2 to 5, whose counts are not given.
// Misprints and damage: "n degrees of freedom" of the corrected resampled test
// is n−1 (compare section 3.3); "R cannot be smaller than 0.5" holds for the
// probability, not for its estimate: R(5, 10), as of audiology under NB vs
// C4.5, is 4/9.
func TestFootOfTable1(t *testing.T) {
	t.Parallel()
	table, foot := prints.Open("bf-table1"), prints.Open("bf-table1-foot")
	for _, pair := range table.Columns[4:] {
		rejections := make([]int, len(table.Rows))
		for i, row := range table.Rows {
			rejections[i] = 10 - table.Int(pair, row[0])
		}
		c, err := replicate.ReplicabilityOver(rejections, 10)
		require.NoError(t, err)
		require.Equal(t, 27, c.Sets)
		require.Equal(t, foot.Int(pair, "consistent"), c.Consistent)
		require.Equal(t, foot.Int(pair, "almost consistent"), c.AlmostConsistent)
		require.Equal(t, foot.Figure(pair, "R").Text, fmt.Sprintf("%.3f", c.R))
	}
}
