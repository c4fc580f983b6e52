package imports

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// sklearnOptions are the options for the files tree and bayes.
func sklearnOptions() Options {
	return Options{
		Dataset: "iris", Folds: 5, Examples: map[string]int{"": 150},
		Partitions: "RepeatedStratifiedKFold(random_state=1)",
	}
}

func TestSklearn(t *testing.T) {
	t.Parallel()
	paths := []string{testdata("sklearn", "tree.json"), testdata("sklearn", "bayes.csv")}
	res := open(t, "sklearn", sklearnOptions(), paths, []string{"tree", "bayes"})
	require.Len(t, res.Blocks, 1)
	b := res.Blocks[0]
	require.Regexp(t, "^predefined runs=2 folds=5 sha256=[0-9a-f]{64} seed=1 v1$", b.Header.Protocol)
	require.Equal(t, "imported from sklearn: data identified by name and size, partitions by name",
		b.Header.Toolchain)
	require.Equal(t, []string{"tree", "bayes"}, b.Learners)
	require.Equal(t, []unit.Unit{metric.Accuracy().Unit, metric.LogLoss().Unit}, b.Units)
	require.Equal(t, []float64{
		0.9, 1, 0.9333333333333333, 0.9666666666666667, 0.9, 0.9666666666666667,
		0.8666666666666667, 0.9666666666666667, 0.9333333333333333, 0.9,
	},
		scoresOf(b, "tree", 0))
	require.Equal(t, 0.32863942750834474, scoresOf(b, "tree", 1)[0])
	require.Equal(t, 120, trials(b)[0].TrainN)
	require.Positive(t, trials(b)[0].FitSeconds)

	pairs, err := record.Pair(record.NewFile(b).Of("iris", "tree"),
		record.NewFile(b).Of("iris", "bayes"), "accuracy")
	require.NoError(t, err)
	require.Equal(t, []int{2, 5}, []int{pairs.Runs, pairs.Folds})
}

func TestSklearnLayoutsAreTheSame(t *testing.T) {
	t.Parallel()
	want := open(t, "sklearn", sklearnOptions(), []string{testdata("sklearn", "tree.json")},
		[]string{"tree"})
	for _, name := range []string{"tree.csv", "tree-columns.json", "tree-records.json"} {
		got := open(t, "sklearn", sklearnOptions(), []string{testdata("sklearn", name)}, []string{"tree"})
		require.Equal(t, want.Blocks[0].Header, got.Blocks[0].Header, name)
		require.Equal(t, trials(want.Blocks[0]), trials(got.Blocks[0]), name)
	}
}

// Results of other partitions are never paired.
func TestOtherPartitionsDoNotPair(t *testing.T) {
	t.Parallel()
	side := func(partitions, learner string) record.Selection {
		o := sklearnOptions()
		o.Partitions = partitions
		res := open(t, "sklearn", o, []string{testdata("sklearn", learner+".json")}, []string{learner})
		return record.NewFile(res.Blocks...).Of("iris", learner)
	}
	_, err := record.Pair(side("seed 1", "tree"), side("seed 1", "bayes"), "accuracy")
	require.NoError(t, err)
	_, err = record.Pair(side("seed 1", "tree"), side("seed 2", "bayes"), "accuracy")
	require.ErrorIs(t, err, record.ErrMismatch)
}

func TestSklearnSizesAreThoseOfKFold(t *testing.T) {
	t.Parallel()
	o := sklearnOptions()
	o.Folds, o.Examples = 5, map[string]int{"iris": 152}
	res := open(t, "sklearn", o, []string{testdata("sklearn", "tree.json")}, []string{"tree"})
	var tested []int
	for trial := range res.Blocks[0].Trials() {
		tested = append(tested, trial.TestN)
	}
	require.Equal(t, []int{31, 31, 30, 30, 30, 31, 31, 30, 30, 30}, tested)
	o.Tables = []*dataset.Table{uci.Iris()}
	o.Examples = nil
	res = open(t, "sklearn", o, []string{testdata("sklearn", "tree.json")}, []string{"tree"})
	digest, err := uci.Iris().Digest()
	require.NoError(t, err)
	require.Equal(t, digest, res.Blocks[0].Header.DataDigest)
}

