package learner_test

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/discretize"
	"github.com/learnbench/learnbench/learntest/learner/forest"
	"github.com/learnbench/learnbench/learntest/learner/logistic"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/ridge"
	"github.com/learnbench/learnbench/learntest/learner/tan"
	"github.com/learnbench/learnbench/learntest/split"
)

var update = flag.Bool("update", false, "rewrite the digests of all predictions")

// goldenPredictions was written on linux/amd64. It must not change unless the
// definition of a learner does.
var goldenPredictions = filepath.Join("testdata", "predictions.txt")

func classifiers() []learner.Classifier {
	return []learner.Classifier{
		naivebayes.New(naivebayes.Config{}),
		naivebayes.New(naivebayes.Config{WekaOrder: true}),
		naivebayes.New(naivebayes.Config{Kernel: true}),
		discretize.New(naivebayes.New(naivebayes.Config{})),
		c45.New(c45.Config{}),
		c45.New(c45.Config{Pruning: c45.Unpruned, Laplace: true}),
		c45.New(c45.Config{Pruning: c45.CostComplexity}),
		neighbor.New(neighbor.Config{}),
		neighbor.New(neighbor.Config{WekaOrder: true}),
		neighbor.New(neighbor.Config{K: 5, Weighting: neighbor.Inverse}),
		neighbor.New(neighbor.Config{K: 10, Weighting: neighbor.Similarity}),
		tan.New(tan.Config{}),
		perceptron.New(perceptron.Config{}),
		perceptron.New(perceptron.Config{Exponent: 2, Epochs: 2}),
		logistic.New(logistic.Config{}),
		forest.New(forest.Config{Trees: 10}),
	}
}

// learns reports whether a classifier can learn a data set.
func learns(c learner.Classifier, t *dataset.Table) bool {
	return t.NumClasses() == 2 || !strings.HasPrefix(c.Name(), "perceptron")
}

// digested returns the classifiers that predict a data set. Where the penalty of logistic regression
// is small, many classes would take an emulator minutes.
func digested(t *dataset.Table) []learner.Classifier {
	all := classifiers()
	for i, c := range all {
		if c.Name() == "logistic" && t.NumClasses() > 10 && t.Len() > 300 {
			all[i] = logistic.New(logistic.Config{C: 0.01})
		}
	}
	return slices.DeleteFunc(all, func(c learner.Classifier) bool { return !learns(c, t) })
}

// TestPredictionsAreTheSameEverywhere trains and tests all learners in 10-fold
// cross-validation of all built-in data sets and compares digests of the class distributions,
// which cover every bit, with the digests of the machine on which the file was written. Folds
// run in parallel and share a classifier. Data sets of more than 300 examples are for CI.
func TestPredictionsAreTheSameEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("long under the race detector, and shares nothing")
	}
	t.Parallel()
	tried := make(map[string]bool)
	for _, name := range uci.Names() {
		table, err := uci.Load(name)
		require.NoError(t, err)
		tried[name] = table.Len() <= 300 || *update || citest.Has(citest.Slow)
	}
	var got strings.Builder
	got.WriteString("# data set, learner, correct predictions, SHA-256 of all class distributions\n")
	for _, name := range uci.Names() {
		if !tried[name] {
			continue
		}
		table, err := uci.Load(name)
		require.NoError(t, err)
		for _, c := range digested(table) {
			correct, digest, err := crossValidate(table, c)
			require.NoError(t, err, "%s on %s", c.Name(), name)
			fmt.Fprintf(&got, "%s %s %d/%d %x\n", name, c.Name(), correct, table.Len(), digest)
		}
	}
	got.WriteString("# data set and target, learner, mean absolute error, SHA-256 of all predictions\n")
	for _, name := range uci.Names() {
		if !tried[name] {
			continue
		}
		table, err := uci.Load(name)
		require.NoError(t, err)
		table = onNumbers(t, table)
		if table == nil {
			continue
		}
		for _, r := range []learner.Regressor{
			ridge.New(ridge.Config{}),
			ridge.New(ridge.Config{Alpha: 0.01}),
		} {
			off, digest, err := crossValidateNumbers(table, r)
			require.NoError(t, err, "%s on %s", r.Name(), table.Name())
			fmt.Fprintf(&got, "%s %s %.6g %x\n", table.Name(), r.Name(), off, digest)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(goldenPredictions, []byte(got.String()), 0o644))
		return
	}
	want, err := os.ReadFile(goldenPredictions)
	require.NoError(t, err)
	wants := slices.DeleteFunc(strings.Split(string(want), "\n"), func(line string) bool {
		name, _, _ := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, ":")
		all, known := tried[name]
		return known && !all
	})
	gots := strings.Split(got.String(), "\n")
	require.Greater(t, len(gots), 100)
	require.Len(t, gots, len(wants))
	for i := range wants {
		assert.Equal(t, wants[i], gots[i])
	}
}

