package across

import (
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// fairTail returns the probability of k or more heads in n throws of a fair
// coin.
//
// Up to some 55 throws it is the nearest float64 and so never on the wrong
// side of a level such as 1/32 by a rounding error.
func fairTail(n, k int) float64 {
	switch {
	case k <= 0:
		return 1
	case k > n:
		return 0
	case n > 1000: // binomial coefficients would overflow
		return dist.BinomialSF(k, n, 0.5)
	case 2*k <= n:
		return 1 - fairTail(n, n-k+1)
	}
	sum, ways := 0.0, 1.0
	for i := n; i >= k; i-- {
		sum += ways
		ways = ways * float64(i) / float64(n-i+1)
	}
	return math.Ldexp(sum, -n)
}