// A fit that failed is a failed trial, and nothing is judged.
func TestSklearnFailedFit(t *testing.T) {
	t.Parallel()
	o := sklearnOptions()
	o.Measures = []Measure{{Column: "test_score", Name: "accuracy"}}
	res := open(t, "sklearn", o, []string{testdata("sklearn", "failed.json")}, []string{"tree"})
	failed := record.NewFile(res.Blocks...).Failures()
	require.Len(t, failed, 1)
	require.Equal(t, record.Cell{Data: "iris", Learner: "tree", Run: 1, Fold: 1}, failed[0].Cell())
	require.Equal(t, "scikit-learn has no score (NaN): the fit failed", failed[0].Err)
}

func TestMLR3(t *testing.T) {
	t.Parallel()
	o := Options{Folds: 5, Examples: map[string]int{"iris": 150}, Partitions: "set.seed(1)"}
	res := open(t, "mlr3", o, []string{testdata("mlr3", "scores.csv")}, nil)
	b := res.Blocks[0]
	require.Equal(t, []string{"classif.rpart", "classif.naive_bayes"}, b.Learners)
	require.Equal(t, []unit.Unit{metric.Accuracy().Unit, metric.Error().Unit}, b.Units)
	require.True(t, b.Timeless)
	require.Equal(t, 2, b.Runs())
	require.Equal(t, []float64{0.8, 0.933333333333333}, scoresOf(b, "classif.rpart", 0)[:2])
	res, err := readText(t, "mlr3", o, "",
		"task_id,learner_id,resampling_id,iteration,regr.rmse,time_train,time_predict\niris,l,cv,1,0.5,1.5,0.25\niris,l,cv,2,0.5,1.5,0\niris,l,cv,3,,1.5,0\niris,l,cv,4,0.5,1.5,0\niris,l,cv,5,0.5,1.5,0\n")
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	require.Equal(t, 0.25, trials(res.Blocks[0])[0].PredictSec)
	require.Equal(t, "mlr3 has no score (NA): the learner failed", trials(res.Blocks[0])[2].Err)
	o = Options{Folds: 1, Partitions: "set.seed(1)"}
	res, err = readText(t, "mlr3", o, "",
		"task_id,learner_id,resampling_id,iteration,regr.rmse,n_train,n_test\niris,l,subsampling,1,0.5,100,50\niris,l,subsampling,2,0.5,100,50\n")
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	require.Contains(t, res.Blocks[0].Header.Protocol, "predefined runs=2 folds=1 ")
}

func TestAMLB(t *testing.T) {
	t.Parallel()
	o := Options{Folds: 10, Examples: map[string]int{"": 150}}
	res := open(t, "amlb", o, []string{testdata("amlb", "results.csv")}, nil)
	b := res.Blocks[0]
	require.Equal(t, []string{"tree", "bayes"}, b.Learners)
	require.Equal(t, []unit.Unit{metric.LogLoss().Unit}, b.Units)
	require.Equal(t, 0.19462, scoresOf(b, "tree", 0)[0])
	failed := record.NewFile(b).Failures()
	require.Len(t, failed, 1)
	require.Equal(t, record.Cause("NoResultError: Interrupting thread after 7200s,\nas asked"),
		failed[0].Err)
	require.Equal(t, 10, failed[0].Fold)

	o.Measures = []Measure{{Column: "acc"}, {Column: "logloss"}}
	res = open(t, "amlb", o, []string{testdata("amlb", "results.csv")}, nil)
	require.Equal(t, []unit.Unit{metric.Accuracy().Unit, metric.LogLoss().Unit}, res.Blocks[0].Units)
	require.Equal(t, scoresOf(b, "tree", 0), scoresOf(res.Blocks[0], "tree", 1))
	o.Measures, o.Where = nil, []Condition{{"framework", "tree"}}
	res = open(t, "amlb", o, []string{testdata("amlb", "results.csv")}, nil)
	require.Equal(t, []string{"tree"}, res.Blocks[0].Learners)

	// A framework may fail before the benchmark knows the metric.
	res, err := readText(t, "amlb", Options{Folds: 2, Examples: map[string]int{"": 10}}, "",
		"id,task,framework,fold,result,metric,info\nt/1,d,a,0,,,Error: gone\nt/1,d,a,1,0.5,auc,\n")
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	require.Equal(t, "Error: gone", trials(res.Blocks[0])[0].Err)
}

func openmlOptions() Options { return Options{Dataset: "iris"} }

