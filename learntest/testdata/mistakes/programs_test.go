package mistakes

import (
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/split"
)

// An interpreter that is named by its absolute path is outside of the module, where go test does not look.
//
//	FAIL learntest.CompareWith: trial failed: data set rows, learner shell, run 1, fold 1: fit: invalid program: shell depends on /bin/sh, which is outside the module, where go test does not look: add -count=1
func TestProgramOfAnAbsolutePath(t *testing.T) { withProgram(t, "/bin/sh", "true") }

// A program that misspells a label does so in every trial.
//
//	FAIL learntest.CompareWith: trial failed: data set rows, learner shell, run 1, fold 1: predict: the program broke the protocol: its predictions: line 1: "treu" is no class: the classes are ["false" "true"]
func TestProgramWithAMisspeltLabel(t *testing.T) { withProgram(t, "sh", "treu") }

// withProgram compares a rule with a script that always predicts one label.
func withProgram(t *testing.T, shell, label string) {
	t.Helper()
	var xs [][]float64
	var ys []bool
	for i := range 50 {
		xs, ys = append(xs, []float64{float64(i)}), append(ys, i%2 == 0)
	}
	script := process.ForTest(t, process.Config{Name: "shell", Args: []string{shell, "label.sh", "{test}", "{pred}", label, "{train}"}, Depends: []string{}})
	learntest.CompareWith(t, learntest.Config{Protocol: split.CV(1, 5), NoClaim: true}, learntest.Examples("rows", xs, ys),
		learntest.Pretrained("rule", func(x []float64) bool { return int(x[0])%2 == 0 }), learntest.Tabulate[[]float64, bool](learntest.FromProcess[int](script)))
}
