package examples

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	tests "github.com/learnbench/learnbench/learntest/stat"
)

// A day is a row of testdata/demand.csv, in the order of time. All but Demand is known the day
// before.
type day struct {
	WeekAgo  float64 `csv:"week_ago"`
	Forecast float64 `csv:"temperature_forecast"`
	Demand   float64 `csv:"demand,label"`
}

// trend corrects the demand of a week ago by the temperature, by a straight line.
func trend() learntest.Learner[day, float64] {
	return learntest.Func("trend", func(_ context.Context, train learntest.Sample[day, float64], _ uint64) (func(day) float64, error) {
		var x, y []float64
		for d, demand := range train.All() {
			x, y = append(x, d.Forecast), append(y, demand-d.WeekAgo)
		}
		a, b := stat.LinearRegression(x, y, nil, false)
		return func(d day) float64 { return d.WeekAgo + a + float64(b*d.Forecast) }, nil
	})
}

// TestDemand predicts each fortnight from all days before it. Test sets follow on each other, so
// that the Diebold-Mariano test applies.
func TestDemand(t *testing.T) {
	days, err := learntest.CSV[day, float64]("testdata/demand.csv")
	require.NoError(t, err)
	weekAgo := learntest.Pretrained("week ago", func(d day) float64 { return d.WeekAgo })
	c := learntest.CompareWith(t, learntest.Config{
		Protocol: split.TimeSeries(20, split.Window{TestSize: 14}),
		Metrics:  []metric.Metric{metric.MAE()},
	}, days, trend(), weekAgo)
	assert.Improves(t, c, assert.SignificanceTest(tests.MustLookup("diebold-mariano")))
}

func TestTrendKeepsItsPromises(t *testing.T) {
	days, err := learntest.CSV[day, float64]("testdata/demand.csv")
	require.NoError(t, err)
	learnercheck.Run(t, learnercheck.Learner(days, trend()))
}
