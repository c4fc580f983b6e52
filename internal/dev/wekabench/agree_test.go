//go:build linux

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

const results = `Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Number_of_training_instances,Number_of_testing_instances,Number_correct
'a \'set\', quoted',1,1,weka.classifiers.bayes.NaiveBayes,'',9.0,3.0,2.0
iris,1,2,weka.classifiers.lazy.IBk,'-K 1 -A \"weka.core.neighboursearch.LinearNNSearch -A \\\"weka.core.EuclideanDistance -R first-last\\\"\", -W 0',8.0,4.0,1.0
`

func TestReadCounts(t *testing.T) {
	t.Parallel()
	got, err := readCounts(strings.NewReader(results), "weka.csv")
	require.NoError(t, err)
	assert.Equal(t, map[record.Cell]counts{
		{Data: "a 'set', quoted", Learner: "nb", Run: 1, Fold: 1}: {train: 9, test: 3, correct: 2},
		{Data: "iris", Learner: "nn", Run: 1, Fold: 2}:            {train: 8, test: 4, correct: 1},
	}, got)
}

func TestReadCountsErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ old, new, want string }{
		"unknown scheme": {"IBk", "KStar", `weka.csv:3: unexpected scheme "weka.classifiers.lazy.KStar"`},
		"quote":          {"quoted',", "quoted,", "weka.csv:2: no closing quote"},
		"fraction": {
			"9.0,", "9.5,",
			"weka.csv:2: column Number_of_training_instances is not a whole number",
		},
		"no number": {
			"8.0,", "?,",
			"weka.csv:3: column Number_of_training_instances is not a whole number",
		},
		"no column":  {"Number_correct", "Correct", "weka.csv:2: no column Number_correct"},
		"short line": {",4.0,1.0", ",4.0", "weka.csv:3: no column Number_correct"},
		"double": {
			"iris,1,2,weka.classifiers.lazy.IBk",
			"'a \\'set\\', quoted',1,1,weka.classifiers.bayes.NaiveBayes",
			"weka.csv:3: data set a 'set', quoted, learner nb, run 1, fold 1 is there twice",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			damaged := strings.Replace(results, test.old, test.new, 1)
			require.NotEqual(t, results, damaged)
			_, err := readCounts(strings.NewReader(damaged), "weka.csv")
			require.EqualError(t, err, test.want)
		})
	}
}

func TestOurCounts(t *testing.T) {
	t.Parallel()
	file := func(accuracy ...float64) *record.File {
		digest := strings.Repeat("0", 64)
		b, err := record.NewBlock(record.Header{
			Data: "iris", Protocol: "cv runs=1 folds=4 stratified seed=1 v1", DataDigest: digest,
			SplitDigest: digest,
		}, []string{"nn"}, []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}}, 0)
		require.NoError(t, err)
		tr := record.Trial{
			Data: "iris", Learner: "nn", Run: 1, Fold: 2, TrainN: 8, TestN: 3,
			Values: accuracy,
		}
		if len(accuracy) == 0 {
			tr.Err = "boom"
		}
		require.NoError(t, b.Add(tr))
		return record.NewFile(b)
	}
	got, err := ourCounts(file(2. / 3))
	require.NoError(t, err)
	assert.Equal(t, map[record.Cell]counts{{Data: "iris", Learner: "nn", Run: 1, Fold: 2}: {8, 3, 2}},
		got)
	_, err = ourCounts(file())
	require.EqualError(t, err, "no accuracy for data set iris, learner nn, run 1, fold 2: boom")
}

func TestCompare(t *testing.T) {
	t.Parallel()
	cell := record.Cell{Data: "iris", Learner: "nn", Run: 1, Fold: 2}
	other := record.Cell{Data: "iris", Learner: "c45", Run: 1, Fold: 2}
	one := func(correct int) map[record.Cell]counts {
		return map[record.Cell]counts{cell: {8, 3, correct}, other: {8, 3, correct}}
	}
	d, err := compare(one(1), one(1))
	require.NoError(t, err)
	assert.Empty(t, d)
	assert.Equal(t, "none", d.String())

	d, err = compare(one(2), one(1))
	require.NoError(t, err)
	assert.Equal(t, differences{
		{other, counts{8, 3, 2}, counts{8, 3, 1}},
		{cell, counts{8, 3, 2}, counts{8, 3, 1}},
	}, d)
	assert.Equal(t, "1 of c45, 1 of nn", d.String())
	assert.Equal(t, "data set iris, learner c45, run 1, fold 2: 2 of 3 test examples correct after 8 for training, Weka 1 of 3 after 8\nand 1 more", d.first(1))

	_, err = compare(map[record.Cell]counts{cell: {8, 3, 1}}, map[record.Cell]counts{other: {8, 3, 1}})
	require.EqualError(t, err, "no result of Weka for data set iris, learner nn, run 1, fold 2")
	_, err = compare(map[record.Cell]counts{cell: {8, 3, 1}}, one(1))
	require.EqualError(t, err, "1 results, Weka has 2")
}

func TestPercentCorrect(t *testing.T) {
	t.Parallel()
	assert.Equal(t, map[string]float64{"nn": 50, "c45": 100}, percentCorrect(map[record.Cell]counts{
		{Data: "iris", Learner: "nn", Run: 1, Fold: 1}:  {9, 3, 3},
		{Data: "iris", Learner: "nn", Run: 1, Fold: 2}:  {9, 5, 1},
		{Data: "iris", Learner: "c45", Run: 1, Fold: 1}: {9, 2, 2},
	}))
}