func TestOpenML(t *testing.T) {
	t.Parallel()
	o := openmlOptions()
	res := open(t, "openml", o, []string{
		testdata("openml", "tree.arff"),
		testdata("openml", "bayes.arff"),
	}, []string{"tree", "bayes"})
	require.Empty(t, res.Notes)
	b := res.Blocks[0]
	require.Equal(t, "imported from openml: data identified by name and size, partitions by test examples", b.Header.Toolchain)
	require.True(t, b.Timeless)
	// The same learners on the same partitions, by scikit-learn itself.
	same := open(t, "sklearn", sklearnOptions(), []string{
		testdata("sklearn", "tree.json"),
		testdata("sklearn", "bayes.json"),
	}, []string{"tree", "bayes"})
	for _, learner := range b.Learners {
		require.NoError(t, floatcmp.Slices(scoresOf(b, learner, 0), scoresOf(same.Blocks[0], learner, 0),
			1e-15, 0))
	}
	o.Measures = []Measure{{Column: "logloss"}}
	res = open(t, "openml", o, []string{testdata("openml", "bayes.arff")}, []string{"bayes"})
	require.NoError(t, floatcmp.Slices(scoresOf(res.Blocks[0], "bayes", 0),
		scoresOf(same.Blocks[0], "bayes", 1), 1e-5, 0))
}

// The columns of prediction and truth are found out by the confidences, and by the data.
func TestOpenMLSwappedColumns(t *testing.T) {
	t.Parallel()
	for _, tables := range [][]*dataset.Table{nil, {uci.Iris()}} {
		o := openmlOptions()
		o.Tables = tables
		o.Measures = []Measure{{Column: "balanced-accuracy"}, {Column: "logloss"}, {Column: "macro-f1"}}
		want := open(t, "openml", o, []string{testdata("openml", "tree.arff")}, []string{"tree"})
		require.Empty(t, want.Notes)
		got := open(t, "openml", o, []string{testdata("openml", "tree-swapped.arff")}, []string{"tree"})
		require.Equal(t, trials(want.Blocks[0]), trials(got.Blocks[0]))
		require.Equal(t, want.Blocks[0].Header, got.Blocks[0].Header)
		require.Equal(t, []string{"testdata/openml/tree-swapped.arff: prediction and correct are swapped in the file, as by some clients of OpenML, and were taken for each other"},
			[]string{filepath.ToSlash(got.Notes[0])})
	}
}

// small is a file of four examples in two folds, with these predictions, truths and
// confidences of b.
func small(rows ...string) string {
	text := "@relation r\n@attribute repeat numeric\n@attribute fold numeric\n@attribute row_id numeric\n@attribute prediction {a,b}\n@attribute correct {a,b}\n@attribute confidence.a numeric\n@attribute confidence.b numeric\n@data\n"
	for i, row := range rows {
		text += []string{"0,0,0,", "0,0,1,", "0,1,2,", "0,1,3,"}[i] + row + "\n"
	}
	return text
}

func TestOpenMLThatNothingDecides(t *testing.T) {
	t.Parallel()
	// A learner whose prediction is not the surest class, and that is wrong: only data can tell.
	text := small("a,a,0.9,0.1", "b,a,0.9,0.1", "b,b,0.1,0.9", "b,a,0.4,0.6")
	_, err := readText(t, "openml", Options{Dataset: "d"}, "l", text)
	require.EqualError(t, err, `f:11: column "prediction" is "b", but the class of the greatest confidence is "a", here and in 1 rows in all: clients have swapped it with the truth, and only the data can tell: give them with Tables (-data)`)
	data, err := dataset.New("d", []dataset.Column{{Attribute: dataset.Attribute{
		Name: "class",
		Kind: dataset.Nominal, Values: []string{"b", "a"},
	}, Codes: []int32{1, 1, 0, 1}}}, 0, nil)
	require.NoError(t, err)
	res, err := readText(t, "openml", Options{Dataset: "d", Tables: []*dataset.Table{data}}, "l", text)
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	require.Equal(t, []float64{0.5, 0.5}, scoresOf(res.Blocks[0], "l", 0))
	other, err := dataset.New("d",
		[]dataset.Column{{Attribute: dataset.Attribute{
			Name: "class", Kind: dataset.Nominal,
			Values: []string{"b", "a"},
		}, Codes: []int32{1, 0, 1, 1}}}, 0, nil)
	require.NoError(t, err)
	_, err = readText(t, "openml", Options{Dataset: "d", Tables: []*dataset.Table{other}}, "l", text)
	require.EqualError(t, err, `f:11: column "correct" is "a", but the truth in the data is "b", here and in 2 rows in all: give the right data`)

	// Without confidences that differ, a metric must not depend on which is which.
	text = small("a,a,0.5,0.5", "b,a,0.5,0.5", "b,b,0.5,0.5", "b,a,0.5,0.5")
	_, err = readText(t, "openml", Options{Dataset: "d"}, "l", text)
	require.NoError(t, err)
	_, err = readText(t, "openml", Options{Dataset: "d", Measures: []Measure{{Column: "macro-f1"}}},
		"l", text)
	require.ErrorContains(t, err, "macro-f1 depends on that: give the data with Tables (-data)")
}

