package itemwise

import (
	"fmt"
	"math"
	"sort"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A Plan asks how many items a test needs.
type Plan struct {
	// Variance is the variance of the difference on an item, such as the share of items on which
	// two systems with scores of 0 and 1 disagree. With clusters it is larger: SE²·N of a test.
	Variance float64

	// Independent is the number of independent clusters an item counts for: (DF+1)/N of a test, 1
	// without clusters.
	Independent float64

	// Alternative is TwoSided for a difference, and Greater for a margin.
	Alternative  stat.Alternative
	Alpha, Power float64

	// Worst is how much an item can lose. For a margin there are at least as many items, or
	// clusters, as show it where none of them differs. If zero, the score has no range.
	Worst float64
}

// Plan returns the plan for further tests of the kind of r.
func (r Result) Plan(alpha, power float64) Plan {
	return Plan{
		Variance: r.SE * r.SE * float64(r.N), Independent: (r.DF + 1) / float64(r.N),
		Alternative: r.Alternative, Alpha: alpha, Power: power,
	}
}

// mostItems is the largest number of items of a plan.
const mostItems = 1 << 30

// Items returns the smallest number of items with which the test detects a true difference of the
// given size with the plan's power. For a margin, it shows with this power that there is no loss of
// the size if there is no true difference.
//
// It returns an error that wraps [stat.ErrDomain] unless the difference is positive, the variance
// is not negative, Independent is positive and at most 1, and 0 < Alpha < Power < 1, and
// [stat.ErrSampleSize] if it takes more than 2^30 items.
func (p Plan) Items(difference float64) (int, error) {
	if err := p.check(difference); err != nil {
		return 0, err
	}
	least := int(math.Ceil(2 / p.Independent))
	if p.Alternative != stat.TwoSided && p.Worst > 0 && difference < p.Worst {
		clusters, err := stat.UnseenExamples(difference/p.Worst, p.Alpha)
		if err != nil {
			return 0, err
		}
		least = max(least, int(math.Ceil(float64(clusters)/p.Independent)))
	}
	var failed error
	enough := func(n int) bool {
		d, err := p.detectable(n)
		if err != nil {
			failed = err
		}
		return d <= difference
	}
	most := least
	for ; most < mostItems && !enough(most); most *= 2 {
	}
	if most >= mostItems {
		return 0, fmt.Errorf("%w: a difference of %v takes more than 2^30 items", stat.ErrSampleSize,
			difference)
	}
	return least + sort.Search(most-least, func(i int) bool { return enough(least + i) }), failed
}

func (p Plan) check(difference float64) error {
	switch {
	case !(difference > 0) || math.IsInf(difference, 1):
		return fmt.Errorf("%w: a difference of %v: it is positive", stat.ErrDomain, difference)
	case !(p.Variance >= 0) || math.IsInf(p.Variance, 1):
		return fmt.Errorf("%w: variance %v", stat.ErrDomain, p.Variance)
	case !(p.Independent > 0 && p.Independent <= 1):
		return fmt.Errorf("%w: an item counts for %v independent ones", stat.ErrDomain, p.Independent)
	case !(p.Worst >= 0) || math.IsInf(p.Worst, 1):
		return fmt.Errorf("%w: an item can lose %v", stat.ErrDomain, p.Worst)
	case !(p.Alpha > 0 && p.Alpha < p.Power && p.Power < 1):
		return fmt.Errorf("%w: need 0 < alpha < power < 1, not alpha %v and power %v", stat.ErrDomain,
			p.Alpha, p.Power)
	}
	return p.Alternative.Check()
}

// Detectable returns the smallest true difference that so many items detect with the plan's power.
// For a margin, it is the smallest margin that they show with this power if there is no true
// difference: with a Worst, it is at least the loss that would leave no trace in as many clusters.
//
// The errors are as for [Plan.Items]; it wraps [stat.ErrSampleSize] if the items count for less
// than two independent ones.
func (p Plan) Detectable(items int) (float64, error) {
	if err := p.check(1); err != nil {
		return 0, err
	}
	const rounding = 1e-9
	independent := float64(float64(items)*p.Independent) + rounding
	if independent < 2 {
		return 0, fmt.Errorf("%w: %d items count for %.3g independent ones, need at least 2",
			stat.ErrSampleSize, items, independent)
	}
	d, err := p.detectable(items)
	if err != nil || p.Alternative == stat.TwoSided || p.Worst == 0 {
		return d, err
	}
	unseen, err := stat.Unseen(int(independent), p.Alpha)
	return max(d, unseen*p.Worst), err
}

// detectable returns the difference that a test of n items detects.
func (p Plan) detectable(n int) (float64, error) {
	r := stat.Result{
		Test: "items-t", Alternative: p.Alternative, SE: math.Sqrt(p.Variance / float64(n)),
		DF: max(float64(float64(n)*p.Independent)-1, 1), DF2: math.NaN(),
	}
	return r.Detectable(p.Alpha, p.Power)
}
