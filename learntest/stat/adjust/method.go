package adjust

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

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

	// ErrUnknownMethod is returned by [Lookup].
	ErrUnknownMethod = errors.New("unknown adjustment")
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

// Methods returns all methods, the most conservative of each kind first.
func Methods() []Method {
	return []Method{
		{
			Name: "none", Controls: Uncontrolled, Adjust: None,
			Doc: "no correction: the p-values as they are",
		},
		{
			Name: "bonferroni", Controls: FamilyWise, Adjust: Bonferroni,
			Doc: "single step; family-wise under any dependence",
		},
		{
			Name: "sidak", Controls: FamilyWise, Adjust: Sidak,
			Doc: "single step; family-wise under independence or positive orthant dependence",
		},
		{
			Name: "holm", Controls: FamilyWise, Adjust: Holm,
			Doc: "step-down; family-wise under any dependence",
		},
		{
			Name: "holm-sidak", Controls: FamilyWise, Adjust: HolmSidak,
			Doc: "step-down; family-wise under independence or positive orthant dependence",
		},
		{
			Name: "finner", Controls: FamilyWise, Adjust: Finner,
			Doc: "step-down; family-wise under independence",
		},
		{
			Name: "hochberg", Controls: FamilyWise, Adjust: Hochberg,
			Doc: "step-up; family-wise under independence or positive dependence",
		},
		{
			Name: "hommel", Controls: FamilyWise, Adjust: Hommel,
			Doc: "closed Simes tests; family-wise under independence or positive dependence",
		},
		{
			Name: "rom", Controls: FamilyWise, Adjust: Rom,
			Doc: "step-up with exact critical values; family-wise under independence",
		},
		{
			Name: "li", Controls: FamilyWise, Adjust: Li,
			Doc: "two steps, judged by the largest p-value; family-wise under independence",
		},
		{
			Name: "shaffer", Controls: FamilyWise, AllPairs: true, Adjust: Shaffer,
			Doc: "step-down over all pairs of learners; family-wise under any dependence",
		},
		{
			Name: "bergmann-hommel", Controls: FamilyWise, AllPairs: true, Adjust: BergmannHommel,
			Doc: "closed test over all pairs of learners; family-wise under any dependence",
		},
		{
			Name: "benjamini-hochberg", Controls: FalseDiscovery, Adjust: BenjaminiHochberg,
			Doc: "step-up; false discovery rate under independence or positive dependence",
		},
		{
			Name: "benjamini-yekutieli", Controls: FalseDiscovery, Adjust: BenjaminiYekutieli,
			Doc: "step-up; false discovery rate under any dependence",
		},
	}
}

// MustLookup is [Lookup] for names that are known to be there. It panics if one is
// not.
func MustLookup(name string) Method {
	m, err := Lookup(name)
	if err != nil {
		panic(err)
	}
	return m
}

// Lookup returns the method of the given name. The error, an
// [ErrUnknownMethod], lists the names that there are.
func Lookup(name string) (Method, error) {
	methods := Methods()
	names := make([]string, len(methods))
	for i, m := range methods {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	return Method{}, fmt.Errorf("%w %q; there are %s", ErrUnknownMethod, name, strings.Join(names, ", "))
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