func TestOpenMLRegression(t *testing.T) {
	t.Parallel()
	const text = "@relation r\n@attribute repeat numeric\n@attribute fold numeric\n@attribute row_id numeric\n@attribute prediction numeric\n@attribute truth numeric\n@data\n0,0,1,1,2\n0,1,0,3,3\n"
	res, err := readText(t, "openml", Options{Dataset: "d"}, "l", text)
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	require.Equal(t, []unit.Unit{metric.RMSE().Unit}, res.Blocks[0].Units)
	require.Equal(t, []float64{1, 0}, scoresOf(res.Blocks[0], "l", 0))
}

func TestOpenUnpacks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(testdata("weka", "experiment.csv"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "packed")
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	res := open(t, "weka", Options{}, []string{path}, nil)
	require.Equal(t, open(t, "weka", Options{}, []string{testdata("weka", "experiment.csv")},
		nil).Blocks[0].Checksum(), res.Blocks[0].Checksum())
	_, err = Open(format(t, "weka"), Options{Limits: Limits{Bytes: 20000}}, []string{path}, nil)
	require.ErrorIs(t, err, ErrLimit)
}

func TestWekaQuotes(t *testing.T) {
	t.Parallel()
	const head = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Number_of_training_instances,Number_of_testing_instances,Percent_correct,Elapsed_Time_training,Elapsed_Time_testing\n"
	text := head + `'it\'s, d',1,1,weka.classifiers.functions.SMO,'-K \"PolyKernel -C 1\" -x \t\\',5,5,60,1,2` + "\r\n\n" +
		`"it's, d",1,2,weka.classifiers.functions.SMO,"-K ""PolyKernel -C 1"" -x 	\",5,5,60,?,2`
	res, err := readText(t, "weka", Options{}, "", text)
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	b := res.Blocks[0]
	require.Equal(t, "it's, d", b.Header.Data)
	require.Equal(t, []string{"functions.SMO -K \"PolyKernel -C 1\" -x \t\\"}, b.Learners)
	require.True(t, b.Timeless, "a time is not known")
	res, err = readText(t, "weka", Options{}, "", strings.Replace(text, "?", "3", 1))
	require.NoError(t, err)
	require.Equal(t, []float64{1, 2, 3, 2}, []float64{
		trials(res.Blocks[0])[0].FitSeconds,
		trials(res.Blocks[0])[0].PredictSec, trials(res.Blocks[0])[1].FitSeconds,
		trials(res.Blocks[0])[1].PredictSec,
	})
}

func TestFormatsAreNamed(t *testing.T) {
	t.Parallel()
	_, err := Lookup("caret")
	require.EqualError(t, err, `unknown format "caret": the formats are weka, sklearn, sklearn-search, mlr3, amlb, amlb-predictions, openml, table`)
	_, err = Read(Format{}, Options{}, Source{})
	require.ErrorIs(t, err, ErrOptions)
	for _, list := range [][]known{wekaMeasures(), sklearnMeasures(), mlr3Measures(), amlbMeasures()} {
		seen := make(map[string]bool)
		for _, k := range list {
			require.False(t, seen[k.column], k.column)
			seen[k.column] = true
			_, err := record.NewBlock(record.Header{
				Protocol: "loo seed=1 v1", DataDigest: digestOf("data"),
				SplitDigest: digestOf("data"),
			}, []string{"l"}, []unit.Unit{k.unit}, 0)
			require.NoError(t, err, k.column)
			require.Equal(t, k.scale == negated, strings.Contains(k.column, "neg_"), k.column)
			if k.scale == negated {
				require.Equal(t, unit.Lower, k.unit.Better, k.column)
			}
		}
	}
}
