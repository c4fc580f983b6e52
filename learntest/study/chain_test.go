package study

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The attributes come with the probabilities that the documentation gives.
func TestSourceHasTheDocumentedProbabilities(t *testing.T) {
	t.Parallel()
	s := newChain(4, 3)
	const n = 60_000
	table, err := s.Table("source", n, 9)
	require.NoError(t, err)
	require.Equal(t, 5, table.NumAttributes())
	require.Equal(t, 4, table.ClassIndex())
	sigma := func(x float64) float64 { return 0.5 + 0.5*x/(1+math.Abs(x)) }
	class := table.Codes(4)
	ones := 0
	for _, c := range class {
		ones += int(c)
	}
	assert.InDelta(t, 0.5, float64(ones)/n, 0.01)
	for j := range 4 {
		for c := range int32(2) {
			for v := range int32(2) {
				if j == 0 && v == 1 {
					continue // nothing comes before the first attribute
				}
				seen, hits := 0, 0
				for i, code := range table.Codes(j) {
					if class[i] == c && (j == 0 || table.Codes(j - 1)[i] == v) {
						seen++
						hits += int(code)
					}
				}
				before := 2*float64(v) - 1
				if j == 0 {
					before = 0
				}
				sign := 2*float64(c) - 1
				want := sigma(s.b[j] + sign*s.w[j] + before*s.u[j] + sign*before*s.x[j])
				require.Greater(t, seen, 500)
				assert.InDelta(t, want, float64(hits)/float64(seen), 4*math.Sqrt(0.25/float64(seen)),
					"attribute %d, class %d after %d", j+1, c, v)
			}
		}
	}
}

// TestSourcesDoNotChange has the digest of a data set, which may not change: figures
// that were published rest on it.
func TestSourcesDoNotChange(t *testing.T) {
	t.Parallel()
	digest := func(source, seed uint64) string {
		table, err := newChain(10, source).Table("source", 50, seed)
		require.NoError(t, err)
		d, err := table.Digest()
		require.NoError(t, err)
		return d
	}
	assert.Equal(t, "989ffd630e57c37d90dae2003e664dd443c2d386146f54ab1cea11cada81d110", digest(1, 1))
	assert.Equal(t, digest(1, 1), digest(1, 1))
	assert.NotEqual(t, digest(1, 1), digest(1, 2))
	assert.NotEqual(t, digest(1, 1), digest(2, 1))
}
