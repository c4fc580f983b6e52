package imports

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/stretchr/testify/require"
)

// OpenML's predictions become predictions that prove the imported scores; swapped columns are taken
// for each other in them, too.
func TestOpenMLKeepsPredictions(t *testing.T) {
	t.Parallel()
	all := []Measure{
		{Column: "accuracy"},
		{Column: "macro-f1"},
		{Column: "logloss"},
		{Column: "brier"},
	}
	var checksums []string
	for _, tree := range []string{"tree.arff", "tree-swapped.arff"} {
		o := openmlOptions()
		o.Predictions, o.Probabilities, o.Measures = true, predictions.OfAll, all
		res := open(t, "openml", o, []string{testdata("openml", tree), testdata("openml", "bayes.arff")},
			[]string{"tree", "bayes"})
		require.Len(t, res.Predictions, 1)
		b, proof, err := predictions.Of(res.Blocks[0], res.Predictions)
		require.NoError(t, err)
		require.Empty(t, proof.Others)
		require.Equal(t, res.Blocks[0].Len(), proof.Trials)
		require.Equal(t, []string{"tree", "bayes"}, b.Learners())
		again, err := predictions.Score(b, []metric.Metric{metric.Accuracy(), metric.LogLoss()},
			predictions.Slices{})
		require.NoError(t, err)
		for _, name := range []string{"accuracy", "logloss"} {
			want, ok := res.Blocks[0].Mean("tree", name)
			got, there := again.Mean("tree", name)
			require.True(t, ok && there)
			require.Equal(t, want, got)
		}
		checksums = append(checksums, res.Blocks[0].Header.Predictions)
	}
	require.Equal(t, checksums[0], checksums[1])

	o := openmlOptions()
	require.Empty(t, open(t, "openml", o, []string{testdata("openml", "tree.arff")},
		[]string{"tree"}).Predictions)
	res, err := readText(t, "openml", Options{
		Dataset: "d", Predictions: true,
		Measures: []Measure{{Column: metric.RMSE().Name}},
	}, "l", regressionText)
	require.NoError(t, err)
	_, proof, err := predictions.Of(res.Blocks[0], res.Predictions)
	require.NoError(t, err)
	require.Equal(t, []string{"rmse"}, proof.Metrics)
}

const regressionText = `@relation p
@attribute repeat numeric
@attribute fold numeric
@attribute row_id numeric
@attribute prediction numeric
@attribute correct numeric
@data
0,0,0,1.5,1
0,0,1,2.5,2
0,1,2,3.25,3
0,1,3,4.5,4
`

// Files that do not go together, or have no predictions, are refused.
func TestPredictionsThatAreNotImported(t *testing.T) {
	t.Parallel()
	_, err := readText(t, "amlb", Options{Folds: 2, Predictions: true}, "",
		"id,task,framework,fold,result,metric\n")
	require.ErrorIs(t, err, ErrOptions)
	require.ErrorContains(t, err, "Predictions (-predictions) are in files of formats openml and amlb-predictions, and not of format amlb")
	_, err = readText(t, "openml", Options{
		Dataset: "d", Predictions: true,
		Probabilities: predictions.OfTruth,
	}, "l", regressionText)
	require.ErrorContains(t, err, "probabilities")
	k := kept{learner: "b", source: "b.arff", of: &openml{classes: []string{"x", "y"}}}
	require.ErrorContains(t, k.addTo(new(predictions.Block), &openml{classes: []string{"y", "x"}}),
		"b.arff declares other classes")
	one := func(y float64) *openml {
		return &openml{classes: []string{"x", "y"}, tested: []tested{{}}, true: []float64{y}, examples: 1}
	}
	k.of = one(1)
	require.ErrorContains(t, k.addTo(new(predictions.Block), one(0)),
		"the truth of row_id 0 is \"y\", and \"x\" in the file before it")
	require.ErrorContains(t, k.addTo(&predictions.Block{Header: predictions.Header{Probabilities: predictions.OfAll}}, one(1)), "b.arff has no confidences")
}
