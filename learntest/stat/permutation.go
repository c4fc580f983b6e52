package stat

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
)

const (
	exactPermutations = 30     // most differences for which all sign changes are counted
	permutationDraws  = 100000 // draws beyond
	permutationSeed   = 1
)

func permutationTests() []Test {
	return []Test{{
		Name:   "permutation",
		Doc:    "sign-flip permutation test of the mean: for independent differences; naive under cross-validation",
		Naive:  true,
		Design: designFolds("permutation", 1, 1),
		Run:    PermutationTest,
	}}
}

// PermutationTest is the sign-flip permutation test of the mean. Under the null hypothesis
// the differences are independent and symmetric about zero, so that either sign of each is
// equally likely. P is the share of the 2^n sign changes whose mean is at least as extreme
// as the observed one. Means that differ by no more than [TieTolerance] of d.Scale (or of
// the largest difference) count as equal.
//
// Under cross-validation the differences are not independent, and the test is as naive as
// [PairedTTest].
//
// Up to 30 differences P is exact: the sums of each half are listed in order and pairs of
// them counted, in O(2^(n/2)). Beyond, P is estimated from 100000 seeded random sign
// changes as in [MonteCarloPermutationTest]. Statistic is the mean; SE is NaN: there is no
// interval.
//
// d may have any shape of at least one difference; d.Ratio is not used. The errors are as
// for [CorrectedCVTTest], without [ErrDesign]. Special case: if all differences are zero, P
// is 1.
//
// Source: R. A. Fisher (1935), "The design of experiments", section 21.
func PermutationTest(d Differences, alt Alternative) (Result, error) {
	if len(d.X) > exactPermutations {
		return MonteCarloPermutationTest(d, alt, permutationDraws, permutationSeed)
	}
	r, observed, tol, err := d.permutation(alt)
	if err != nil {
		return Result{}, err
	}
	half := len(d.X) / 2
	a, b := signedSums(d.X[:half]), signedSums(d.X[half:])
	r.P = shareAbove(a, b, observed-tol)
	if alt == TwoSided {
		r.P = min(1, 2*r.P) // the distribution is symmetric
	}
	r.Exact = true
	return r, nil
}

// MonteCarloPermutationTest is [PermutationTest] with P estimated from the given number of
// random sign changes, (1 + extreme)/(1 + draws), which keeps the level of the test. PError
// is the standard error of the estimate. Equal seeds give equal P.
//
// It returns the errors of [PermutationTest], and one that wraps [ErrDomain] if draws < 1.
// The cost is O(n/8) per draw.
//
// Source: B. Phipson and G. K. Smyth (2010), "Permutation p-values should never be zero".
func MonteCarloPermutationTest(d Differences, alt Alternative, draws int, seed uint64) (Result,
	error,
) {
	r, observed, tol, err := d.permutation(alt)
	if err != nil {
		return Result{}, err
	}
	if draws < 1 {
		return Result{}, fmt.Errorf("%w: %d draws", ErrDomain, draws)
	}
	// The sums of each eight differences under all of their signs.
	var tables [][]float64
	for i := 0; i < len(d.X); i += 8 {
		tables = append(tables, signTable(d.X[i:min(i+8, len(d.X))]))
	}
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	extreme := 0
	for range draws {
		var sum float64
		var signs uint64
		for i, table := range tables {
			if i%8 == 0 {
				signs = rng.Uint64()
			}
			sum += table[int(signs&0xff)&(len(table)-1)]
			signs >>= 8
		}
		if alt == TwoSided {
			sum = math.Abs(sum)
		}
		if sum >= observed-tol {
			extreme++
		}
	}
	r.P = float64(1+extreme) / float64(1+draws)
	r.PError = math.Sqrt(r.P * (1 - r.P) / float64(draws))
	return r, nil
}

// permutation checks d and returns the result but for P, the observed sum in
// the direction of the alternative, and the distance within which sums count as
// equal. The distribution of the sums is symmetric, so that only the direction
// of the observed one matters.
func (d *Differences) permutation(alt Alternative) (r Result, observed, tol float64, err error) {
	if err := alt.Check(); err != nil {
		return Result{}, 0, 0, err
	}
	if err := d.shape(); err != nil {
		return Result{}, 0, 0, err
	}
	if err := d.notFinite(); err != nil {
		return Result{}, 0, 0, err
	}
	var size float64
	for _, x := range d.X {
		observed += x
		size += math.Abs(x)
		tol = max(tol, math.Abs(x))
	}
	if math.IsInf(size, 1) {
		return Result{}, 0, 0, fmt.Errorf("%w: the sum of the differences", ErrNotFinite)
	}
	if d.Scale > 0 {
		tol = d.Scale
	}
	mean := observed / float64(len(d.X))
	r = Result{
		Test:        "permutation",
		Alternative: alt,
		N:           len(d.X),
		Mean:        mean,
		Estimate:    mean,
		SE:          math.NaN(),
		Statistic:   mean,
		Law:         LawExact,
		DF:          math.NaN(),
		DF2:         math.NaN(),
	}
	switch alt {
	case TwoSided:
		observed = math.Abs(observed)
	case Less:
		observed = -observed
	}
	return r, observed, rank.Tolerance * tol * float64(len(d.X)), nil // of sums
}

// signTable returns the sums of x under all signs: bit i of the index is set if
// x[i] counts negative. Its length is a power of two.
func signTable(x []float64) []float64 {
	table := make([]float64, 1<<len(x))
	for _, v := range x {
		table[0] += v
	}
	for i := 1; i < len(table); i++ {
		low := bits.TrailingZeros(uint(i))
		table[i] = table[i&(i-1)] - 2*x[low]
	}
	return table
}

// signedSums returns the sums of x under all signs in increasing order, by
// merging: the sums with and without one more value are both in order.
func signedSums(x []float64) []float64 {
	sums := []float64{0}
	for _, v := range x {
		v = math.Abs(v)
		next := make([]float64, 0, 2*len(sums))
		i, j := 0, 0
		for j < len(sums) {
			if i < len(sums) && sums[i]-v <= sums[j]+v {
				next = append(next, sums[i]-v)
				i++
			} else {
				next = append(next, sums[j]+v)
				j++
			}
		}
		sums = next
	}
	return sums
}

// shareAbove returns the share of the pairs of an element of a and one of b,
// both in increasing order, whose sum is at least bound.
func shareAbove(a, b []float64, bound float64) float64 {
	count, j := 0, len(b)
	for _, x := range a {
		for j > 0 && x+b[j-1] >= bound {
			j--
		}
		count += len(b) - j
	}
	return float64(count) / (float64(len(a)) * float64(len(b)))
}
