package imports

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// mapped returns options for a table of two runs of five folds on iris.
func mapped(t testing.TB, text string) Options {
	t.Helper()
	m, err := ParseMap(text)
	require.NoError(t, err)
	return Options{
		Map: m, Folds: 5, Examples: map[string]int{"": 150},
		Partitions: "RepeatedStratifiedKFold(random_state=1)",
	}
}

// tableFiles are the tables in testdata, and how they are read.
var tableFiles = map[string]struct {
	text    string // of the map
	where   string
	runs    int
	dataset string
}{
	"plain.csv":      {text: "data=dataset,learner=model,run=repeat,fold=fold,accuracy=score"},
	"semicolons.csv": {text: "data=dataset,learner=model,run=repeat,fold=fold,accuracy=score"},
	"mlflow.csv":     {text: "data=params.dataset,learner=params.model,run=params.repeat,fold=params.fold,accuracy=metrics.accuracy", where: "tags.level=fold"},
	"wandb.jsonl":    {text: "data=config.dataset,learner=config.model,run=config.seed,fold=config.fold,accuracy=summary.accuracy,logloss=summary.log_loss", runs: 2},
	"dvc.csv": {
		text:  "data=data,learner=model,run=cv.repeat,fold=cv.fold,accuracy=accuracy",
		where: "typ=branch_commit",
	},
	"sktime.csv": {text: "learner=model_id,accuracy=accuracy_score_fold_{split}_test,fit-sec=fit_time_fold_{split}_test,predict-sec=pred_time_fold_{split}_test", dataset: "iris"},
	"skore.csv": {
		text:  "learner=estimator_name,split=split,accuracy=score",
		where: "metric=Accuracy", dataset: "iris",
	},
}

// tableOptions returns the options for one of the tables.
func tableOptions(t testing.TB, name string) Options {
	t.Helper()
	f, ok := tableFiles[name]
	require.True(t, ok, name)
	o := mapped(t, f.text)
	o.Runs, o.Dataset = f.runs, f.dataset
	if f.where != "" {
		w, err := ParseCondition(f.where)
		require.NoError(t, err)
		o.Where = append(o.Where, w)
	}
	return o
}

// Every table has the scores that scikit-learn's own results have.
func TestTables(t *testing.T) {
	t.Parallel()
	same := open(t, "sklearn", sklearnOptions(), []string{
		testdata("sklearn", "tree.json"),
		testdata("sklearn", "bayes.json"),
	}, []string{"tree", "bayes"}).Blocks[0]
	entries, err := os.ReadDir(testdata("table"))
	require.NoError(t, err)
	require.Len(t, entries, len(tableFiles))
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "imports.md"))
	require.NoError(t, err)
	for _, e := range entries {
		if name := e.Name(); name != "plain.csv" && name != "semicolons.csv" {
			require.Contains(t, string(page), "`"+tableFiles[name].text+"`",
				"the map of a tool is documented")
		}
		res := open(t, "table", tableOptions(t, e.Name()), []string{testdata("table", e.Name())}, nil)
		require.Len(t, res.Blocks, 1)
		b := res.Blocks[0]
		require.Equal(t, "iris", b.Header.Data, e.Name())
		require.Equal(t, []string{"tree", "bayes"}, b.Learners)
		require.Equal(t, metric.Accuracy().Unit, b.Units[0])
		require.Equal(t, []int{2, 5}, []int{b.Runs(), b.Folds()})
		for _, learner := range b.Learners {
			for n := range b.Units {
				require.NoError(t, floatcmp.Slices(scoresOf(b, learner, n), scoresOf(same, learner, n),
					1e-15, 0), e.Name())
			}
		}
		require.Equal(t, e.Name() != "sktime.csv", b.Timeless)
		require.NotEmpty(t, res.Assumed)
		require.Equal(t, "imported from table: data identified by name and size, partitions by name",
			b.Header.Toolchain)
	}
	b := open(t, "table", tableOptions(t, "sktime.csv"), []string{testdata("table", "sktime.csv")},
		nil).Blocks[0]
	require.Equal(t, []float64{1, 0.125}, []float64{trials(b)[9].FitSeconds, trials(b)[9].PredictSec})
}

