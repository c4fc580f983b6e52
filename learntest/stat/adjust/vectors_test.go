package adjust

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

type vector struct {
	ID        string
	Input     json.RawMessage
	Expected  json.RawMessage
	Tolerance struct{ Rel, Abs float64 }
}

func vectors(t *testing.T, prefix string) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/adjustments.json")
	require.NoError(t, err)
	var all, out []vector
	require.NoError(t, json.Unmarshal(text, &all))
	for _, v := range all {
		if strings.HasPrefix(v.ID, prefix) {
			out = append(out, v)
		}
	}
	require.NotEmpty(t, out, prefix)
	return out
}

func decode(t *testing.T, text json.RawMessage, to any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, to))
}

func TestMethodsAgreeWithReference(t *testing.T) {
	t.Parallel()
	keys := map[string]string{
		"bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "holm_sidak": "holm-sidak",
		"finner": "finner", "hochberg": "hochberg", "hommel": "hommel",
		"bh": "benjamini-hochberg", "by": "benjamini-yekutieli",
	}
	for _, v := range vectors(t, "p_adjust/") {
		var in struct{ P []float64 }
		var want map[string][]float64
		decode(t, v.Input, &in)
		decode(t, v.Expected, &want)
		require.Len(t, want, len(keys)+1, v.ID) // this package does not have Li's method
		for key, name := range keys {
			m, err := Lookup(name)
			require.NoError(t, err)
			got, err := m.Adjust(in.P)
			require.NoError(t, err)
			require.NoError(t, floatcmp.Slices(got, want[key], v.Tolerance.Abs, v.Tolerance.Rel),
				"%s %s", v.ID, name)
		}
	}
}

func TestAllPairsMethodsAgreeWithReference(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "pairwise_adjust/") {
		var in struct{ P []float64 }
		var want struct {
			Shaffer    []float64 `json:"shaffer_static"`
			Bergmann   []float64 `json:"bergmann_hommel"`
			Holm       []float64
			Exhaustive int   `json:"n_exhaustive_sets"`
			Possible   []int `json:"S_k"`
		}
		decode(t, v.Input, &in)
		decode(t, v.Expected, &want)
		for _, c := range []struct {
			name string
			f    func([]float64) ([]float64, error)
			want []float64
		}{
			{"shaffer", shaffer, want.Shaffer},
			{"bergmann-hommel", bergmannHommel, want.Bergmann},
			{"holm", holm, want.Holm},
		} {
			got, err := c.f(in.P)
			require.NoError(t, err)
			require.NoError(t, floatcmp.Slices(got, c.want, v.Tolerance.Abs, v.Tolerance.Rel), "%s %s", v.ID,
				c.name)
		}
		m, err := learners(len(in.P))
		require.NoError(t, err)
		require.Equal(t, want.Possible, elements(truePairs(m)), v.ID)
		require.Len(t, exhaustive(m), want.Exhaustive, v.ID)
	}
}

func TestTruePairsAreShaffersSets(t *testing.T) {
	t.Parallel()
	var want struct{ S map[string][]int }
	decode(t, vectors(t, "shaffer/")[0].Expected, &want)
	require.Len(t, want.S, 11)
	for k, set := range want.S {
		m, err := strconv.Atoi(k)
		require.NoError(t, err)
		require.Equal(t, set, elements(truePairs(m)), "m = %d", m)
	}
}

func TestRomCriticalAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "rom/") {
		var in struct {
			N     int
			Alpha float64
		}
		var want struct {
			Alpha []float64 `json:"alpha_from_largest_p"`
		}
		decode(t, v.Input, &in)
		decode(t, v.Expected, &want)
		got := romCritical(make([]float64, 2*in.N), in.N, in.Alpha)
		require.NoError(t, floatcmp.Slices(got, want.Alpha, v.Tolerance.Abs, v.Tolerance.Rel), v.ID)
	}
}

func elements(set []bool) []int {
	var out []int
	for i, ok := range set {
		if ok {
			out = append(out, i)
		}
	}
	return out
}
