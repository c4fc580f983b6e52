package stat_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

// Provenance: mpmath 1.3, 30 digits: the root in the noncentrality of the
// quadrature of the noncentral t distribution, at the critical value of t.
func TestDetectableReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		df, alpha, power, want float64
		alt                    stat.Alternative
	}{
		{99, 0.05, 0.8, 2.829126327813865, stat.TwoSided},
		{99, 0.05, 0.8, 2.503643462262984, stat.Greater},
		{99, 0.05, 0.8, 2.503643462262984, stat.Less},
		{9, 0.05, 0.8, 3.149632886450618, stat.TwoSided},
		{9, 0.01, 0.9, 4.774199636519425, stat.TwoSided},
		{4, 0.1, 0.5, 1.985326452085533, stat.TwoSided},
		{1, 0.05, 0.8, 16.334008869921, stat.TwoSided},
	} {
		r := stat.Result{Alternative: c.alt, SE: 0.01, DF: c.df, DF2: nan()}
		got, err := r.Detectable(c.alpha, c.power)
		require.NoError(t, err)
		if !floatcmp.Equal(got, 0.01*c.want, 0, 1e-11) {
			t.Errorf("%+v: got %v", c, 100*got)
		}
	}
	// The normal limit is known in closed form but for the other tail.
	r := stat.Result{Alternative: stat.Greater, SE: 1, DF: math.Inf(1), DF2: nan()}
	got, err := r.Detectable(0.05, 0.8)
	require.NoError(t, err)
	if want := 1.6448536269514727 + 0.8416212335729143; !floatcmp.Equal(got, want, 0, 1e-12) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDetectableDifference(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 2, Folds: 5, X: []float64{1, 2, -1, 3, 0, 2, 1, 1, -2, 2}}
	r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	want, err := r.Detectable(0.05, 0.8)
	require.NoError(t, err)
	got, err := stat.DetectableDifference(d, 0.05, 0.8)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.InEpsilon(t, 3.149632886450618*r.SE, got, 1e-11)

	got, err = stat.DetectableDifference(stat.Differences{Runs: 1, Folds: 2, X: []float64{1, 1}}, 0.05,
		0.8)
	require.NoError(t, err)
	require.Zero(t, got)
}

func TestDetectableDifferenceRejectsBadInput(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 1, Folds: 3, X: []float64{1, 2, 3}}
	for _, c := range [][2]float64{
		{0, 0.8},
		{0.05, 1},
		{0.05, 0.05},
		{0.8, 0.05},
		{nan(), 0.8},
		{0.05, nan()},
	} {
		_, err := stat.DetectableDifference(d, c[0], c[1])
		require.ErrorIs(t, err, stat.ErrDomain, "%v", c)
	}
	d.X[1] = nan()
	_, err := stat.DetectableDifference(d, 0.05, 0.8)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = stat.Result{DF: 3, DF2: nan(), SE: nan()}.Detectable(0.05, 0.8)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.Result{DF: 10, DF2: 5, SE: 1}.Detectable(0.05, 0.8)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.Result{DF: 0.5, DF2: nan(), SE: 1}.Detectable(0.05, 0.8)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.Result{DF: nan(), DF2: nan(), SE: 1}.Critical(0.05)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.Result{DF: 3, DF2: nan(), SE: 1}.Critical(1)
	require.ErrorIs(t, err, stat.ErrDomain)
}

func BenchmarkDetectableDifference(b *testing.B) {
	d := stat.Differences{Runs: 10, Folds: 10, X: make([]float64, 100)}
	for i := range d.X {
		d.X[i] = float64(i * i % 17)
	}
	for b.Loop() {
		if _, err := stat.DetectableDifference(d, 0.05, 0.8); err != nil {
			b.Fatal(err)
		}
	}
}

// Cached values of other calls change no result, for any order and any number of goroutines.
func TestDetectableIsTheSameWheneverItIsAsked(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 1, Folds: 10, X: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 11}}
	ask := func(i int) float64 {
		alt := []stat.Alternative{stat.TwoSided, stat.Greater}[i%2]
		r, err := stat.CorrectedCVTTest(d, alt)
		require.NoError(t, err)
		r.DF = float64(2 + i/2)
		x, err := r.Detectable(0.05, 0.8)
		require.NoError(t, err)
		return x
	}
	const n = 200 // more than are remembered
	first := make([]float64, n)
	for i := range first {
		first[i] = ask(i)
		if i >= 2 {
			require.Less(t, first[i], first[i-2], "more degrees of freedom")
		}
		require.Equal(t, first[i], ask(i))
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range n {
				at := (i*7 + worker) % n
				assert.Equal(t, first[at], ask(at))
			}
		})
	}
	wg.Wait()
}
