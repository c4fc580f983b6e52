package judge

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	accuracy = record.Unit{Name: "accuracy", Better: record.Higher, Max: 1}
	logloss  = record.Unit{Name: "logloss", Better: record.Lower, Max: math.Inf(1)}
	rmse     = record.Unit{Name: "f(a,b)=rmse", Better: record.Lower, Max: math.Inf(1)}
)

func TestMarginsOfMetrics(t *testing.T) {
	t.Parallel()
	var m Margins
	require.NoError(t, m.Set("accuracy=0.5pp,logloss=0.01"))
	require.NoError(t, m.Set("f(a,b)=rmse=2%"))
	assert.Equal(t, "accuracy=0.5pp,logloss=0.01,f(a,b)=rmse=2%", m.String())
	for _, c := range []struct {
		unit record.Unit
		want float64
	}{{accuracy, 0.005}, {logloss, 0.01}, {rmse, 0.04}, {record.Unit{Name: "other"}, 0}} {
		got, err := m.of(c.unit, []float64{-1, -3})
		require.NoError(t, err)
		assert.InDelta(t, c.want, got, 1e-15)
	}
	require.Error(t, m.Set("0.5"))
	require.EqualError(t, m.Set("logloss=3"), "two margins for logloss")

	var one Margins
	require.NoError(t, one.Set("2%"))
	got, err := one.of(accuracy, []float64{0.5, 0.5})
	require.NoError(t, err)
	assert.InDelta(t, 0.01, got, 1e-15)
	_, err = one.of(logloss, []float64{0, 0})
	assert.EqualError(t, err, "-margin 2% of the baseline's mean of 0 is none: give one in the unit of logloss")
	require.NoError(t, m.Set("half=60%"))
	_, err = m.of(record.Unit{Name: "half", Better: record.Higher, Min: 1, Max: 2}, []float64{1.9, 1.9})
	require.ErrorContains(t, err, "is the whole range of half, 1 to 2, or more")

	for _, bad := range []string{"", "x", "0", "-1", "NaN", "Inf", "accuracy=", "accuracy=x", "=", "=1", "1 pp", "pp", "%", "100%", "1%%"} {
		assert.Error(t, new(Margins).Set(bad), "%q", bad)
	}
	var points Margins
	require.NoError(t, points.Set("1pp"))
	_, err = points.of(logloss, []float64{1})
	require.ErrorContains(t, err, "pp, percentage points, are for metrics of the range 0 to 1, and logloss is none")
}
