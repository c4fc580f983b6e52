package itemwise

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// A Noise splits the variance of a mean difference into a part of the repeats and a part of the
// items. Repeats narrow only the former.
type Noise struct {
	// Variance is SE²·N of the test: without clusters, the variance of the items' differences.
	Variance float64

	// Within is the part of Variance that comes from the repeats, and Between the rest, or 0 where
	// Within is larger. Both are NaN if an item has a single repeat on either side.
	Within, Between float64

	// Call is the variance of a single repeat, averaged over the items: of the candidate and of the
	// baseline. If clusters weigh equally, it is averaged by the squares of the items' weights, as
	// in SE.
	Call [2]float64
}

// Noise splits the variance behind r. It takes all repeats of the items, in the order of the
// differences.
//
// It returns an error that wraps [stat.ErrSampleSize] if there are not as many items as in r or an
// item has no repeat, and [stat.ErrNotFinite] if a score is NaN or infinite.
//
// Source: E. Miller (2024), "Adding error bars to evals: a statistical approach to language model
// evaluations".
func (r Result) Noise(candidate, baseline [][]float64) (Noise, error) {
	noise := Noise{Variance: r.SE * r.SE * float64(r.N)}
	for side, scores := range [][][]float64{candidate, baseline} {
		if len(scores) != r.N {
			return Noise{}, fmt.Errorf("%w: repeats of %d items for a test of %d", stat.ErrSampleSize,
				len(scores), r.N)
		}
		for i, x := range scores {
			if len(x) == 0 {
				return Noise{}, fmt.Errorf("%w: item %d has no repeat", stat.ErrSampleSize, i)
			}
			if k := sample.NotFinite(x); k >= 0 {
				return Noise{}, fmt.Errorf("%w: repeat %d of item %d is %v", stat.ErrNotFinite, k, i, x[k])
			}
			_, sd, _ := sample.MeanSD(x) // NaN of a single repeat
			variance := float64(sd*sd) / float64(r.N)
			if r.factors != nil {
				variance *= float64(r.factors[i] * r.factors[i])
			}
			noise.Call[side] += variance
			noise.Within += variance / float64(len(x))
		}
	}
	noise.Between = math.Max(0, noise.Variance-noise.Within)
	return noise, nil
}

// Share returns the share of the variance that comes from the repeats, at most 1. It is 0 if there
// is no variance, and NaN if the share is unknown.
func (n Noise) Share() float64 {
	if n.Variance == 0 {
		return n.Within * 0
	}
	return math.Min(n.Within/n.Variance, 1)
}

// SE returns the standard error that so many items of the same kind would have, with so many
// repeats on both sides, if their clusters grow in number and not in size. It is NaN if the parts
// of the variance are unknown.
func (n Noise) SE(items, repeats int) float64 {
	return math.Sqrt((n.Between + (n.Call[0]+n.Call[1])/float64(repeats)) / float64(items))
}
