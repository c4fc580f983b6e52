package imports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
)

// Texts of files predictions.csv of two folds.
const (
	amlbFold0 = "no,\"yes, sir\",predictions,truth\n0.9,0.1,no,no\n0.2,0.8,\"yes, sir\",no\n0.3,0.7,\"yes, sir\",\"yes, sir\"\n"
	amlbFold1 = "no,\"yes, sir\",predictions,truth\n0.6,0.4,no,\"yes, sir\"\n0.75,0.25,no,no\n"
)

// writeTree writes files below a directory.
func writeTree(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

func openAMLB(o Options, dir string, learners []string, paths ...string) (*Results, error) {
	for i := range paths {
		paths[i] = filepath.Join(dir, paths[i])
	}
	f, err := Lookup(formatAMLBPredictions)
	if err != nil {
		return nil, err
	}
	return Open(f, o, paths, learners)
}

// swapColumns exchanges the names of the columns.
func swapColumns(text string) string {
	return strings.Replace(text, "predictions,truth", "truth,predictions", 1)
}

// exchanged exchanges the cells of the columns, under the same names.
func exchanged(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		line = strings.ReplaceAll(line, "\"yes, sir\"", "YES")
		f := strings.Split(line, ",")
		if n := len(f); i > 0 {
			f[n-1], f[n-2] = f[n-2], f[n-1]
		}
		b.WriteString(strings.ReplaceAll(strings.Join(f, ","), "YES", "\"yes, sir\"") + "\n")
	}
	return b.String()
}

// Predictions of the AutoML Benchmark become predictions that prove the scores; swapped columns are
// taken for each other.
func TestAMLBPredictions(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{
		"flaml.small.1h8c.local.20260102T030405/predictions/churn/0/predictions.csv": amlbFold0,
		"flaml.small.1h8c.local.20260102T030405/predictions/churn/1/predictions.csv": amlbFold1,
		"flaml.small.1h8c.local.20260102T030405/predictions/churn/1/metadata.json":   "{}",
		"other/predictions/churn/0/predictions.csv":                                  exchanged(amlbFold0),
		"other/predictions/churn/1/predictions.csv":                                  exchanged(amlbFold1),
	})
	o := Options{
		Measures:    []Measure{{Column: "accuracy"}, {Column: "brier"}, {Column: "macro-f1"}},
		Predictions: true, Probabilities: predictions.OfAll,
	}
	res, err := openAMLB(o, dir, nil, "flaml.small.1h8c.local.20260102T030405", "other")
	require.NoError(t, err)
	require.Len(t, res.Blocks, 1)
	b := res.Blocks[0]
	require.Equal(t, "churn", b.Header.Data)
	require.Equal(t, []string{"flaml", "other"}, b.Learners)
	require.Contains(t, strings.Join(res.Notes, "\n"),
		"other/predictions/churn: predictions and truth are swapped in the file")
	kept, proof, err := predictions.Of(b, res.Predictions)
	require.NoError(t, err)
	require.Empty(t, proof.Others)
	require.Equal(t, 4, proof.Trials)
	require.Equal(t, []string{"no", "yes, sir"}, kept.Classes)
	truth := make([]int, kept.Examples)
	for i := range truth {
		truth[i] = kept.Truth(i)
		require.Equal(t, kept.Run("flaml", 1).Class(i), kept.Run("other", 1).Class(i))
	}
	require.Equal(t, []int{0, 0, 1, 1, 0}, truth)
	got := make(map[record.Cell][]float64)
	for x := range b.Trials() {
		require.Equal(t, [2]int{5 - x.TestN, 3 - x.Fold + 1}, [2]int{x.TrainN, x.TestN})
		got[x.Cell()] = append([]float64{}, x.Values...)
	}
	first := got[record.Cell{Data: "churn", Learner: "flaml", Run: 1, Fold: 1}]
	require.InDelta(t, 2.0/3, first[0], 1e-15)
	require.InDelta(t, 2*(0.1*0.1+0.8*0.8+0.3*0.3)/3, first[1], 1e-15)
	require.Equal(t, first, got[record.Cell{Data: "churn", Learner: "other", Run: 1, Fold: 1}])

	// With names of one's own, and without predictions.
	res, err = openAMLB(Options{}, dir, []string{"a", "b"}, "flaml.small.1h8c.local.20260102T030405",
		"other/predictions")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, res.Blocks[0].Learners)
	require.Empty(t, res.Predictions)
	require.Len(t, res.Blocks[0].Units, 1)
}

