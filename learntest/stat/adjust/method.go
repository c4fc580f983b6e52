package adjust

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/stat"
)

// ErrUnknown means that no method has the given name.
var ErrUnknown = errors.New("unknown adjustment")

// The causes of other errors.
var (
	errPValue  = errors.New("not a p-value")     // not a probability
	errPairs   = errors.New("not all pairs")     // not the number of pairs out of some learners
	errTooMany = errors.New("too many p-values") // more than the method handles in reasonable time
)

// A Method is a way to adjust p-values. The zero Method adjusts nothing and
// is not in [Methods].
type Method struct {
	Name string // as in "holm"
	Doc  string // one sentence: the error rate it controls, and under which assumption

	// FamilyWise means that the probability of one or more false rejections stays below the
	// level of the tests.
	FamilyWise bool

	// AllPairs means that the p-values must belong to all pairs of learners, in the order of
	// [Pairs], and be two-sided.
	AllPairs bool

	// Adjust returns the adjusted p-values in the order of p. It returns an error if an
	// element of p is not a p-value (the error wraps [stat.ErrNotFinite] for NaN and
	// infinities), if there are too many for the method, or if the method needs all pairs and
	// some are missing. An empty p has an empty result.
	Adjust func(p []float64) ([]float64, error)
}

// Methods returns all methods: first no correction, then the methods that control the
// family-wise error rate, then the methods that control the false discovery rate.
func Methods() []Method {
	return slices.Concat(
		noMethods(), singleStepMethods(), stepDownMethods(), hochbergMethods(), hommelMethods(),
		romMethods(), shafferMethods(),
		bergmannMethods(), falseDiscoveryMethods(),
	)
}

// Lookup returns the method of the given name. For an unknown name the error wraps
// [ErrUnknown], suggests the nearest name and lists all.
func Lookup(name string) (Method, error) {
	return catalogue.Lookup(ErrUnknown, Methods(), func(m Method) string { return m.Name }, name)
}

// MustLookup is [Lookup] for names that are known to exist. It panics on any other name.
func MustLookup(name string) Method { return catalogue.Must(Lookup(name)) }

func noMethods() []Method {
	return []Method{
		{
			Name: "none", Adjust: unadjusted,
			Doc: "no correction: the p-values unchanged",
		},
	}
}

// unadjusted returns the p-values unadjusted, after checking them.
func unadjusted(p []float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	return slices.Clone(p), nil
}

func check(p []float64) error {
	for i, v := range p {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("index %d: %w: %w: %v", i, errPValue, stat.ErrNotFinite, v)
		case v < 0 || v > 1:
			return fmt.Errorf("index %d: %w: %v is outside of [0, 1]", i, errPValue, v)
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
