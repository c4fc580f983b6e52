package imports

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A twin is a sample file with one fault.
type twin struct {
	old, new string // the first occurrence of old becomes new; if old is empty, the last line is cut off
	opts     func(*Options)
	want     string // of the error, behind the name of the file
}

// readable returns how a sample file is read.
func readable(t *testing.T, name string) (format string, o Options, learner string) {
	dir, file := path.Split(name)
	switch dir {
	case "weka/":
		return "weka", Options{}, ""
	case "sklearn/":
		o := sklearnOptions()
		if file == "score.json" || file == "failed.json" {
			o.Measures = []Measure{{Column: "test_score", Name: "accuracy"}}
		}
		return "sklearn", o, "l"
	case "search/":
		return formatSearch, searchOptions(), ""
	case "mlr3/":
		return "mlr3", Options{Folds: 5, Examples: map[string]int{"iris": 150}, Partitions: "p"}, ""
	case "amlb/":
		return "amlb", Options{Folds: 10, Examples: map[string]int{"": 150}}, ""
	case "openml/":
		return "openml", openmlOptions(), "l"
	case "table/":
		return formatTable, tableOptions(t, file), ""
	}
	t.Fatalf("no format is known for %s", name)
	return "", Options{}, ""
}

// twins are the faults, by file: each file has one at least.
var twins = map[string][]twin{
	"weka/experiment.csv": {
		{"", "", nil, `: under 3 runs of 5 folds: trials are missing: data set iris, learner rules.ZeroR, run 3, fold 5`},
		{
			"labor-neg-data,1,2,", "labor-neg-data,1,1,", nil,
			`:3: data set labor-neg-data, learner trees.J48 -C 0.25 -M 2, run 1, fold 1 is there already, in line 2`,
		},
	},
	"weka/experiment.arff": {{
		"", "", nil,
		`trials are missing: data set iris, learner rules.ZeroR, run 3, fold 5`,
	}},
	"weka/regression.csv": {{
		"cpu,1,2,", "cpu,1,-2,", nil,
		`:3: column "Key_Fold": "-2" is not a whole number from 1 on`,
	}},
	"weka/split.csv": {{
		"38.0,19.0,", "38.0,20.0,", nil,
		`:3: 37 training and 20 test examples are 57, not the 58 of data set "labor-neg-data"`,
	}},
	"weka/ttest.csv": {{"", "", nil, `:1: there is no column "Key_Dataset"`}}, // is no result, but what tests compare with

	"sklearn/tree.csv": {{
		"0.9,-0.32", "x,-0.32", nil,
		`:2: column "test_accuracy": "x" is not a finite number`,
	}},
	"sklearn/bayes.csv": {{
		"\n1,", "\n2,", nil,
		`:3: the index of the row is 2, not 1: rows must be in the order of the splits`,
	}},
	"sklearn/tree.json": {{
		"0.9, 1.0", "0.9", nil,
		`:1: "test_accuracy" has 9 values, others have 10`,
	}},
	"sklearn/bayes.json": {{
		"", "", func(o *Options) { o.Folds = 4 },
		`has 10 rows, which are no whole runs of 4 folds: give the number of folds with Folds (-folds)`,
	}},
	"sklearn/tree-columns.json": {{
		`"3":`, `"4":`, nil,
		`row "4" comes where row 3 belongs: rows must be in the order of the splits`,
	}},
	"sklearn/bayes-columns.json": {{
		`"test_accuracy":{"0":0.9666666666666667`,
		`"test_accuracy":{"0":0.95`, nil,
		`:1: accuracy 0.95 is not a multiple of 1/30, the test size of 5 folds of 150 examples`,
	}},
	"sklearn/tree-records.json": {{
		`"test_accuracy":0.9,`, `"test_accuracy":0.9,"test_accuracy":0.9,`,
		nil, `:1: row 0: "test_accuracy" is there twice, or not in each row before`,
	}},
	"sklearn/bayes-records.json": {{
		`"test_accuracy":0.9666666666666667,`,
		`"test_accuracy":96.66666666666667,`, nil,
		`:1: column "test_accuracy": accuracy is 96.66666666666667, which is not from 0 to 1: divide percentages by 100`,
	}},
	"sklearn/score.json": {{
		"", "", func(o *Options) { o.Measures[0].Better = unit.Lower },
		`accuracy is better if it is higher, not lower`,
	}},
	"sklearn/failed.json": {{
		"", "", func(o *Options) { o.Measures[0].Name = "" },
		`what the scores in column "test_score" are is not known: name a metric`,
	}},

	"search/svm.csv": {
		{
			"split99_test_score", "extra", nil,
			`:1: there are columns of 99 splits, not of 10 folds in each of 10 runs: give the numbers of the search's cv (Folds (-folds), Runs (-runs)), and all its columns`,
		},
		{
			"0.9600000000000001,0.8400000000000001,0.76,", "0.9600000000000001,0.0,0.76,", nil,
			`:2: column "mean_test_score": "0.9300000000000002" is not the mean of the 100 splits, which is 0.9216: columns are missing, or scores were changed`,
		},
		{"linear,,", "rbf,,", nil, `learner kernel=rbf, split 0 is there already, in line 2: name the learners of files with Learner (-learner)`},
	},
	"search/svm.json": {{
		"", "", func(o *Options) { o.Runs = 5 },
		`:1: there are columns of 100 splits, not of 10 folds in each of 5 runs`,
	}},

	"mlr3/scores.csv": {{
		"iris,classif.rpart,repeated_cv,2,", "iris,classif.rpart,repeated_cv,1,",
		nil, `:3: data set iris, learner classif.rpart, run 1, fold 1 is there already, in line 2`,
	}},
	"amlb/results.csv": {{
		"iris,tree,1h8c,1,", "iris,tree,1h8c,10,", nil,
		`:3: column "fold": 10 is not one of 10 folds, counted from 0: give the number of folds with Folds (-folds)`,
	}},
	"openml/tree.arff": {{
		"\n0,0,5,", "\n0,0,4,", nil,
		`row_id 4 is tested in repeat 0 already, in line`,
	}},
	"openml/bayes.arff": {{
		"", "", nil,
		`: repeat 1 tests 149 of 150 examples, and so the training sets are not known: every row_id from 0 to 149 must be there`,
	}},
	"openml/tree-swapped.arff": {{
		"", "", func(o *Options) { o.Measures = []Measure{{Column: "rmse"}} },
		`rmse`,
	}},
	"openml/bayes-swapped.arff": {{
		"@ATTRIBUTE correct", "@ATTRIBUTE wrong", nil,
		`:1: there is no column correct or truth: without the truth there is no score`,
	}},

	"table/plain.csv": {
		{"", "", nil, `: under 2 runs of 5 folds: trials are missing: data set iris, learner bayes, run 2, fold 5 (run 1, fold 4 in the file)`},
		{
			"tree,0,1,1.0", "tree,0,0,1.0", nil,
			`:3: data set iris, learner tree, run 0, fold 0 is there already, in line 2`,
		},
		{
			"tree,0,1,1.0", "tree,0,1,NaN", nil,
			`:3: column "score": there is no score: if the learner failed, say which column has the cause with failure=COLUMN in Map (-map); else leave the row out with Where (-where)`,
		},
		{"tree,0,1,1.0", "tree,0,-1,1.0", nil, `:3: column "fold": "-1" is not a whole number from 0 on`},
		{"tree,0,1,1.0", "tree,0,1", nil, `:3: 4 fields, but 5 columns`},
		{
			"tree,0,1,1.0", `tree,0,1,"1,0"`, nil,
			`:3: column "score": "1,0" is not a finite number: write decimals with a point`,
		},
		{"tree,0,1,1.0", "tree,0,1,high", nil, `:3: column "score": "high" is not a finite number`},
		{
			"tree,0,1,1.0", "tree,0,1,0.95", nil,
			`:3: accuracy 0.95 is not a multiple of 1/30, the test size of 5 folds of 150 examples: give their right numbers`,
		},
		{
			"tree,0,1,1.0", "tree,0,5,1.0", nil,
			`:3: fold 5 (column "fold") is not one of 0 to 4: fold counts from 0, as in line 2: mend the numbers, or the number of folds with Folds (-folds), or say split in Map (-map) if they count through all runs`,
		},
		{"score", "loss", nil, `:1: there is no column "score": the columns are dataset, model, repeat, fold, loss`},
	},
	"table/semicolons.csv": {{
		"tree;0;0;0.9", "tree;0;0;0,9", nil,
		`:3: column "score": "1.0" has a decimal point, but a number in line 2 has a comma: write all of them alike`,
	}},
	"table/mlflow.csv": {{
		"", "", func(o *Options) { o.Where = nil },
		`:22: column "params.dataset": there is no data set: leave rows that are no trials out with Where (-where)`,
	}},
	"table/wandb.jsonl": {
		{
			"", "", func(o *Options) { o.Runs = 0 },
			`the runs of data set "iris" in column "config.seed" are 7, 42, which do not count from 0 or 1: if none is missing, as where they are seeds, say how many there are with Runs (-runs)`,
		},
		{
			`"log_loss": 0.04959962158510402, `, "", nil,
			`:2: column "summary.log_loss": there is no value, but there are others in this row`,
		},
		{`"fold": 1}`, `"fold": 1`, nil, `:2: `},
	},
	"table/dvc.csv": {{
		"", "", func(o *Options) { o.Where = nil },
		`:3: data set iris, learner tree, run 1, fold 1 is there already, in line 2`,
	}},
	"table/sktime.csv": {
		{
			"accuracy_score_fold_3_test", "extra", nil,
			`:1: there is a column "fit_time_fold_3_test", but none of "accuracy_score_fold_{split}_test" for the same fold`,
		},
		{
			"fit_time_fold_3_test", "extra", nil,
			`:1: there is no column "fit_time_fold_3_test", but there is one of "accuracy_score_fold_{split}_test" for the same fold`,
		},
	},
	"table/skore.csv": {{"", "", func(o *Options) {
		o.Map[2] = Mapping{
			What:   "accuracy",
			Better: unit.Lower, Column: "score",
		}
	}, `accuracy is better if it is higher, not lower`}},
}

