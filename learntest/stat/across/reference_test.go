package across

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

type reference struct {
	ID        string
	Input     json.RawMessage
	Expected  json.RawMessage
	Tolerance struct {
		Rel, Abs float64
		MeanAbs  float64 `json:"mean_theta_abs"`
	}
	Edge bool
}

// A number is a float64 that may be written as "NaN".
type number float64

func (n *number) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*n = number(v)
	return err
}

func numbers(xs []number) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = float64(x)
	}
	return out
}

func references(t *testing.T, file, prefix string) []reference {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	var all, out []reference
	require.NoError(t, json.Unmarshal(text, &all))
	for _, r := range all {
		if strings.HasPrefix(r.ID, prefix) {
			out = append(out, r)
		}
	}
	require.NotEmpty(t, out, "%s %s", file, prefix)
	return out
}

func decode[T any](t *testing.T, text json.RawMessage) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

// close checks one number by the tolerance of the reference.
func (r reference) close(t *testing.T, want, got float64, what string) {
	t.Helper()
	require.True(t, floatcmp.Equal(got, want, r.Tolerance.Abs, r.Tolerance.Rel), "%s %s: %v, want %v",
		r.ID, what, got, want)
}

func (r reference) closeAll(t *testing.T, want, got []float64, what string) {
	t.Helper()
	require.NoError(t, floatcmp.Slices(got, want, r.Tolerance.Abs, r.Tolerance.Rel), "%s %s", r.ID,
		what)
}

// scores returns the table that the reference is about.
func (r reference) scores(t *testing.T) [][]float64 {
	t.Helper()
	in := decode[struct {
		Scores  [][]float64
		Columns []int `json:"bcm_columns"`
	}](t, r.Input)
	if in.Columns == nil {
		require.NotEmpty(t, in.Scores, r.ID)
		return in.Scores
	}
	return bcm(t, in.Columns...)
}

// bcm returns columns of table 2 of Benavoli, Corani and Mangili (2016), or
// all.
func bcm(t testing.TB, columns ...int) [][]float64 {
	t.Helper()
	f, err := os.Open("testdata/bcm-table2.csv")
	require.NoError(t, err)
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	if columns == nil {
		columns = []int{0, 1, 2, 3, 4, 5, 6}
	}
	scores := make([][]float64, len(rows)-1)
	for i, row := range rows[1:] {
		for _, j := range columns {
			x, err := strconv.ParseFloat(row[1+j], 64)
			require.NoError(t, err)
			scores[i] = append(scores[i], x)
		}
	}
	require.Len(t, scores, 54)
	return scores
}

// zeros is a baseline that makes differences of scores.
func zeros(n int) []float64 { return make([]float64, n) }

func requireProbability(t require.TestingT, p float64) {
	require.False(t, math.IsNaN(p) || p < 0 || p > 1, "p = %v", p)
}
