package replicate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// R. R. Bouckaert and E. Frank (2004), "Evaluating the replicability of significance tests for
// comparing learning algorithms", section 2: R(k, n) against the binomial coefficients of its
// definition.
func TestBouckaertFrank2004Replicability(t *testing.T) {
	t.Parallel()
	pairs := func(n int) float64 { return float64(n * (n - 1) / 2) }
	for n := 2; n <= 30; n++ {
		for k := range n + 1 {
			r, err := Replicability(k, n)
			require.NoError(t, err)
			require.InEpsilon(t, 1+(pairs(k)+pairs(n-k))/pairs(n), 1+r, 1e-15)
		}
	}
	r, err := Replicability(5, 10)
	require.NoError(t, err)
	require.Equal(t, 4.0/9, r, "below one half, which the probability never is")
}