// Every file of results in testdata is read, and has a twin that is refused by name.
func TestTwinsAreRefused(t *testing.T) {
	t.Parallel()
	files := 0
	require.NoError(t, fs.WalkDir(os.DirFS("testdata"), ".", func(name string, e fs.DirEntry,
		err error,
	) error {
		require.NoError(t, err)
		if e.IsDir() && (name == "fuzz" || name == "items") { // the faults of items are in their own tests
			return fs.SkipDir
		}
		ext := path.Ext(name)
		if e.IsDir() || path.Dir(name) == "." || ext == ".md" || name == "search/ttest.json" {
			return nil
		}
		files++
		require.NotEmpty(t, twins[name], "%s has no twin", name)
		text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
		require.NoError(t, err)
		for _, c := range twins[name] {
			format, o, learner := readable(t, name)
			if name != "weka/ttest.csv" {
				res, err := readText(t, format, o, learner, string(text))
				require.NoError(t, err, name)
				requireStored(t, res.Blocks)
			}
			wrong := c.of(t, string(text))
			if c.opts != nil {
				c.opts(&o)
				wrong = string(text)
			}
			res, err := readText(t, format, o, learner, wrong)
			require.Error(t, err, "%s: %s", name, c.want)
			require.Nil(t, res)
			require.ErrorContains(t, err, c.want, name)
			if strings.HasPrefix(c.want, ":") {
				require.True(t, strings.HasPrefix(err.Error(), "f:"), err)
			}
		}
		return nil
	}))
	require.Len(t, twins, files)
}

// of returns the text with the fault.
func (c *twin) of(t *testing.T, text string) string {
	if c.old == "" {
		text = strings.TrimRight(text, "\r\n")
		return text[:strings.LastIndexByte(text, '\n')+1]
	}
	require.Contains(t, text, c.old)
	return strings.Replace(text, c.old, c.new, 1)
}
