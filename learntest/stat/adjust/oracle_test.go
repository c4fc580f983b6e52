package adjust

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// closed applies the closure principle literally: the adjusted p-value of a
// hypothesis is the largest p-value of the sets that contain it. sets are bit
// masks.
func closed(p []float64, sets []uint, local func(q []float64) float64) []float64 {
	out := make([]float64, len(p))
	for _, set := range sets {
		var q []float64
		for i := range p {
			if set>>i&1 == 1 {
				q = append(q, p[i])
			}
		}
		v := min(1, local(q))
		for i := range p {
			if set>>i&1 == 1 {
				out[i] = max(out[i], v)
			}
		}
	}
	return out
}

func allSets(n int) []uint {
	var sets []uint
	for s := uint(1); s < 1<<n; s++ {
		sets = append(sets, s)
	}
	return sets
}

// exhaustive returns the sets of pairs for which "equal" is transitive, found
// among all sets of pairs without a word of partitions where that is
// feasible.
func exhaustive(m int) []uint {
	pairs := Pairs(m)
	if m > 5 {
		return exhaustiveByLabels(m)
	}
	var sets []uint
	for s := uint(1); s < 1<<len(pairs); s++ {
		equal := func(a, b int) bool {
			k := slices.Index(pairs, [2]int{min(a, b), max(a, b)})
			return s>>k&1 == 1
		}
		transitive := true
		for a := range m {
			for b := range m {
				for c := range m {
					if a != b && b != c && a != c && equal(a, b) && equal(b, c) && !equal(a, c) {
						transitive = false
					}
				}
			}
		}
		if transitive {
			sets = append(sets, s)
		}
	}
	return sets
}

// exhaustiveByLabels labels the learners in all m^m ways.
func exhaustiveByLabels(m int) []uint {
	seen := map[uint]bool{}
	labels, pairs := make([]int, m), Pairs(m)
	for {
		var s uint
		for k, pair := range pairs {
			if labels[pair[0]] == labels[pair[1]] {
				s |= 1 << k
			}
		}
		if s != 0 {
			seen[s] = true
		}
		i := 0
		for i < m && labels[i] == m-1 {
			labels[i] = 0
			i++
		}
		if i == m {
			break
		}
		labels[i]++
	}
	var sets []uint
	for s := range seen {
		sets = append(sets, s)
	}
	slices.Sort(sets)
	return sets
}

func bonferroniTest(q []float64) float64 { return float64(len(q)) * slices.Min(q) }

func simesTest(q []float64) float64 {
	q = slices.Sorted(slices.Values(q))
	v := 1.0
	for j, p := range q {
		v = min(v, float64(len(q))*p/float64(j+1))
	}
	return v
}

func genP(t *rapid.T, lo, hi int) []float64 {
	coarse := rapid.Map(rapid.IntRange(0, 20), func(i int) float64 { return float64(i) / 20 })
	p := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 0.1), coarse)
	return rapid.SliceOfN(p, lo, hi).Draw(t, "p")
}

func genPairs(t *rapid.T, lo, hi int) (m int, p []float64) {
	m = rapid.IntRange(lo, hi).Draw(t, "m")
	n := m * (m - 1) / 2
	return m, genP(t, n, n)
}

func TestHolmIsClosedBonferroni(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := genP(t, 1, 7)
		got, err := holm(p)
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices(got, closed(p, allSets(len(p)), bonferroniTest),
			1e-300, 1e-14))
	})
}

func TestHommelIsClosedSimes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := genP(t, 1, 7)
		got, err := hommel(p)
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices(got, closed(p, allSets(len(p)), simesTest), 1e-300, 1e-14))
	})
}

func TestBergmannHommelIsClosedBonferroniOverExhaustiveSets(t *testing.T) {
	t.Parallel()
	sets := make([][]uint, 7)
	for m := range sets {
		sets[m] = exhaustive(m)
	}
	rapid.Check(t, func(t *rapid.T) {
		m, p := genPairs(t, 2, 6)
		got, err := bergmannHommel(p)
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices(got, closed(p, sets[m], bonferroniTest), 1e-300, 1e-14))
	})
}

func TestShafferCountsExhaustiveSets(t *testing.T) {
	t.Parallel()
	for m := 2; m <= 5; m++ {
		sizes := map[int]bool{0: true}
		for _, s := range exhaustive(m) {
			sizes[bits.OnesCount(s)] = true
		}
		for n, ok := range truePairs(m) {
			require.Equal(t, sizes[n], ok, "m = %d, %d pairs", m, n)
		}
	}
}

func TestExhaustiveSetsAgreeBothWays(t *testing.T) {
	t.Parallel()
	for m := 2; m <= 5; m++ {
		require.Equal(t, exhaustive(m), exhaustiveByLabels(m))
	}
}
