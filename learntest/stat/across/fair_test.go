package across

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

func TestFairTailIsTheSumOfBinomialCoefficients(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 5, 20, 54, 55, 301, 1000, 1001} {
		sum := new(big.Int)
		for k := n; k >= 0; k-- {
			sum.Add(sum, new(big.Int).Binomial(int64(n), int64(k)))
			want, _ := new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
			got := fairTail(n, k)
			if n < 55 {
				require.Equal(t, want, got, "n = %d, k = %d", n, k)
			}
			require.True(t, floatcmp.Equal(got, want, 1e-300, 1e-11), "n = %d, k = %d: %v, want %v",
				n, k, got, want)
		}
	}
	require.Equal(t, 1.0, fairTail(3, -1))
	require.Equal(t, 0.0, fairTail(3, 4))
}
