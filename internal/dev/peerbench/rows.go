//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A row is work that all sides do on a table.
type row struct {
	name  string
	job   string
	table string   // a name in shapes, or a file of the directory of data sets
	peers []string // that have such a learner, or read such files
	note  string   // how the work differs
}

// rows are the rows of the table, in no particular order.
var rows = []row{
	{"1-NN", "nn1", "uniform", []string{"python", "weka"}, ""},
	{"5-NN", "nn5", "uniform", []string{"python", "weka"}, ""},
	{"1-NN", "nn1", "waveform", []string{"python", "weka"}, ""},
	{"5-NN", "nn5", "waveform", []string{"python", "weka"}, ""},
	{"1-NN", "nn1", "letter", []string{"python", "weka"}, ""},
	{"5-NN", "nn5", "letter", []string{"python", "weka"}, ""},
	{"1-NN", "nn1", "optdigits", []string{"python", "weka"}, ""},
	{"5-NN", "nn5", "optdigits", []string{"python", "weka"}, ""},
	{
		"naive Bayes", "naivebayes", "normal",
		[]string{"python", "weka"},
		"GaussianNB rounds no numbers",
	},
	{"C4.5", "c45", "normal", []string{"python", "weka"}, "DecisionTreeClassifier does not prune"},
	{"C4.5", "c45", "letter", []string{"python", "weka"}, "DecisionTreeClassifier does not prune"},
	{"random forest", "forest", "letter", []string{"python"}, "random numbers differ"},
	{"logistic regression", "logistic", "normal", []string{"python"}, "its solution is less exact"},
	{"logistic regression", "logistic", "letter", []string{"python"}, "its solution is less exact"},
	{"ridge regression", "ridge", "line", []string{"python"}, ""},
	{"least squares", "ols", "line", []string{"python"}, ""},
	{"read CSV", "read", "million.csv", []string{"python"}, ""},
	{"read ARFF", "read", "million.arff", []string{"weka"}, ""},
}

// A shape is a table that is drawn.
type shape struct {
	rows, attributes int

	// kind is uniform, or normal if the means differ between two classes, or line with a number to
	// predict.
	kind string
}

var shapes = map[string]shape{
	"uniform":      {20000, 20, "uniform"},
	"normal":       {100000, 20, "normal"},
	"line":         {100000, 20, "line"},
	"million.csv":  {1000000, 20, "normal"},
	"million.arff": {1000000, 20, "normal"},
}

// draw returns the table of a shape, which is equal on every machine.
func draw(s shape) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	class := make([]int32, s.rows)
	for i := range class {
		class[i] = rng.Int32N(2)
	}
	var cols []dataset.Column
	for j := range s.attributes {
		x := make([]float64, s.rows)
		for i := range x {
			if s.kind == "uniform" {
				x[i] = rng.Float64()
				continue
			}
			x[i] = rng.NormFloat64()
			if j%4 == 0 {
				x[i] += 2 * float64(class[i])
			}
		}
		cols = append(cols, dataset.Column{
			Attribute: dataset.Attribute{Name: fmt.Sprint("x", j)},
			Numbers:   rounded(x),
		})
	}
	target := dataset.Column{Attribute: dataset.Attribute{Name: "y"}}
	if s.kind == "line" {
		for i, c := range class {
			target.Numbers = append(target.Numbers, float64(c)+cols[1].Numbers[i]+rng.NormFloat64())
		}
		target.Numbers = rounded(target.Numbers)
	} else {
		target.Kind, target.Values, target.Codes = dataset.Nominal, []string{"a", "b"}, class
	}
	return dataset.New(strings.ReplaceAll(fmt.Sprint(s), " ", "-"), append(cols, target), s.attributes,
		nil)
}

// rounded rounds numbers to six decimals, as files often have them.
func rounded(x []float64) []float64 {
	for i, v := range x {
		x[i] = float64(int64(v*1e6)) / 1e6
	}
	return x
}
