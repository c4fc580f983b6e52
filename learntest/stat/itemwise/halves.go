package itemwise

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/stat"
)

// Halves compares a system with itself: it splits the repeats of each item at random into halves,
// as equal as can be, and tests the difference between their means, so many times. It returns the
// share of tests whose two-sided P is at most alpha, which is the real level of the test on these
// items, as far as the answers to an item do not depend on those to others.
//
// It takes the scores of all repeats by item, and clusters and weight as [Data] has them. Equal
// seeds give equal shares.
//
// It returns an error that wraps [stat.ErrDomain] unless alpha is between 0 and 1 and there is a
// try, [stat.ErrSampleSize] if an item has fewer than two repeats, and the errors of [Prepare].
func Halves(scores [][]float64, clusters []int, weight Weight, alpha float64, tries int,
	seed uint64,
) (float64, error) {
	if !(alpha > 0 && alpha < 1) || tries < 1 {
		return 0, fmt.Errorf("%w: level %v and %d tries", stat.ErrDomain, alpha, tries)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	d := Data{Differences: make([]float64, len(scores)), Clusters: clusters, Weight: weight}
	shuffled := make([][]float64, len(scores))
	for i, x := range scores {
		if len(x) < 2 {
			return 0, fmt.Errorf("%w: item %d has %d repeats, need at least 2", stat.ErrSampleSize, i,
				len(x))
		}
		shuffled[i] = append(shuffled[i], x...)
		for _, y := range x {
			d.Scale = max(d.Scale, y, -y)
		}
	}
	significant := 0
	for range tries {
		for i, x := range shuffled {
			random.Shuffle(len(x), func(a, b int) { x[a], x[b] = x[b], x[a] })
			half := len(x) / 2
			d.Differences[i] = mean(x[half:]) - mean(x[:half])
		}
		s, err := Prepare(d)
		if err != nil {
			return 0, err
		}
		r, err := s.Test(0, stat.TwoSided)
		if err != nil && !errors.Is(err, stat.ErrZeroVariance) {
			return 0, err
		}
		if err == nil && r.P <= alpha {
			significant++
		}
	}
	return float64(significant) / float64(tries), nil
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, y := range x {
		sum += y
	}
	return sum / float64(len(x))
}
