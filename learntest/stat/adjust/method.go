package adjust

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/stat"
)

// The errors of this package are wrapped with what was wrong where.
var (
	// ErrPValue means that a value is not a probability. If it is NaN or
	// infinite, the error is a [stat.ErrNotFinite] too.
	ErrPValue = errors.New("not a p-value")

	// ErrPairs means that the number of p-values is not the number of pairs out
	// of a number of learners.
	ErrPairs = errors.New("not all pairs")

	// ErrTooMany means that there are more p-values than the method can handle
	// in reasonable time.
	ErrTooMany = errors.New("too many p-values")

	// ErrUnknown is wrapped by the error about a name that no method has.
	ErrUnknown = errors.New("unknown adjustment")
)

// An ErrorRate is what a method keeps below the level of the tests.
type ErrorRate uint8

// The error rates.
const (
	Uncontrolled   ErrorRate = iota // none
	FamilyWise                      // probability of one or more false rejections
	FalseDiscovery                  // expected fraction of false ones among the rejections
)

// A Method is a way to adjust p-values. The zero Method adjusts nothing and
// is not in [Methods].
type Method struct {
	Name     string    // as in "holm"
	Doc      string    // one sentence: what it controls, under which assumption
	Controls ErrorRate // what is kept below the level

	// AllPairs says that the p-values must be those of all pairs of learners in
	// the order of [Pairs], and two-sided.
	AllPairs bool

	// Adjust returns the adjusted p-values in the order of p, and an error where
	// one of p is not a p-value or where there are too many or too few. No
	// p-values are adjusted to no p-values.
	Adjust func(p []float64) ([]float64, error)
}

// Methods returns all methods: first that which corrects nothing, then those that
// control the family-wise error rate, then those that control the false discovery rate.
func Methods() []Method {
	all := slices.Concat(
		noMethods(), singleStepMethods(), stepDownMethods(), stepUpMethods(), hommelMethods(), romMethods(), shafferMethods(), bergmannMethods(),
	)
	slices.SortStableFunc(all, func(a, b Method) int { return cmp.Compare(a.Controls, b.Controls) })
	return all
}

// Lookup returns the method of the given name. For a name that is not there the error
// wraps [ErrUnknown] and lists those that are.
func Lookup(name string) (Method, error) {
	return catalogue.Lookup(ErrUnknown, Methods(), func(m Method) string { return m.Name }, name)
}

// MustLookup is [Lookup] for names that are known to be there. It panics if one is
// not.
func MustLookup(name string) Method { return catalogue.Must(Lookup(name)) }

func noMethods() []Method {
	return []Method{
		{
			Name: "none", Controls: Uncontrolled, Adjust: None,
			Doc: "no correction: the p-values as they are",
		},
	}
}

// None returns the p-values unadjusted, after checking them.
func None(p []float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	return slices.Clone(p), nil
}

func check(p []float64) error {
	for i, v := range p {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("index %d: %w: %w: %v", i, ErrPValue, stat.ErrNotFinite, v)
		case v < 0 || v > 1:
			return fmt.Errorf("index %d: %w: %v is outside of [0, 1]", i, ErrPValue, v)
		}
	}
	return nil
}

// ascending returns the indices of p from the smallest p-value to the
// largest.
func ascending(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	return order
}

// single applies f to each p-value.
func single(p []float64, f func(p float64) float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = min(1, max(v, f(v)))
	}
	return out, nil
}

// stepDown gives the i-th smallest p-value, counted from 1, the greatest f(j,
// p_j) of all j ≤ i.
func stepDown(p []float64, f func(i int, p float64) float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	out := make([]float64, len(p))
	last := 0.0
	for i, k := range ascending(p) {
		last = min(1, max(last, p[k], f(i+1, p[k])))
		out[k] = last
	}
	return out, nil
}

// stepUp gives the i-th smallest p-value, counted from 1, the smallest f(j,
// p_j) of all j ≥ i.
func stepUp(p []float64, f func(i int, p float64) float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	out := make([]float64, len(p))
	order := ascending(p)
	last := 1.0
	for i := len(order) - 1; i >= 0; i-- {
		k := order[i]
		last = min(last, max(p[k], f(i+1, p[k])))
		out[k] = last
	}
	return out, nil
}

// anyOf returns 1 − (1−p)^n, the probability that the smallest of n
// independent p-values is at most p, without losing the digits of a small p.
func anyOf(n, p float64) float64 {
	return -math.Expm1(n * math.Log1p(-p))
}