// Assumptions of an import are part of its results.
func TestWhatWasAssumedIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, file string
		opts         Options
		learners     []string
		want         []string
	}{
		{"table", "table/semicolons.csv", tableOptions(t, "semicolons.csv"), nil, []string{
			"columns are separated by ';'", `data is column "dataset"`, `learner is column "model"`,
			`run is column "repeat"`, `fold is column "fold"`,
			`accuracy is column "score", higher is better`, `runs 0, 1 are 1 to 2 (column "repeat")`,
			`fold counts from 0 (column "fold")`,
			"test sets are even folds of the 150 examples of iris",
		}},
		{"table", "table/wandb.jsonl", tableOptions(t, "wandb.jsonl"), nil, []string{
			`data is column "config.dataset"`, `learner is column "config.model"`,
			`run is column "config.seed"`, `fold is column "config.fold"`,
			`accuracy is column "summary.accuracy", higher is better`,
			`logloss is column "summary.log_loss", lower is better`,
			`runs 7, 42 are 1 to 2 (column "config.seed")`, `fold counts from 0 (column "config.fold")`,
			"test sets are even folds of the 150 examples of iris",
		}},
		{"sklearn", "sklearn/tree.json", sklearnOptions(), []string{"tree"}, []string{
			"rows are splits, fold by fold and run by run, 5 folds a run",
			`accuracy is column "test_accuracy", higher is better`,
			`logloss is column "test_neg_log_loss" with the other sign, lower is better`,
			"test sets are even folds of the 150 examples of iris",
		}},
		{
			"weka", "weka/experiment.csv",
			Options{},
			nil,
			[]string{`accuracy is column "Percent_correct" divided by 100, higher is better`},
		},
		{
			"openml", "openml/tree.arff", openmlOptions(),
			[]string{"tree"},
			[]string{`the predicted value is column "prediction", the true one column "correct"`},
		},
		{
			"openml", "openml/tree-swapped.arff", openmlOptions(),
			[]string{"tree"},
			[]string{`the predicted value is column "correct", the true one column "prediction"`},
		},
		{"amlb", "amlb/results.csv", Options{Folds: 10, Examples: map[string]int{"": 150}}, nil, []string{
			`logloss is column "result" with the other sign, lower is better`,
			"test sets are even folds of the 150 examples of iris",
		}},
		{
			"mlr3", "mlr3/scores.csv",
			Options{Folds: 5, Examples: map[string]int{"": 150}, Partitions: "p"},
			nil,
			[]string{
				`accuracy is column "classif.acc", higher is better`,
				`error is column "classif.ce", lower is better`,
				"iterations are splits, fold by fold and run by run, 5 folds a run",
				"test sets are even folds of the 150 examples of iris",
			},
		},
		{"sklearn-search", "search/svm.csv", searchOptions(), nil, []string{
			`auc is column "split{split}_test_score", higher is better`,
			"splits are in the order of their numbers, fold by fold and run by run, 10 folds a run",
			"split counts from 0 (names of columns)",
			"test sets are even folds of the 100 examples of moons",
		}},
	} {
		res := open(t, c.format, c.opts, []string{testdata(c.file)}, c.learners)
		require.Equal(t, c.want, res.Assumed, c.file)
	}
}

func searchOptions() Options {
	return Options{
		Dataset: "moons", Folds: 10, Runs: 10, Examples: map[string]int{"": 100},
		Partitions: "RepeatedStratifiedKFold(random_state=0)",
		Measures:   []Measure{{Column: "test_score", Name: "auc"}},
	}
}