// tenFolds plans 10-fold cross-validation.
func tenFolds(t *dataset.Table) (*split.Plan, error) {
	class := make([]int, t.Len())
	for i := range class {
		class[i] = t.Class(i)
	}
	return split.CV(1, 10).Plan(split.Examples{N: t.Len(), Class: class})
}

// crossValidate returns the number of correct predictions, and the digest of
// all distributions in the order of folds and test rows.
func crossValidate(t *dataset.Table, c learner.Classifier) (correct int, digest []byte, err error) {
	plan, err := tenFolds(t)
	if err != nil {
		return 0, nil, err
	}
	bits := make([][]byte, plan.Folds())
	hits := make([]int, plan.Folds())
	var g errgroup.Group
	for f := range plan.Folds() {
		g.Go(func() error {
			train, test := plan.Trial(1, f+1, nil, nil)
			m, err := c.Fit(t, train, 1)
			if err != nil {
				return err
			}
			dist := make([]float64, t.NumClasses())
			for _, row := range test {
				m.Distribution(t, row, dist)
				for _, p := range dist {
					bits[f] = binary.BigEndian.AppendUint64(bits[f], math.Float64bits(p))
				}
				if learner.Best(dist) == t.Class(row) {
					hits[f]++
				}
			}
			return m.Close()
		})
	}
	if err := g.Wait(); err != nil {
		return 0, nil, err
	}
	h := sha256.New()
	for f := range bits {
		h.Write(bits[f])
		correct += hits[f]
	}
	return correct, h.Sum(nil), nil
}

// onNumbers returns the table with its last numeric attribute for a target, and the class among the
// other ones; nil if each number is missing somewhere, or there is none.
func onNumbers(t *testing.T, table *dataset.Table) *dataset.Table {
	t.Helper()
	target := -1
	columns := make([]dataset.Column, table.NumAttributes())
	for j := range columns {
		columns[j] = dataset.Column{
			Attribute: table.Attribute(j), Numbers: table.Numbers(j),
			Codes: table.Codes(j),
		}
		if columns[j].Kind == dataset.Numeric && !slices.ContainsFunc(columns[j].Numbers, math.IsNaN) {
			target = j
		}
	}
	if target < 0 {
		return nil
	}
	name := fmt.Sprintf("%s:%s", table.Name(), strings.ReplaceAll(columns[target].Name, " ", "_"))
	numbers, err := dataset.New(name, columns, target, nil)
	require.NoError(t, err)
	return numbers
}

// crossValidateNumbers returns the mean absolute error, and the digest of all predictions in the
// order of folds and test rows.
func crossValidateNumbers(t *dataset.Table, r learner.Regressor) (off float64, digest []byte,
	err error,
) {
	plan, err := split.CV(1, 10).Plan(split.Examples{N: t.Len()})
	if err != nil {
		return 0, nil, err
	}
	h := sha256.New()
	for f := range plan.Folds() {
		train, test := plan.Trial(1, f+1, nil, nil)
		m, err := r.Fit(t, train, 1)
		if err != nil {
			return 0, nil, err
		}
		for _, row := range test {
			y, err := m.Value(t, row)
			if err != nil {
				return 0, nil, err
			}
			h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(y)))
			off += math.Abs(y-t.Target(row)) / float64(t.Len())
		}
		if err := m.Close(); err != nil {
			return 0, nil, err
		}
	}
	return off, h.Sum(nil), nil
}
