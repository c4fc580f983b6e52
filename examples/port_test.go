package examples

import (
	"context"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/split"
)

// threshold is testdata/threshold.py, ported to Go: the age from which on most visits find an
// illness.
func threshold() learntest.Learner[visit, bool] {
	return learntest.Func("threshold", func(_ context.Context, train learntest.Sample[visit, bool], _ uint64) (func(visit) bool, error) {
		best, most := 0, 0
		for age := range 120 {
			right := 0
			for v, ill := range train.All() {
				if v.Age >= age == ill {
					right++
				}
			}
			if right > most {
				best, most = age, right
			}
		}
		return func(v visit) bool { return v.Age >= best }, nil
	})
}

// TestPort asks whether the port in Go is as good as the program in Python, on the same visits in
// the same folds.
func TestPort(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not there")
	}
	visits, err := learntest.CSV[visit, bool]("testdata/visits.csv")
	require.NoError(t, err)
	python := process.ForTest(t, process.Config{
		Args:    []string{"python3", "testdata/threshold.py", "{train}", "{test}", "{pred}"},
		Name:    "python",
		Depends: []string{}, // nothing but that file
	})
	original := learntest.Tabulate[visit, bool](learntest.FromProcess[int](python))
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.Groups(2, 5)}, visits, threshold(), original)
	assert.Equivalent(t, c, assert.Margin(0.05))
}