// The p-values of scikit-learn's example are the p-values of its own functions.
func TestSearch(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(testdata("search", "ttest.json"))
	require.NoError(t, err)
	var pairs []struct {
		A, B                     string
		Difference, Statistic, P float64
	}
	require.NoError(t, json.Unmarshal(text, &pairs))
	require.Len(t, pairs, 6)
	var blocks []*record.Block
	for _, name := range []string{"svm.csv", "svm.json"} {
		b := open(t, "sklearn-search", searchOptions(), []string{testdata("search", name)}, nil).Blocks[0]
		require.Equal(t, []string{
			"kernel=linear", "degree=2 kernel=poly", "degree=3 kernel=poly",
			"kernel=rbf",
		}, b.Learners)
		require.True(t, b.Timeless)
		blocks = append(blocks, b)
		for _, p := range pairs {
			f := record.NewFile(b)
			got, err := record.Pair(f.Of("moons", p.A), f.Of("moons", p.B), "auc")
			require.NoError(t, err)
			require.Equal(t, []int{10, 10}, []int{got.Runs, got.Folds})
			v := verdict.Judge(got, verdict.Claim{})
			require.NoError(t, v.Err)
			require.Equal(t, "corrected-cv-t", v.Difference.Result.Test)
			require.NoError(t, floatcmp.Slices([]float64{v.Difference.P, v.Difference.Result.Statistic},
				[]float64{p.P, p.Statistic}, 1e-9, 0), "%s %s", p.A, p.B)
		}
	}
	for _, learner := range blocks[0].Learners { // to_json writes ten digits
		require.NoError(t, floatcmp.Slices(scoresOf(blocks[0], learner, 0),
			scoresOf(blocks[1], learner, 0), 1e-9, 0))
	}
	res := open(t, "sklearn-search", searchOptions(), []string{testdata("search", "svm.csv")},
		[]string{"svm"})
	require.Equal(t, "svm kernel=linear", res.Blocks[0].Learners[0])
}

// A fit that failed is a failed trial, and has no part in the means.
func TestSearchFailedFit(t *testing.T) {
	t.Parallel()
	const text = `{"param_a": [1, 2], "params": [{"a": 1}, {"a": 2}], "split0_test_accuracy": [0.5, 0.5], "split1_test_accuracy": [NaN, 1], "mean_test_accuracy": [NaN, 0.75]}`
	res, err := readText(t, "sklearn-search", Options{
		Dataset: "d", Folds: 2, Runs: 1,
		Examples: map[string]int{"": 8}, Partitions: "p",
	}, "", text)
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	failed := record.NewFile(res.Blocks...).Failures()
	require.Len(t, failed, 1)
	require.Equal(t, record.Cell{Data: "d", Learner: "a=1", Run: 1, Fold: 2}, failed[0].Cell())
}

// A table without a map is refused with a guess.
func TestAGuessIsShownAndNeverTaken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, want string }{
		{"plain.csv", "data=dataset,learner=model,run=repeat,fold=fold,METRIC=COLUMN"},
		{"semicolons.csv", "data=dataset,learner=model,run=repeat,fold=fold,METRIC=COLUMN"},
		{"mlflow.csv", "data=params.dataset,learner=params.model,run=params.repeat,fold=params.fold,accuracy=metrics.accuracy,logloss=metrics.log_loss"},
		{"wandb.jsonl", "data=config.dataset,learner=config.model,run=config.seed,fold=config.fold,accuracy=summary.accuracy,logloss=summary.log_loss"},
		{"dvc.csv", "data=data,learner=model,run=cv.repeat,fold=cv.fold,accuracy=accuracy,logloss=log_loss"},
		{"sktime.csv", "data=validation_id,learner=model_id,accuracy=accuracy_score_fold_{fold}_test,fit-sec=fit_time_fold_{fold}_test,predict-sec=pred_time_fold_{fold}_test"},
		{"skore.csv", "learner=estimator_name,split=split,METRIC=COLUMN"},
	} {
		res, err := Open(format(t, "table"), Options{}, []string{testdata("table", c.file)}, nil)
		require.Nil(t, res)
		require.ErrorIs(t, err, ErrOptions)
		require.ErrorContains(t, err, "by their names it may be -map '"+c.want+"': check it, and give it: the columns are ")
		if !strings.Contains(c.want, "METRIC") {
			_, err := ParseMap(c.want)
			require.NoError(t, err)
		}
	}
}

