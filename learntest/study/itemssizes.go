package study

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

// itemsDrawings is the number of lists of cluster sizes of which sizeLevels measures each.
const itemsDrawings = 40

// sizeLevels measures items-t with sizes of clusters that are equal in all data sets, as a
// user's do: clusterLevels draws lognormal sizes anew for each data set, and so averages over them.
func sizeLevels(sets int) itemsTable {
	lognormal := clusterSizes[1]
	var t itemsTable
	for _, clusters := range clusterNumbers {
		for drawing := range itemsDrawings {
			sizes := lognormal.draw(rand.New(rand.NewPCG(uint64(clusters), uint64(drawing))), clusters)
			t.cells = append(t.cells, &itemsCell{
				sets: sets, tests: len(itemScores()) * len(clusterCorrelations),
				draw: func(r *rand.Rand, reject []bool) error { return judgeSizes(r, sizes, reject) },
			})
		}
	}
	t.print = func() Table {
		table := Table{
			Title: "False alarms with clusters whose sizes are given",
			Notes: []string{fmt.Sprintf(
				"As above by items-t, but the sizes are drawn once and stay: %d lists of lognormal sizes for each number of clusters. In percent, the largest share of the three correlations and the three kinds of scores; of these the median list, the list that a tenth of them exceed, and the worst, all less or more by chance. %s",
				itemsDrawings, ofSets(sets))},
			Columns: []string{"clusters", "median list", "nine tenths of the lists", "worst list"},
		}
		for i, clusters := range clusterNumbers {
			worst := make([]float64, itemsDrawings)
			for k, c := range t.cells[i*itemsDrawings : (i+1)*itemsDrawings] {
				for test := range c.tests {
					worst[k] = max(worst[k], c.percent(test))
				}
			}
			slices.Sort(worst)
			table.Add(fmt.Sprint(clusters), lab.Figure(worst[itemsDrawings/2-1], 1),
				lab.Figure(worst[itemsDrawings*9/10-1], 1), lab.Figure(worst[itemsDrawings-1], 1))
		}
		return table
	}
	return t
}

// judgeSizes tests the differences of items of each kind of scores and correlation.
func judgeSizes(r *rand.Rand, sizes []int, reject []bool) error {
	for i, score := range itemScores() {
		for j, icc := range clusterCorrelations {
			s, err := itemwise.Prepare(score.sample(r, sizes, icc))
			if err != nil {
				return err
			}
			result, err := s.Test(0, stat.TwoSided)
			if err != nil {
				return err
			}
			reject[i*len(clusterCorrelations)+j] = result.P <= gateLevel
		}
	}
	return nil
}
