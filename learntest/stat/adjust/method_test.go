package adjust

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

func TestLookupFindsEveryMethodByItsName(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, m := range Methods() {
		require.NotEmpty(t, m.Name)
		require.NotEmpty(t, m.Doc)
		require.NotNil(t, m.Adjust)
		require.False(t, seen[m.Name], "%s twice", m.Name)
		seen[m.Name] = true
		got, err := Lookup(m.Name)
		require.NoError(t, err)
		require.Equal(t, m.Doc, got.Doc)
	}
	_, err := Lookup("holmes")
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, "bergmann-hommel")
}

func TestMethodsNameTheValueThatIsNotAProbability(t *testing.T) {
	t.Parallel()
	for _, m := range Methods() {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -0.01, 1.01} {
			_, err := m.Adjust([]float64{0.1, 0.2, bad})
			require.ErrorIs(t, err, errPValue, m.Name)
			require.ErrorContains(t, err, "index 2", m.Name)
			if finite := bad-bad == 0; !finite {
				require.ErrorIs(t, err, stat.ErrNotFinite, m.Name)
			}
		}
	}
}

func TestMethodsOfNothingAndOfOne(t *testing.T) {
	t.Parallel()
	for _, m := range Methods() {
		got, err := m.Adjust(nil)
		require.NoError(t, err, m.Name)
		require.Empty(t, got, m.Name)
		got, err = m.Adjust([]float64{0.03})
		require.NoError(t, err, m.Name)
		require.NoError(t, floatcmp.Slices(got, []float64{0.03}, 0, 1e-15), m.Name)
	}
}

func TestAllPairsMethodsNeedAllPairs(t *testing.T) {
	t.Parallel()
	for _, m := range Methods() {
		for n := 1; n <= 12; n++ {
			p := slices.Repeat([]float64{0.5}, n)
			_, err := m.Adjust(p)
			if m.AllPairs && !slices.Contains([]int{1, 3, 6, 10}, n) {
				require.ErrorIs(t, err, errPairs, "%s %d", m.Name, n)
			} else {
				require.NoError(t, err, "%s %d", m.Name, n)
			}
		}
	}
	_, err := bergmannHommel(make([]float64, 13*12/2))
	require.ErrorIs(t, err, errTooMany)
	_, err = shaffer(slices.Repeat([]float64{0.5}, 4))
	require.ErrorContains(t, err, "3 learners have 3 pairs and 4 have 6")
}

func TestPairsAreInLexicalOrder(t *testing.T) {
	t.Parallel()
	require.Equal(t, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, Pairs(4))
	require.Empty(t, Pairs(1))
	require.Empty(t, Pairs(-3))
}

func TestSmallPValuesKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for _, f := range []func([]float64) ([]float64, error){
		sidak, holmSidak, finner, bonferroni,
		holm,
	} {
		got, err := f([]float64{1e-30, 0.9, 0.8})
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(got[0], 3e-30, 0, 1e-14), "%v", got[0])
	}
}

func TestMethodsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	// The first of each pair never rejects less than the second.
	order := [][2]string{
		{"none", "hommel"},
		{"none", "benjamini-hochberg"},
		{"none", "bergmann-hommel"},
		{"sidak", "bonferroni"},
		{"holm", "bonferroni"},
		{"holm-sidak", "sidak"},
		{"holm-sidak", "holm"},
		{"finner", "holm-sidak"},
		{"hochberg", "holm"},
		{"hommel", "hochberg"},
		{"rom", "hochberg"},
		{"benjamini-hochberg", "hommel"},
		{"benjamini-hochberg", "benjamini-yekutieli"},
		{"shaffer", "holm"},
		{"bergmann-hommel", "shaffer"},
	}
	rapid.Check(t, func(t *rapid.T) {
		_, p := genPairs(t, 2, 6)
		for _, names := range order {
			a, b := adjusted(t, names[0], p), adjusted(t, names[1], p)
			for i := range p {
				require.LessOrEqual(t, a[i], b[i]*(1+1e-13), "%v at %d", names, i)
			}
		}
	})
}

func TestAdjustedValuesAreMonotoneProbabilitiesAboveTheRaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, p := genPairs(t, 2, 6)
		input := slices.Clone(p)
		for _, m := range Methods() {
			got := adjusted(t, m.Name, p)
			require.Equal(t, input, p, "%s modified its input", m.Name)
			for i := range p {
				require.True(t, got[i] >= p[i] && got[i] <= 1, "%s: %v of %v", m.Name, got[i], p[i])
				if m.Name == "bergmann-hommel" {
					continue // not monotone, as its documentation says
				}
				for j := range p {
					if p[i] <= p[j] && !(got[i] <= got[j]) {
						require.LessOrEqual(t, got[i], got[j], "%s %v %v", m.Name, p[i], p[j])
					}
				}
			}
		}
	})
}

func TestRaisingAPValueLowersNoAdjustedOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, p := genPairs(t, 2, 5)
		i := rapid.IntRange(0, len(p)-1).Draw(t, "i")
		raised := slices.Clone(p)
		raised[i] = rapid.Float64Range(p[i], 1).Draw(t, "raised")
		for _, m := range Methods() {
			before, after := adjusted(t, m.Name, p), adjusted(t, m.Name, raised)
			for k := range p {
				require.GreaterOrEqual(t, after[k]*(1+1e-13), before[k], "%s at %d", m.Name, k)
			}
		}
	})
}

// A comparison without any difference spares no other one: where a single p of 1 made all adjusted
// values 1, as by Li's method, a learner that nobody has touched would open the gate for all
// others.
func TestAnUnchangedComparisonSparesNoOther(t *testing.T) {
	t.Parallel()
	for _, m := range Methods() {
		got := adjusted(t, m.Name, []float64{1e-6, 1e-6, 1, 1e-6, 1e-6, 1e-6})
		for i, p := range got {
			if i != 2 {
				require.Less(t, p, 1e-4, m.Name)
			}
		}
	}
}

func TestOrderOfTheTestsDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, p := genPairs(t, 2, 6)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		perm := rng.Perm(len(p))
		learner := rng.Perm(m)
		pairs := Pairs(m)
		for _, method := range Methods() {
			to := perm
			if method.AllPairs { // renumber the learners instead
				to = make([]int, len(p))
				for k, pair := range pairs {
					a, b := learner[pair[0]], learner[pair[1]]
					to[k] = slices.Index(pairs, [2]int{min(a, b), max(a, b)})
				}
			}
			moved := make([]float64, len(p))
			for k := range p {
				moved[to[k]] = p[k]
			}
			plain, got := adjusted(t, method.Name, p), adjusted(t, method.Name, moved)
			for k := range p {
				require.Equal(t, plain[k], got[to[k]], method.Name)
			}
		}
	})
}

func adjusted(t require.TestingT, name string, p []float64) []float64 {
	m, err := Lookup(name)
	require.NoError(t, err)
	got, err := m.Adjust(p)
	require.NoError(t, err)
	require.Len(t, got, len(p))
	return got
}