// Files that are counted from 0 in one half and from 1 in the other cannot both be right.
func TestNumbersOfATable(t *testing.T) {
	t.Parallel()
	const head = "m,r,f,s\n"
	o := mapped(t, "learner=m,run=r,fold=f,accuracy=s")
	o.Dataset, o.Folds, o.Examples = "d", 2, map[string]int{"": 4}
	for _, c := range []struct{ name, rows, want string }{
		{"from 0", "a,0,0,1\na,0,1,1\n", ""},
		{"from 1", "a,1,1,1\na,1,2,1\n", ""},
		{"runs from 1, folds from 0", "a,2,0,1\na,2,1,1\na,1,0,1\na,1,1,1\n", ""},
		{
			"seeds", "a,7,0,1\na,7,1,1\na,42,0,1\na,42,1,1\n",
			`invalid import options: the runs of data set "d" in column "r" are 7, 42, which do not count from 0 or 1: if none is missing, as where they are seeds, say how many there are with Runs (-runs)`,
		},
		{
			"a run that is missing", "a,0,0,1\na,0,1,1\na,2,0,1\na,2,1,1\n",
			`in column "r" are 0, 2, which do not count`,
		},
		{
			"one learner from 1", "a,0,0,1\na,0,1,1\nb,0,1,1\nb,0,2,1\n",
			`f:5: fold 2 (column "f") is not one of 0 to 1: fold counts from 0, as in line 2: mend the numbers, or the number of folds with Folds (-folds)`,
		},
		{
			"a fold too many", "a,0,1,1\na,0,2,1\na,0,3,1\n",
			`f:4: fold 3 (column "f") is not one of 1 to 2: fold counts from 1, as in line 2`,
		},
		{
			"a learner without a run", "a,0,0,1\na,0,1,1\nb,0,0,1\nb,0,1,1\na,1,0,1\na,1,1,1\n",
			`trials are missing: data set d, learner b, run 2, fold 1 (run 1, fold 0 in the file); data set d, learner b, run 2, fold 2`,
		},
	} {
		res, err := readText(t, "table", o, "", head+c.rows)
		if c.want != "" {
			require.ErrorContains(t, err, c.want, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		requireStored(t, res.Blocks)
	}
	o.Runs = 2
	_, err := readText(t, "table", o, "", head+"a,7,0,1\na,7,1,1\na,42,0,1\na,42,1,1\n")
	require.NoError(t, err)
	o.Runs = 3
	_, err = readText(t, "table", o, "", head+"a,7,0,1\na,7,1,1\na,42,0,1\na,42,1,1\n")
	require.ErrorContains(t, err, `data set "d" has 2 runs in column "r" (7, 42), not the 3 of Runs (-runs)`)
}

func TestParseMap(t *testing.T) {
	t.Parallel()
	m, err := ParseMap(`data=d, gain:higher=my=score,"accuracy=a,b"`)
	require.NoError(t, err)
	require.Equal(t, []Mapping{{What: "data", Column: "d"}, {
		What: "gain", Better: unit.Higher,
		Column: "my=score",
	}, {What: "accuracy", Column: "a,b"}}, m)
	for _, text := range []string{"", "data", "=a", "data=", `"a=b`, "gain:up=b", "a=b,"} {
		_, err := ParseMap(text)
		require.ErrorIs(t, err, ErrOptions, text)
	}
	for _, c := range []struct{ text, want string }{
		{"fold=f,gain=s", `"gain" in Map (-map) is neither a role (data, learner, run, fold, split, train-n, test-n, fit-sec, predict-sec, failure) nor a known metric (accuracy, `},
		{"fold=f", "Map (-map) names no score: add one, as in accuracy=COLUMN or gain:higher=COLUMN"},
		{"fold:higher=f,accuracy=s", "fold in Map (-map) is no metric, and has no direction"},
		{"fold=f,fold=g,accuracy=s", "fold is there twice in Map (-map)"},
		{"split=f,fold=g,accuracy=s", "beside a run or a fold: leave one out"},
		{"fold=f,accuracy=s{fold}", "Map (-map) has a column for fold and {fold} in the name of another: leave one out"},
		{"accuracy=s", "Map (-map) names neither fold nor split, and so the rows of 5 folds look alike"},
		{"fold=f,accuracy=s,test-n=n", "Map (-map) has only one of train-n and test-n"},
		{"fold=f,accuracy:lower=s,data=d,learner=l", "accuracy is better if it is higher, not lower"},
	} {
		_, err := readText(t, "table", mapped(t, c.text), "", "d,l,f,g,s,n\n")
		require.ErrorIs(t, err, ErrOptions, c.text)
		require.ErrorContains(t, err, c.want)
	}
	o := mapped(t, "fold=f,accuracy=s,learner=l,data=d")
	_, err = readText(t, "table", o, "x", "f,s,l,d\n")
	require.ErrorContains(t, err, "Learner (-learner) does not apply to format table, whose files say it")
	o.Measures = []Measure{{Column: "s"}}
	_, err = readText(t, "table", o, "", "f,s,l,d\n")
	require.ErrorContains(t, err, "Measures (-measure) does not apply to format table: Map (-map) names the scores")
	o.Measures = nil
	_, err = readText(t, "mlr3", o, "", "f,s,l,d\n")
	require.ErrorContains(t, err, "Map (-map) is for format table, and does not apply to format mlr3")
	o = mapped(t, "fold=f,accuracy=s")
	o.Folds, o.Partitions = 0, ""
	_, err = readText(t, "table", o, "", "f,s\n")
	require.ErrorContains(t, err, "format table needs Dataset (-dataset), Learner (-learner), Folds (-folds), Partitions (-partitions), which its files do not say")
}

// Faults of the text itself, and of numbers that only look right.
func TestTextsOfTables(t *testing.T) {
	t.Parallel()
	long, wide, splits := mapped(t, "learner=m,fold=f,accuracy=s"),
		mapped(t, "learner=m,accuracy=s{fold}"), mapped(t, "learner=m,split=f,accuracy=s")
	splits.Runs = 2
	one := splits
	one.Runs = 1
	for _, c := range []struct {
		name string
		opts Options
		text string
		want string // "" if the text is right
	}{
		{"a comma in a name", long, "\"m\",f,s,\"a;b;c;d;e\"\na,0,1,\na,1,1,\n", ""},
		{"as many commas as semicolons", long, "m,f,s,;;;\na,0,1,\na,1,1,\n", ""},
		{"tabs", long, "m\tf\ts\na\t0\t1\na\t1\t1\n", ""},
		{
			"folds from 2", long, "m,f,s\na,2,1\na,3,1\n",
			`f:3: fold 3 (column "f") is not one of 1 to 2: fold counts from 1`,
		},
		{
			"folds from 2, all in range", long, "m,f,s\na,2,1\n",
			`trials are missing: data set d, learner a, run 1, fold 1 (fold 1 in the file)`,
		},
		{"splits", splits, "m,f,s\na,3,1\na,4,1\na,2,1\na,1,0\n", ""},
		{
			"splits of more runs", one, "m,f,s\na,3,1\na,4,1\na,2,1\na,1,0\n",
			`f:2: run 2 is not one of 1: give the number of runs with Runs (-runs)`,
		},
		{
			"a split that is missing", splits, "m,f,s\na,0,1\na,1,1\na,3,1\n",
			`learner a, run 2, fold 1 (split 2 in the file)`,
		},
		{
			"a split twice", splits, "m,f,s\na,0,1\na,0,1\n",
			`f:3: data set d, learner a, split 0 is there already, in line 2`,
		},
		{
			"a column twice but for a zero", wide, "m,s1,s01,s2\na,1,1,1\n",
			`f:1: columns "s1" and "s01" are the same fold of "s{fold}"`,
		},
		{
			"a run of its own", long, "m,f,s\na,0,1\na,1,1\na,0,1\na,1,1\n",
			`is there already, in line 2: if it is of another run, add run=COLUMN to Map (-map); else choose rows with Where (-where)`,
		},
		{
			"a key twice", long, `{"m":"a","f":0,"s":1,"s":0}` + "\n" + `{"m":"a","f":1,"s":1}`,
			`f:1: "s" is there twice`,
		},
		{
			"two dicts in a line", long, `{"m":"a","f":0,"s":1}` + "\n" + `{"m":"a","f":1,"s":1} {"m":"b"}`,
			`f:2: something follows the dict`,
		},
		{
			"a list in a line", long, `{"m":"a","f":0,"s":1}` + "\n[1]",
			`f:2: this is no dict: want a dict in each line, or a list of dicts`,
		},
		{"many dicts in one another", long, `[` + strings.Repeat(`{"a":`, 12) + `1` + strings.Repeat(`}`,
			12) + `]`, `is in more than 8 dicts`},
		{"a list that goes on", long, `[{"m":"a","f":0,"s":1}] 7`, `f:1: something follows the table`},
		{"a list that ends", long, "[{\"m\":\"a\",\n\"f\":0", `: row 1: unexpected EOF`},
		{
			"a list as a score", long, `[{"m":"a","f":0,"s":[1]}]`,
			`f:1: column "s": "a list" is not a finite number`,
		},
		{
			"Parquet", long, "PAR1\x15\x04",
			`f:1: this is a Parquet file: write it as CSV, as by duckdb -c "copy (from 'FILE') to 'FILE.csv'"`,
		},
		{
			"a workbook", long, "PK\x03\x04",
			`f:1: this is a workbook or another ZIP archive: save its table as CSV, or unpack it`,
		},
		{"UTF-16", long, "\xff\xfem\x00", `f:1: this is text in UTF-16: save it as UTF-8`},
		{"no column", wide, "m,x\na,1\n", `f:1: there is no column "s{fold}": the columns are m, x`},
	} {
		o := c.opts
		o.Dataset, o.Folds, o.Examples = "d", 2, map[string]int{"": 4}
		res, err := readText(t, "table", o, "", c.text)
		if c.want != "" {
			require.ErrorContains(t, err, c.want, c.name)
			require.Nil(t, res)
			continue
		}
		require.NoError(t, err, c.name)
		requireStored(t, res.Blocks)
	}
}

// A trial without a score has failed if a column says why.
func TestFailuresInTables(t *testing.T) {
	t.Parallel()
	o := mapped(t, "learner=m,fold=f,accuracy=s,failure=status,train-n=k,test-n=n")
	o.Dataset, o.Folds, o.Examples = "d", 2, nil
	const text = "m,f,s,status,k,n\na,0,1,FINISHED,3,2\na,1,,KILLED,2,3\n"
	res, err := readText(t, "table", o, "", text)
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	failed := record.NewFile(res.Blocks...).Failures()
	require.Len(t, failed, 1)
	require.Equal(t, "KILLED", failed[0].Err)
	require.Equal(t, []int{3, 2, 2, 3}, []int{
		trials(res.Blocks[0])[0].TrainN,
		trials(res.Blocks[0])[0].TestN, trials(res.Blocks[0])[1].TrainN, trials(res.Blocks[0])[1].TestN,
	})
	_, err = readText(t, "table", o, "", strings.Replace(text, "KILLED", "", 1))
	require.ErrorContains(t, err, `f:3: column "s": there is no score: if the learner failed, say which column has the cause with failure=COLUMN`)
	_, err = readText(t, "table", o, "", text+"b,0,1,,2,3\nb,1,1,,3,2\n")
	require.ErrorContains(t, err, "f:4: invalid record: data set d, learner b, run 1, fold 1: 2 training and 3 test examples, but 3 and 2 for another learner in the same fold")
	o = mapped(t, "learner=m,fold=f,accuracy=s")
	o.Dataset, o.Folds, o.Examples = "d", 2, nil
	_, err = readText(t, "table", o, "", "m,f,s\na,0,1\na,1,1\n")
	require.ErrorContains(t, err, "or columns train-n and test-n in Map (-map)")
}

// Random splits have one fold a run, and say their sizes.
func TestSplitsInTables(t *testing.T) {
	t.Parallel()
	o := mapped(t, "learner=m,run=r,accuracy=s,train-n=k,test-n=n")
	o.Dataset, o.Folds, o.Examples = "d", 1, nil
	res, err := readText(t, "table", o, "", "m,r,s,k,n\na,0,1,3,2\na,1,0.5,3,2\n")
	require.NoError(t, err)
	requireStored(t, res.Blocks)
	require.Equal(t, []int{2, 1}, []int{res.Blocks[0].Runs(), res.Blocks[0].Folds()})
	require.Contains(t, res.Assumed, "each run is a split of its own")
	_, err = readText(t, "table", o, "", "m,r,s,k,n\na,0,1,3,2\na,0,0.5,3,2\n")
	require.ErrorIs(t, err, record.ErrDouble)
	o = mapped(t, "learner=m,run=r,accuracy=s")
	o.Dataset, o.Folds = "d", 1
	_, err = readText(t, "table", o, "", "m,r,s\na,0,1\na,1,0.5\n")
	require.ErrorContains(t, err, "do not follow from 150 examples: add columns train-n and test-n in Map (-map)")
}
