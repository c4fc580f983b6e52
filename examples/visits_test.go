package examples

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/split"
)

// A visit is a row of testdata/visits.csv. Patients come several times.
type visit struct {
	Patient  string   `csv:"patient,group"`
	Age      int      `csv:"age"`
	Pressure *float64 `csv:"pressure"` // nil where it was not taken
	Ill      bool     `csv:"ill,label"`
}

// nearest is a learner of one's own on structs of one's own: the visit that is most alike.
func nearest() learntest.Learner[visit, bool] {
	return learntest.Func("nearest", func(_ context.Context, train learntest.Sample[visit, bool], _ uint64) (func(visit) bool, error) {
		return func(x visit) bool {
			best, least := false, math.Inf(1)
			for v, ill := range train.All() {
				if d := distance(v, x); d < least {
					best, least = ill, d
				}
			}
			return best
		}, nil
	})
}

// distance is the distance between two visits. Where a pressure is missing, all are equally far.
func distance(a, b visit) float64 {
	d := math.Abs(float64(a.Age - b.Age))
	if a.Pressure == nil || b.Pressure == nil {
		return d + 10
	}
	return d + math.Abs(*a.Pressure-*b.Pressure)
}

// elderly is a rule that needs no training.
func elderly() learntest.Learner[visit, bool] {
	return learntest.Pretrained("elderly", func(v visit) bool { return v.Age >= 60 })
}

// TestVisits keeps the visits of a patient together: what helps with new patients is asked, and
// the nearest visit is another one of the same patient otherwise.
func TestVisits(t *testing.T) {
	visits, err := learntest.CSV[visit, bool]("testdata/visits.csv")
	require.NoError(t, err)
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.Groups(10, 5)}, visits, elderly(), nearest())
	assert.Improves(t, c)

	// Mixed up, the memory of patients looks like knowledge of illness.
	mixed := learntest.CompareWith(t, learntest.Config{Protocol: split.CV(10, 5), IgnoreGroups: true, Results: learntest.Results{Test: "TestVisits/mixed"}}, visits, nearest(), elderly())
	assert.Improves(t, mixed)
}

func TestNearestKeepsItsPromises(t *testing.T) {
	visits, err := learntest.CSV[visit, bool]("testdata/visits.csv")
	require.NoError(t, err)
	learnercheck.Run(t, learnercheck.Learner(visits, nearest()))
}
