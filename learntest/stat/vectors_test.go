package stat_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A vector is a reference case: see testdata/README.md.
type vector struct {
	ID, Procedure string
	Input         json.RawMessage
	Expected      json.RawMessage
	Actual        json.RawMessage `json:"expected_with_actual_fold_sizes"`
	Tolerance     struct{ Rel, Abs float64 }
	Edge          bool
}

// vectors reads the reference cases of testdata/name.json or name.json.gz.
func vectors(t *testing.T, name string) []vector {
	t.Helper()
	var r io.Reader
	f, err := os.Open("testdata/" + name + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open("testdata/" + name + ".json.gz")
		require.NoError(t, err)
		r, err = gzip.NewReader(f)
	} else {
		r = f
	}
	require.NoError(t, err)
	defer f.Close()
	var v []vector
	require.NoError(t, json.NewDecoder(r).Decode(&v))
	require.NotEmpty(t, v)
	return v
}

// each runs f on the cases of the given procedure, as subtests, and fails if
// there are none.
func each(t *testing.T, name, procedure string, f func(t *testing.T, v vector)) {
	t.Helper()
	n := 0
	for _, v := range vectors(t, name) {
		if v.Procedure == procedure && !v.Edge {
			n++
			t.Run(v.ID, func(t *testing.T) { f(t, v) })
		}
	}
	require.NotZero(t, n, "no case of procedure %s in %s", procedure, name)
}

// in and want decode the parts of a case.
func (v vector) in(t *testing.T, x any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(v.Input, x))
}

func (v vector) want(t *testing.T, x any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(v.Expected, x))
}

// near fails unless got is within the case's tolerance of want.
func (v vector) near(t *testing.T, what string, got float64, want number) {
	t.Helper()
	if !floatcmp.Equal(got, float64(want), v.Tolerance.Abs, v.Tolerance.Rel) {
		t.Errorf("%s: got %v, want %v (off by %g)", what, got, want, math.Abs(got/float64(want)-1))
	}
}

// A number is a JSON number or one of the strings "NaN", "+Inf", "-Inf".
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = number(x)
	return err
}

func floats(n []number) []float64 {
	x := make([]float64, len(n))
	for i := range n {
		x[i] = float64(n[i])
	}
	return x
}

// differences returns x − y as one run, or as runs of folds, with their scale.
func differences(x, y []number) stat.Differences {
	d := stat.Differences{Runs: 1, Folds: len(x)}
	for i := range x {
		d.X = append(d.X, float64(x[i]-y[i]))
		d.Scale = max(d.Scale, math.Abs(float64(x[i])), math.Abs(float64(y[i])))
	}
	if math.IsInf(d.Scale, 0) {
		d.Scale = 0
	}
	return d
}

func runDifferences(x, y [][]number) stat.Differences {
	d := stat.Differences{Runs: len(x), Folds: len(x[0])}
	for j := range x {
		run := differences(x[j], y[j])
		d.X = append(d.X, run.X...)
		d.Scale = max(d.Scale, run.Scale)
	}
	return d
}

// wantT is what the reference has for a t test.
type wantT struct {
	N        int
	MeanDiff number `json:"mean_diff"`
	SE       number
	T        number
	DF       number
	PTwo     number `json:"p_two_sided"`
	PGreater number `json:"p_greater"`
	PLess    number `json:"p_less"`
	CI95     [2]number
	Ratio    number `json:"ratio_sum_test_over_sum_train"`
}

type testFunc = func(stat.Differences, stat.Alternative) (stat.Result, error)

// checkT compares a t test, in all three alternatives, with its reference.
func (v vector) checkT(t *testing.T, test testFunc, d stat.Differences, w wantT) {
	t.Helper()
	for alt, p := range map[stat.Alternative]number{stat.TwoSided: w.PTwo, stat.Greater: w.PGreater, stat.Less: w.PLess} {
		r, err := test(d, alt)
		require.NoError(t, err)
		v.near(t, "p "+alt.String(), r.P, p)
		v.near(t, "t", r.Statistic, w.T)
		v.near(t, "df", r.DF, w.DF)
		v.near(t, "se", r.SE, w.SE)
		v.near(t, "mean", r.Estimate, w.MeanDiff)
		require.Equal(t, w.N, r.N)
		require.Equal(t, alt, r.Alternative)
		require.True(t, math.IsNaN(r.DF2))
		if alt == stat.TwoSided {
			lo, hi := r.Interval(0.95)
			v.near(t, "lower bound", lo, w.CI95[0])
			v.near(t, "upper bound", hi, w.CI95[1])
		}
	}
}

// minus returns a − b in float64; on constants the compiler computes exactly.
func minus(a, b float64) float64 { return a - b }
