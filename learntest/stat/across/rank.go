package across

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
	"github.com/learnbench/learnbench/learntest/unit"
)

// rankRows returns twice the ranks inside each row, 1 the best, and the tie
// sum of each. Ties are found in ascending order of the scores, so that the
// other direction mirrors the ranks.
func rankRows(scores [][]float64, better unit.Direction) (twice [][]int, ties []float64) {
	n, m := len(scores), len(scores[0])
	var r rank.Ranker
	ties = make([]float64, n)
	twice = make([][]int, n)
	cells := make([]int, n*m)
	slack := make([]float64, m)
	for i, row := range scores {
		for j, v := range row {
			slack[j] = rank.Slack(v, v)
		}
		twice[i] = cells[i*m : (i+1)*m : (i+1)*m]
		ties[i] = r.Midranks(row, slack, twice[i])
		if better == unit.Higher {
			for j := range twice[i] {
				twice[i][j] = 2*(m+1) - twice[i][j]
			}
		}
	}
	return twice, ties
}

// arrangements returns in how many different ways m ranks can be assigned
// whose midranks are half of the given ones: m!/Π t! over the groups of ties.
func arrangements(twice []int) float64 {
	sorted := slices.Sorted(slices.Values(twice))
	ways, run := 1.0, 0
	for i := range sorted {
		run++
		if i > 0 && sorted[i] != sorted[i-1] {
			run = 1
		}
		ways *= float64(i+1) / float64(run)
	}
	return ways
}

// blockSums sums up the deviations of ranks from their mean, n data sets by m
// learners, which are integers after doubling.
type blockSums struct {
	columns  []int64 // sum of each learner's deviations over the data sets
	total    float64 // sum of squares of all deviations
	between  float64 // sum of squares of columns
	residual float64 // n·total − between, without its cancellation

	// agree means that the deviations of all data sets are equal: just where residual is 0. It
	// is computed in integers.
	agree bool
}

// sumBlocks sums up the deviations at(i, j) of learner j on data set i.
func sumBlocks(n, m int, at func(i, j int) int64) blockSums {
	s := blockSums{columns: make([]int64, m), agree: true}
	for j := range s.columns {
		for i := range n {
			d := at(i, j)
			s.columns[j] += d
			s.total += float64(float64(d) * float64(d))
			s.agree = s.agree && d == at(0, j)
		}
		sum := float64(s.columns[j])
		s.between += float64(sum * sum)
	}
	for j, sum := range s.columns {
		for i := range n {
			d := float64(int64(n)*at(i, j) - sum)
			s.residual += float64(d * d)
		}
	}
	s.residual /= float64(n)
	return s
}

// agreementP returns the probability, if all orders of the learners are equally
// probable on each data set, that all data sets have the order of the first,
// whose doubled midranks these are.
func agreementP(n int, twice []int) float64 {
	return math.Pow(arrangements(twice), float64(1-n))
}
