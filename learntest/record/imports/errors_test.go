package imports

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

const (
	wekaHead = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Number_of_training_instances,Number_of_testing_instances,Percent_correct\n"
	mlr3Head = "task_id,learner_id,resampling_id,iteration,classif.acc\n"
	amlbHead = "id,task,framework,constraint,fold,result,metric,info\n"
)

// wekaTwo are two folds of a run.
const wekaTwo = wekaHead + "d,1,1,s,'',50,50,60\nd,1,2,s,'',50,50,70\n"

func TestWrongFiles(t *testing.T) {
	t.Parallel()
	mlr3 := Options{Folds: 2, Examples: map[string]int{"": 10}, Partitions: "p"}
	amlb := Options{Folds: 2, Examples: map[string]int{"": 10}}
	sklearn := Options{
		Dataset: "d", Folds: 2, Examples: map[string]int{"": 10}, Partitions: "p",
		Measures: []Measure{{Column: "test_score", Name: "accuracy"}},
	}
	openml := Options{Dataset: "d"}
	for _, c := range []struct {
		name, format string
		opts         Options
		text, want   string
	}{
		{"empty", "weka", Options{}, "", "f:1: the file is empty: no line names the columns"},
		{"no rows", "weka", Options{}, wekaHead, "f has no result"},
		{
			"another file", "weka",
			Options{},
			"a,b\n1,2\n",
			`f:1: there is no column "Key_Dataset": the columns are a, b`,
		},
		{
			"no sizes", "weka",
			Options{},
			strings.Replace(wekaTwo, "Number_of_testing_instances", "x", 1),
			`f:1: there is no column "Number_of_testing_instances": the columns are Key_Dataset`,
		},
		{
			"averages", "weka",
			Options{},
			"Key_Dataset,Key_Run,Avg_Percent_correct\n",
			"f:1: these are averages of runs (Avg_ columns), of which no fold is known: store the results of CrossValidationResultProducer itself",
		},
		{
			"fold 0", "weka",
			Options{},
			strings.Replace(wekaTwo, "d,1,1,", "d,1,0,", 1),
			`f:2: column "Key_Fold": "0" is not a whole number from 1 on`,
		},
		{
			"run that is no number", "weka",
			Options{},
			strings.Replace(wekaTwo, "d,1,1,", "d,x,1,", 1),
			`f:2: column "Key_Run": "x" is not a finite number`,
		},
		{
			"no score", "weka",
			Options{},
			strings.Replace(wekaTwo, "70", "?", 1),
			`f:3: column "Percent_correct": "?" is not a finite number`,
		},
		{
			"NaN", "weka",
			Options{},
			strings.Replace(wekaTwo, "70", "NaN", 1),
			`f:3: column "Percent_correct": "NaN" is not a finite number`,
		},
		{
			"out of range", "weka",
			Options{},
			strings.Replace(wekaTwo, "70", "170", 1),
			`f:3: accuracy is 1.7, which is not from 0 to 1`,
		},
		{
			"twice", "weka",
			Options{},
			wekaTwo + "d,1,2,s,'',50,50,70\n",
			`f:4: data set d, learner s, run 1, fold 2 is there already, in line 3`,
		},
		{
			"missing", "weka",
			Options{},
			wekaTwo + "d,2,1,s,'',50,50,70\n",
			`f: under 2 runs of 2 folds: trials are missing: data set d, learner s, run 2, fold 2`,
		},
		{
			"one fold", "weka",
			Options{},
			wekaHead + "d,1,1,s,'',50,50,60\n",
			`f:1: there is one fold of data set "d" only: the experiment was not run to its end`,
		},
		{
			"a part of the folds", "weka",
			Options{},
			wekaHead + "d,1,1,s,'',90,10,60\nd,1,2,s,'',90,10,70\n",
			`f:2: invalid record: data set d, learner s, run 1, fold 1: 10 of 100 examples are no test set of 2 even folds`,
		},
		{
			"sizes that differ", "weka",
			Options{},
			wekaTwo + "d,2,1,s,'',50,51,70\nd,2,2,s,'',50,50,70\n",
			`f:4: 50 training and 51 test examples are 101, not the 100 of data set "d"`,
		},
		{
			"sizes that are not those given", "weka",
			Options{Examples: map[string]int{"d": 99}},
			wekaTwo,
			`f:2: 50 training and 50 test examples are 100, not the 99 of data set "d"`,
		},
		{
			"size 0", "weka",
			Options{},
			strings.Replace(wekaTwo, "50,50", "100,0", 1),
			`f:2: column "Number_of_testing_instances": "0" is not a whole number from 1 on`,
		},
		{"fields", "weka", Options{}, wekaTwo + "d,2\n", "f:4: 2 fields, but 8 columns"},
		{
			"open quote", "weka",
			Options{},
			wekaTwo + "d,2,1,'s\n",
			"f:4: the quote that begins field 4 is not closed",
		},
		{
			"text after a quote", "weka",
			Options{},
			wekaTwo + "d,2,1,'s't\n",
			`f:4: "t" follows the closing quote of field 4`,
		},
		{"two columns", "weka", Options{}, "a,a\n", `f:1: there are two columns "a"`},
		{"ARFF", "weka", Options{}, "@relation r\n@attribute a numeric\n@data\nx\n", `f:4: `},
		{
			"ARFF of something else", "weka",
			Options{},
			"% comment\n@relation r\n@attribute a numeric\n@data\n1\n",
			`f:1: there is no column "Key_Dataset": the columns are a`,
		},
		{
			"unknown measure", "weka",
			Options{Measures: []Measure{{Column: "Key_Run"}}},
			wekaTwo,
			`f: invalid import options: what the scores in column "Key_Run" are is not known: name a metric (accuracy, `,
		},
		{
			"wrong direction", "weka",
			Options{Measures: []Measure{{
				Column: "Percent_correct",
				Better: unit.Lower,
			}}},
			wekaTwo,
			`f: invalid import options: accuracy is better if it is higher, not lower`,
		},
		{
			"no such measure", "weka",
			Options{Measures: []Measure{{Column: "x"}}},
			wekaTwo,
			`invalid import options: f has no column "x": choose of Key_Dataset, Key_Run, `,
		},
		{
			"no such condition", "weka",
			Options{Where: []Condition{{"x", ""}}},
			wekaTwo,
			`invalid import options: f has no column "x" for a condition of Where (-where): it has Key_Dataset, `,
		},
		{
			"condition that nothing meets", "weka",
			Options{Where: []Condition{{"Key_Run", "7"}}},
			wekaTwo,
			`f has no result that meets all conditions of Where (-where)`,
		},
		{
			"examples of something else", "weka",
			Options{Examples: map[string]int{"e": 99}},
			wekaTwo,
			`invalid import options: no results are of data set "e", of which there is a number of examples: f has ["d"]`,
		},

		{
			"no sizes", "sklearn",
			Options{Dataset: "d", Folds: 2, Partitions: "p"},
			"test_accuracy\n1\n1\n",
			`invalid import options: the sizes of the training and test sets on data set "d" are not in the files: give the number of examples with Examples (-examples) or Tables (-data), or columns n_train and n_test`,
		},
		{
			"score of which nothing is known", "sklearn",
			Options{Dataset: "d", Folds: 2, Partitions: "p"},
			"test_score\n1\n1\n", `f: invalid import options: what the scores in column "test_score" are is not known`,
		},
		{
			"no whole run", "sklearn", sklearn, "test_score\n1\n1\n1\n",
			"invalid import options: f has 3 rows, which are no whole runs of 2 folds: give the number of folds with Folds (-folds)",
		},
		{
			"sorted", "sklearn", sklearn, ",test_score\n1,1\n0,1\n",
			"f:2: the index of the row is 1, not 0: rows must be in the order of the splits",
		},
		{
			"no scores", "sklearn", sklearn, "fit_time\n1\n",
			`invalid import options: f has no column "test_score": choose of fit_time`,
		},
		{
			"nothing at all", "sklearn",
			Options{Dataset: "d", Folds: 2, Partitions: "p"},
			"fit_time\n1\n",
			`f:1: there is no column test_score or test_*: the columns are fit_time`,
		},
		{
			"negative time", "sklearn", sklearn, "test_score,fit_time,score_time\n1,-1,1\n1,1,1\n",
			`f:2: column "fit_time": "-1" is negative`,
		},
		{
			"text", "sklearn", sklearn, "test_score\n1\nx\n",
			`f:3: column "test_score": "x" is not a finite number`,
		},
		{
			"infinite", "sklearn", sklearn, "test_score\n1\ninf\n",
			`f:3: column "test_score": "inf" is not a finite number`,
		},
		{"fields", "sklearn", sklearn, "test_score,x\n1,1\n1\n", `f:3: 1 fields, but 2 columns`},
		{
			"quotes", "sklearn", sklearn, "test_score\n\"1\n",
			`f:2: extraneous or missing " in quoted-field`,
		},
		{
			"runs", "sklearn",
			Options{
				Dataset: "d", Folds: 2, Runs: 1, Partitions: "p",
				Examples: map[string]int{"": 10},
			},
			"test_accuracy\n1\n1\n1\n1\n",
			`f:4: run 2 is not one of 1: give the number of runs with Runs (-runs)`,
		},
		{
			"fewer examples than folds", "sklearn",
			Options{
				Dataset: "d", Folds: 20, Partitions: "p",
				Examples: map[string]int{"": 10},
			},
			"test_accuracy\n" + strings.Repeat("1\n", 20),
			`invalid import options: data set "d" has 10 examples, fewer than 20 folds`,
		},
		{
			"one column of sizes", "sklearn", sklearn, "test_score,n_train\n1,1\n",
			`f:1: there is only one of the columns n_train and n_test`,
		},
		{
			"JSON of something else", "sklearn", sklearn, `{"test_score": 0.5}`,
			`f:1: "test_score": 0.5 is out of place: want a dict of lists, or a DataFrame as to_json writes it with orient columns or records`,
		},
		{
			"JSON that ends", "sklearn", sklearn, "{\"test_score\":\n[0.5,",
			`f:2: "test_score": row 1: unexpected EOF`,
		},
		{
			"JSON and more", "sklearn", sklearn, `{"test_score": [1, 1]} {}`,
			`f:1: something follows the table`,
		},
		{
			"JSON with a list in it", "sklearn", sklearn, `[{"test_score": [1]}]`,
			`f:1: row 0: "test_score": [ is not a number: `,
		},
		{
			"JSON with lists of two lengths", "sklearn", sklearn, `{"test_score": [1, 1], "fit_time": [1]}`,
			`f:1: "fit_time" has 1 values, others have 2`,
		},
		{
			"JSON with a column twice", "sklearn", sklearn, `{"test_score": [1, 1], "test_score": [1, 1]}`,
			`f:1: "test_score" is there twice`,
		},
		{
			"JSON that was sorted", "sklearn", sklearn, `{"test_score": {"1": 1, "0": 1}}`,
			`f:1: "test_score": row "1" comes where row 0 belongs: rows must be in the order of the splits`,
		},
		{
			"JSON with a field twice", "sklearn", sklearn, `[{"test_score": 1, "test_score": 1}]`,
			`f:1: row 0: "test_score" is there twice, or not in each row before`,
		},
		{
			"JSON with a row that lacks a field", "sklearn", sklearn, `[{"test_score": 1}, {}]`,
			`f:1: "test_score" has 1 values, others have 2`,
		},

		{
			"iteration 0", "mlr3", mlr3, mlr3Head + "d,l,cv,0,1\n",
			`f:2: column "iteration": "0" is not a whole number from 1 on`,
		},
		{
			"bootstrap", "mlr3", mlr3, mlr3Head + "d,l,bootstrap,1,1\n",
			`f:2: column "resampling_id": no test is known for bootstrap, whose training and test sets overlap: use repeated_cv or subsampling`,
		},
		{
			"subsampling in folds", "mlr3", mlr3, mlr3Head + "d,l,subsampling,1,1\n",
			`f:2: column "resampling_id": subsampling has one fold a run, not 2: give it with Folds (-folds)`,
		},
		{
			"subsampling without sizes", "mlr3",
			Options{
				Folds: 1, Partitions: "p",
				Examples: map[string]int{"": 10},
			},
			mlr3Head + "d,l,subsampling,1,1\n",
			`invalid import options: the sizes of one fold on data set "d" do not follow from 10 examples: add columns n_train and n_test`,
		},
		{
			"two resamplings", "mlr3", mlr3, mlr3Head + "d,l,cv,1,1\nd,k,repeated_cv,1,1\n",
			`f:3: the partitions of data set "d" are "repeated_cv p" here, but "cv p" before: choose with Where (-where)`,
		},
		{"some scores", "mlr3", mlr3, "task_id,learner_id,resampling_id,iteration,classif.acc,classif.auc\nd,l,cv,1,1,\n", `f:2: column "classif.auc": there is no value, but there are others in this row: the scorer has failed: mend it (scikit-learn shows its error with error_score='raise'), or import other columns with Measures (-measure)`},
		{
			"unknown measure", "mlr3", mlr3,
			"task_id,learner_id,resampling_id,iteration,classif.costs\nd,l,cv,1,1\n",
			`f: invalid import options: what the scores in column "classif.costs" are is not known`,
		},
		{
			"no measure", "mlr3", mlr3, "task_id,learner_id,resampling_id,iteration\nd,l,cv,1\n",
			`invalid import options: f has no column classif.* or regr.*: choose of task_id, learner_id, resampling_id, iteration with Measures (-measure)`,
		},
		{
			"more folds", "mlr3",
			Options{Folds: 3, Examples: map[string]int{"": 10}, Partitions: "p"},
			mlr3Head + "d,l,cv,1,1\nd,l,cv,2,1\n",
			`f: under 1 runs of 3 folds: trials are missing: data set d, learner l, run 1, fold 3`,
		},

		{
			"folds from 1", "amlb", amlb, amlbHead + "t,d,a,c,1,1,acc,\nt,d,a,c,2,1,acc,\n",
			`f:3: column "fold": 2 is not one of 2 folds, counted from 0: give the number of folds with Folds (-folds)`,
		},
		{
			"two constraints", "amlb", amlb, amlbHead + "t,d,a,c,0,1,acc,\nt,d,a,e,0,1,acc,\n",
			`f:3: data set d, learner a, run 1, fold 1 is there already, in line 2: if they are of two constraints, choose with Where (-where constraint=...)`,
		},
		{
			"two tasks", "amlb", amlb, amlbHead + "t,d,a,c,0,1,acc,\nu,d,a,c,1,1,acc,\n",
			`f:3: the partitions of data set "d" are "u" here, but "t" before: choose with Where (-where)`,
		},
		{
			"two metrics", "amlb", amlb, amlbHead + "t,d,a,c,0,1,acc,\nt,d,a,c,1,1,auc,\n",
			`f:3: the scores on data set "d" are of ["auc"] here, but of ["accuracy"] before: choose with Measures (-measure)`,
		},
		{
			"unknown metric", "amlb", amlb, amlbHead + "t,d,a,c,0,1,own,\n",
			`f:2: column "metric": metric "own" is not known: choose columns with Measures (-measure)`,
		},
		{
			"no metric", "amlb", amlb, "id,task,framework,fold,result\nt,d,a,0,1\n",
			`invalid import options: f has no column "metric" that says what the result is: choose of id, task, framework, fold, result with Measures (-measure)`,
		},
		{
			"no task", "amlb", amlb, amlbHead + ",d,a,c,0,1,acc,\n",
			`f:2: column "id": there is no task, which defines the partitions`,
		},
		{
			"nothing but failures", "amlb", amlb, amlbHead + "t,d,a,c,0,,,x\nt,d,a,c,1,,,x\n",
			`f: no learner has a result on data set "d", and so the metric is not known`,
		},

		{
			"folds from 1", "openml", openml,
			strings.ReplaceAll(strings.ReplaceAll(small("a,a,1,0", "a,a,1,0", "a,a,1,0"), "0,1,", "0,2,"),
				"0,0,", "0,1,"), `the lowest repeat is 0 and the lowest fold 1, but OpenML counts them from 0`,
		},
		{"a row that is not there", "openml", openml, strings.Replace(small("a,a,1,0", "a,a,1,0"),
			"0,0,1,", "0,1,2,", 1), `f:1: there is a row_id 2, but there are 2 rows only, and so the training sets are not known: every row_id from 0 on must be there`},
		{
			"a repetition that is not complete", "openml", openml, strings.NewReplacer("0,1,3,",
				"1,0,0,").Replace(small("a,a,1,0", "a,a,1,0", "a,a,1,0", "a,a,1,0")),
			`f:13: repeat 1 tests 1 of 3 examples, and so the training sets are not known: every row_id from 0 to 2 must be there`,
		},
		{"a row twice", "openml", openml, strings.Replace(small("a,a,1,0", "a,a,1,0", "a,a,1,0"),
			"0,1,2,", "0,1,1,", 1), `f:12: row_id 1 is tested in repeat 0 already, in line 11`},
		{
			"no truth", "openml", openml, strings.ReplaceAll(small("a,a,1,0"), "correct", "x"),
			`f:1: there is no column correct or truth: without the truth there is no score`,
		},
		{
			"a prediction that is not there", "openml", openml, small("a,?,1,0"),
			`f:10: column "correct": there is no value`,
		},
		{"numbers and classes", "openml", openml, strings.Replace(small("a,1,1,0"), "correct {a,b}",
			"correct numeric", 1), `f:1: prediction is nominal, correct numeric`},
		{
			"learning curves", "openml", openml, strings.Replace(small("7,a,a,1,0"),
				"@attribute prediction {a,b}\n@attribute correct {a,b}",
				"@attribute sample numeric\n@attribute prediction {a,b}\n@attribute correct {a,b}", 1),
			`f:11: column "sample": 7: learning curves are not read`,
		},
		{
			"another metric", "openml",
			Options{Dataset: "d", Measures: []Measure{{Column: "x"}}},
			small("a,a,1,0"), `invalid import options: Measures (-measure): unknown metric "x": there are accuracy, `,
		},
		{
			"conditions", "openml",
			Options{Dataset: "d", Where: []Condition{{"fold", "0"}}},
			small("a,a,1,0"), `invalid import options: Where (-where) does not apply to predictions: all examples belong to a fold`,
		},
		{
			"two truths", "openml", openml, strings.NewReplacer("0,1,2,", "1,0,0,", "0,1,3,", "1,0,1,",
				"@attribute confidence.a numeric\n@attribute confidence.b numeric\n", "", ",x",
				"").Replace(small("a,a,x", "a,b,x", "a,b,x", "a,b,x")),
			`the truth of row_id 0 is "b", but "a" in line 8: prediction and truth may be swapped, and only the data can tell: give them with Tables (-data)`,
		},
	} {
		learner := "l"
		if c.format == "weka" || c.format == "mlr3" || c.format == "amlb" {
			learner = ""
		}
		res, err := readText(t, c.format, c.opts, learner, c.text)
		require.Error(t, err, "%s, %s: %v", c.format, c.name, res)
		require.Contains(t, err.Error(), c.want, "%s, %s", c.format, c.name)
		require.Nil(t, res)
		if strings.HasPrefix(c.want, "invalid import options") || strings.HasPrefix(c.want,
			"f: invalid import options") {
			require.ErrorIs(t, err, ErrOptions)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	t.Parallel()
	two := map[string]int{"": 10}
	for _, c := range []struct {
		format  string
		opts    Options
		learner string
		want    string
	}{
		{
			"weka",
			Options{Dataset: "d"},
			"",
			"Dataset (-dataset) does not apply to format weka, whose files say it",
		},
		{"weka", Options{}, "l", "Learner (-learner) does not apply to format weka, whose files say it"},
		{
			"sklearn",
			Options{Folds: 2, Partitions: "p"},
			"l",
			"format sklearn needs Dataset (-dataset), Examples (-examples) or Tables (-data), which its files do not say",
		},
		{
			"sklearn",
			Options{Dataset: "d", Folds: 2, Partitions: "p"},
			"",
			"format sklearn needs Learner (-learner), Examples (-examples) or Tables (-data), which its files do not say",
		},
		{
			"sklearn",
			Options{Dataset: "d", Partitions: "p"},
			"l",
			"format sklearn needs Folds (-folds), Examples (-examples) or Tables (-data), which its files do not say",
		},
		{
			"sklearn",
			Options{Dataset: "d", Folds: 2, Examples: two},
			"l",
			"format sklearn needs Partitions (-partitions), which its files do not say",
		},
		{
			"sklearn",
			Options{Folds: 2, Tables: []*dataset.Table{uci.Iris()}},
			"l",
			"format sklearn needs Partitions (-partitions), which its files do not say",
		},
		{"sklearn", Options{}, "", "format sklearn needs Dataset (-dataset), Learner (-learner), Folds (-folds), Examples (-examples) or Tables (-data), Partitions (-partitions), which its files do not say"},
		{
			"mlr3",
			Options{Examples: two, Folds: 2},
			"",
			"format mlr3 needs Partitions (-partitions), which its files do not say",
		},
		{
			"mlr3",
			Options{Examples: two, Partitions: "p"},
			"",
			"format mlr3 needs Folds (-folds), which its files do not say",
		},
		{
			"amlb",
			Options{Examples: two},
			"",
			"format amlb needs Folds (-folds), which its files do not say",
		},
		{
			"amlb",
			Options{Folds: 2, Runs: 2},
			"",
			"Runs (-runs) does not apply to format amlb, whose files say it",
		},
		{"openml", Options{}, "l", "format openml needs Dataset (-dataset), which its files do not say"},
		{
			"openml",
			Options{Dataset: "d", Examples: two},
			"l",
			"Examples (-examples) does not apply to format openml, whose files say it",
		},
		{"weka", Options{Runs: -1}, "", "-1 runs: give a number from 1 to 16777216"},
		{"weka", Options{Folds: 1 << 25}, "", "33554432 folds: give a number from 1 to 16777216"},
		{
			"weka",
			Options{Limits: Limits{Bytes: -1}},
			"",
			"limits of -1 bytes and 0 bytes a line: none may be negative",
		},
		{
			"weka",
			Options{Measures: []Measure{{Column: "a"}, {Column: "a"}}},
			"",
			`measure "a" is there twice`,
		},
	} {
		_, err := readText(t, c.format, c.opts, c.learner, wekaTwo)
		require.ErrorIs(t, err, ErrOptions)
		require.EqualError(t, err, "invalid import options: "+c.want)
	}
	_, err := Read(format(t, "weka"), Options{})
	require.EqualError(t, err, "invalid import options: no files")
	_, err = Open(format(t, "sklearn"), sklearnOptions(), []string{"a", "b"}, []string{"l"})
	require.EqualError(t, err, "invalid import options: 1 learners (-learner) for 2 files: name one for each, in their order")
	_, err = Read(format(t, "sklearn"), sklearnOptions(), Source{Learner: "l"}, Source{Name: "b"})
	require.EqualError(t, err, "invalid import options: source b has no learner, others have: name one for each (-learner)")
	_, err = Open(format(t, "weka"), Options{}, []string{testdata("none")}, nil)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestParseOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want Measure
	}{
		{"a", Measure{Column: "a"}},
		{"a=b", Measure{Column: "a", Name: "b"}},
		{"a=b:lower", Measure{Column: "a", Name: "b", Better: unit.Lower}},
		{"a=b:higher", Measure{Column: "a", Name: "b", Better: unit.Higher}},
	} {
		m, err := ParseMeasure(c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, m)
	}
	for _, text := range []string{"", "=b", "a=", "a=b:", "a=b:up", "a=:lower"} {
		_, err := ParseMeasure(text)
		require.ErrorIs(t, err, ErrOptions, text)
	}
	w, err := ParseCondition("a=b=c")
	require.NoError(t, err)
	require.Equal(t, Condition{"a", "b=c"}, w)
	for _, text := range []string{"", "a", "=b"} {
		_, err := ParseCondition(text)
		require.ErrorIs(t, err, ErrOptions, text)
	}
	var o Options
	require.NoError(t, o.SetExamples("150"))
	require.NoError(t, o.SetExamples("a=b=7"))
	require.Equal(t, map[string]int{"": 150, "a=b": 7}, o.Examples)
	for _, text := range []string{"", "x", "a=x", "1", "-3", "150", "a=b=8"} {
		require.ErrorIs(t, o.SetExamples(text), ErrOptions, text)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(testdata("weka", "experiment.csv"))
	require.NoError(t, err)
	for _, l := range []Limits{{Bytes: 20000}, {Line: 100}} {
		for _, f := range []struct{ name, file string }{
			{"weka", "weka/experiment.csv"},
			{"weka", "weka/experiment.arff"},
			{"mlr3", "mlr3/scores.csv"},
		} {
			if f.name == "mlr3" {
				l.Bytes, l.Line = l.Bytes/100, l.Line/10
			}
			o := Options{Limits: l}
			if f.name == "mlr3" {
				o.Folds, o.Partitions = 5, "p"
			}
			_, err := Open(format(t, f.name), o, []string{testdata(f.file)}, nil)
			require.ErrorIs(t, err, ErrLimit, "%s %v", f.file, l)
			var syntax *record.SyntaxError
			require.ErrorAs(t, err, &syntax)
		}
	}
	longest := 0
	for line := range strings.Lines(string(text)) {
		longest = max(longest, len(line))
	}
	open(t, "weka", Options{Limits: Limits{Bytes: int64(len(text)), Line: int64(longest)}},
		[]string{testdata("weka", "experiment.csv")}, nil)
	_, err = Read(format(t, "weka"), Options{Limits: Limits{Line: int64(longest)}},
		Source{Name: "f", Reader: iotest.OneByteReader(strings.NewReader(string(text)))})
	require.NoError(t, err)
	o := sklearnOptions()
	o.Limits.Line = 100
	_, err = Open(format(t, "sklearn"), o, []string{testdata("sklearn", "tree.json")},
		[]string{"tree"})
	require.ErrorIs(t, err, ErrLimit)

	broken := errors.New("broken")
	_, err = Read(format(t, "weka"), Options{},
		Source{Name: "f", Reader: iotest.TimeoutReader(strings.NewReader(string(text)))})
	require.ErrorIs(t, err, iotest.ErrTimeout)
	for _, f := range []string{"weka", "mlr3"} {
		_, err = Read(format(t, f), Options{Folds: 2, Partitions: map[string]string{"mlr3": "p"}[f]},
			Source{Name: "f", Reader: iotest.ErrReader(broken)})
		require.ErrorIs(t, err, broken)
	}
}

// Results that Read accepts can be written.
func TestNamesThatAreTooLong(t *testing.T) {
	t.Parallel()
	_, err := readText(t, "weka", Options{}, "", strings.ReplaceAll(wekaTwo, ",s,",
		","+strings.Repeat("s", 20_000)+","))
	require.EqualError(t, err, `the names of data set "d", its learners and metrics are too long for a result file: 16666 bytes are allowed in all`)
	var text strings.Builder
	text.WriteString(wekaHead)
	for i := range 11_000 {
		fmt.Fprintf(&text, "d,1,1,s%d,'',50,50,60\nd,1,2,s%d,'',50,50,60\n", i, i)
	}
	_, err = readText(t, "weka", Options{}, "", text.String())
	require.ErrorIs(t, err, record.ErrInvalid)
	require.ErrorContains(t, err, "leave learners out with Where (-where)")
}

// A small file must not make a large block.
func TestSparseRunsTakeNoMemory(t *testing.T) {
	t.Parallel()
	_, err := readText(t, "weka", Options{}, "",
		wekaHead+"d,1,1,s,'',50,50,60\nd,16777216,1000000,s,'',50,50,70\n")
	require.ErrorIs(t, err, record.ErrIncomplete)
	text := wekaHead
	for i := range 1000 {
		text += fmt.Sprintf("d,%d,2,s%d,'',50,50,60\n", i+1, i)
	}
	_, err = readText(t, "weka", Options{}, "", text)
	require.ErrorIs(t, err, record.ErrIncomplete)
	_, err = readText(t, "openml", Options{Dataset: "d"}, "l", strings.Replace(small("a,a,1,0"),
		"0,0,0,", "0,0,2147483000,", 1))
	require.ErrorContains(t, err, "there is a row_id 2147483000, but there are 1 rows only")
}