// Two columns are regression. Nothing tells whether they are swapped, so that only some metrics are
// computed.
func TestAMLBPredictionsOfNumbers(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{
		"x/predictions/houses/0/predictions.csv": "predictions,truth\n1.5,1\n2,2\n",
		"x/predictions/houses/1/predictions.csv": "predictions,truth\n3,3.25\n4,4\n",
	})
	res, err := openAMLB(Options{Predictions: true}, dir, nil, "x")
	require.NoError(t, err)
	_, proof, err := predictions.Of(res.Blocks[0], res.Predictions)
	require.NoError(t, err)
	require.Equal(t, []string{"rmse"}, proof.Metrics)
	_, err = openAMLB(Options{Measures: []Measure{{Column: "r2"}}}, dir, nil, "x")
	require.ErrorIs(t, err, ErrOptions)
	require.ErrorContains(t, err, "r2 depends on that")
}

func TestAMLBPredictionsThatAreRefused(t *testing.T) {
	t.Parallel()
	const at, next = "x/predictions/churn/0/predictions.csv", "x/predictions/churn/1/predictions.csv"
	for _, c := range []struct {
		name, want string
		files      map[string]string
	}{
		{
			"a fold that is missing", "fold 1 of task churn by x is missing, and there are 2",
			map[string]string{at: amlbFold0, "x/predictions/churn/2/predictions.csv": amlbFold1},
		},
		{
			"no folds in the path", "it must be in the directory of its fold",
			map[string]string{"x/predictions.csv": amlbFold0},
		},
		{
			"another truth", "predictions.csv:2: the truth is \"yes, sir\", and \"no\" in this row of",
			map[string]string{
				at: amlbFold0, next: amlbFold1,
				"y/predictions/churn/0/predictions.csv": strings.Replace(amlbFold0, "no,no\n",
					"no,\"yes, sir\"\n", 1), "y/predictions/churn/1/predictions.csv": amlbFold1,
			},
		},
		{"another partition", "other numbers of rows", map[string]string{
			at: amlbFold0, next: amlbFold1, "y/predictions/churn/0/predictions.csv": amlbFold0 +
				"0.9,0.1,no,no\n", "y/predictions/churn/1/predictions.csv": amlbFold1,
		}},
		{"neither is the surest", "column \"predictions\" is \"no\", but the class of the greatest confidence is \"yes, sir\", here and in 1 rows in all: no file says which it is", map[string]string{
			at: strings.Replace(amlbFold0, "0.2,0.8,\"yes, sir\",no", "0.2,0.8,no,no", 1), next: amlbFold1,
		}},
		{"other classes", "has other columns than fold 0", map[string]string{
			at:   amlbFold0,
			next: strings.Replace(amlbFold1, "no,\"yes, sir\"", "no,maybe", 1),
		}},
		{"swapped names", "there is no column", map[string]string{at: "no,yes,p,truth\n1,0,no,no\n"}},
		{
			"another order of columns", "the column truth does not follow the column predictions",
			map[string]string{at: swapColumns(amlbFold0)},
		},
		{
			"a value that is missing", "there is no value",
			map[string]string{at: "no,yes,predictions,truth\n1,0,,no\n"},
		},
		{
			"a probability that is no number", "is not a finite number",
			map[string]string{at: "no,yes,predictions,truth\nx,0,no,no\n"},
		},
		{"no rows", "has no predictions", map[string]string{at: "no,yes,predictions,truth\n"}},
		{"no file", "there is no file predictions.csv in it", map[string]string{"x/results.csv": ""}},
	} {
		dir := writeTree(t, c.files)
		_, err := openAMLB(Options{}, dir, nil, ".")
		require.ErrorContains(t, err, c.want, c.name)
	}
	dir := writeTree(t, map[string]string{at: amlbFold0, next: amlbFold1})
	for want, o := range map[string]Options{
		"Folds (-folds) does not apply":     {Folds: 2},
		"Where (-where) does not apply":     {Where: []Condition{{"truth", "no"}}},
		"unknown metric":                    {Measures: []Measure{{Column: "f9"}}},
		"Dataset (-dataset) does not apply": {Dataset: "churn"},
	} {
		_, err := openAMLB(o, dir, nil, "x")
		require.ErrorIs(t, err, ErrOptions)
		require.ErrorContains(t, err, want)
	}
	_, err := openAMLB(Options{}, dir, []string{"a", "b"}, "x")
	require.ErrorContains(t, err, "2 learners (-learner) for 1 directories")
	_, err = openAMLB(Options{}, dir, nil, at, at)
	require.ErrorContains(t, err, "is there already")
}
