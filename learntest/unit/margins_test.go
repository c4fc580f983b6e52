package unit

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	accuracy = Unit{Name: "accuracy", Better: Higher, Max: 1}
	logloss  = Unit{Name: "logloss", Better: Lower, Max: math.Inf(1)}
	rmse     = Unit{Name: "f(a,b)=rmse", Better: Lower, Max: math.Inf(1)}
)

func TestMarginsOfMetrics(t *testing.T) {
	t.Parallel()
	var m Margins
	require.NoError(t, m.Set("accuracy=0.5pp,logloss=0.01"))
	require.NoError(t, m.Set("f(a,b)=rmse=2%"))
	assert.Equal(t, "accuracy=0.5pp,logloss=0.01,f(a,b)=rmse=2%", m.String())
	for _, c := range []struct {
		unit Unit
		want float64
	}{{accuracy, 0.005}, {logloss, 0.01}, {rmse, 0.04}, {Unit{Name: "other"}, 0}} {
		got, err := m.Value(c.unit, -2)
		require.NoError(t, err)
		assert.InDelta(t, c.want, got, 1e-15)
	}
	require.Error(t, m.Set("0.5"))
	require.EqualError(t, m.Set("logloss=3"), "two margins for logloss")

	var one Margins
	require.NoError(t, one.Set("2%"))
	got, err := one.Value(accuracy, 0.5)
	require.NoError(t, err)
	assert.InDelta(t, 0.01, got, 1e-15)
	_, err = one.Value(logloss, 0)
	assert.EqualError(t, err, "-margin 2% of the baseline's mean of 0 is none: give one in the unit of logloss")
	require.NoError(t, m.Set("half=60%"))
	_, err = m.Value(Unit{Name: "half", Better: Higher, Min: 1, Max: 2}, 1.9)
	require.ErrorContains(t, err, "is the whole range of half, 1 to 2, or more")

	for _, bad := range []string{
		"", "x", "0", "-1", "NaN", "Inf", "accuracy=", "accuracy=x", "=",
		"=1", "1 pp", "pp", "%", "100%", "1%%",
	} {
		assert.Error(t, new(Margins).Set(bad), "%q", bad)
	}
	var points Margins
	require.NoError(t, points.Set("1pp"))
	_, err = points.Value(logloss, 1)
	require.ErrorContains(t, err, "pp, percentage points, are for metrics of the range 0 to 1, and logloss is none")
}

func TestMarginThatNoDifferenceCouldMiss(t *testing.T) {
	t.Parallel()
	accuracy := Unit{Name: "accuracy", Better: Higher, Max: 1}
	kappa := Unit{Name: "kappa", Better: Higher, Min: -1, Max: 1}
	logloss := Unit{Name: "logloss", Better: Lower, Max: math.Inf(1)}
	for _, c := range []struct {
		unit   Unit
		margin float64
		want   string
	}{
		{accuracy, 0.02, ""},
		{accuracy, 0.999, ""},
		{accuracy, 1, "-margin 1 is the whole range of accuracy, 0 to 1, or more, and no difference is beyond it: 0.02 is two points"},
		{accuracy, 2, "-margin 2 is the whole range of accuracy, 0 to 1, or more, and no difference is beyond it: 0.02 is two points"},
		{kappa, 1.5, ""},
		{kappa, 2, "-margin 2 is the whole range of kappa, -1 to 1, or more, and no difference is beyond it: give a smaller one, in the unit of the metric"},
		{logloss, 5, ""},
		{logloss, 0, "-margin 0 is not a positive number: give one in the unit of logloss, or none"},
		{accuracy, -0.1, "-margin -0.1 is not a positive number: give one in the unit of accuracy, or none"},
		{logloss, math.NaN(), "-margin NaN is not a positive number: give one in the unit of logloss, or none"},
		{logloss, math.Inf(1), "-margin +Inf is not a positive number: give one in the unit of logloss, or none"},
	} {
		if err := c.unit.CheckMargin("margin", c.margin); c.want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, c.want)
		}
	}
}

// The list is what the flags of the commands agree on, too.
func TestMarginsOfTheList(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "margins.txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		in, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			continue
		}
		var m Margins
		if err := m.Set(in); err != nil {
			assert.Equal(t, want, "error: "+err.Error())
			continue
		}
		assert.Equal(t, want, m.String(), "%q", in)
		var again Margins
		require.NoError(t, again.Set(m.String()))
		assert.Equal(t, m, again)
	}
}
