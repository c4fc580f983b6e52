package imports

import (
	"encoding/csv"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

const j48, bayes, zeroR = "trees.J48 -C 0.25 -M 2", "bayes.NaiveBayes", "rules.ZeroR"

func TestWekaCSV(t *testing.T) {
	t.Parallel()
	res := open(t, "weka", Options{}, []string{testdata("weka", "experiment.csv")}, nil)
	require.Empty(t, res.Notes)
	require.Len(t, res.Blocks, 2)
	b := res.Blocks[0]
	require.Equal(t, "labor-neg-data", b.Header.Data)
	require.Equal(t, "weka runs=3 folds=5 seed=1 v1", b.Header.Protocol)
	require.Equal(t, "weka", b.Header.Test)
	require.Equal(t, "imported from weka: data identified by name and size, partitions by name",
		b.Header.Toolchain)
	require.Equal(t, []string{j48, bayes, zeroR}, b.Learners)
	require.Equal(t, []unit.Unit{{Name: "accuracy", Better: unit.Higher, Max: 1}}, b.Units)
	require.False(t, b.Timeless)
	all := trials(b)
	require.Len(t, all, 45)
	require.Equal(t, record.Trial{
		Data: "labor-neg-data", Learner: j48, Run: 1, Fold: 1, TrainN: 45,
		TestN: 12, Values: []float64{66.66666666666667 / 100}, FitSeconds: 0.047,
	}, all[0])
	require.Equal(t, "iris", res.Blocks[1].Header.Data)
}

func TestWekaARFFIsTheCSVRounded(t *testing.T) {
	t.Parallel()
	exact := open(t, "weka", Options{}, []string{testdata("weka", "experiment.csv")}, nil)
	rounded := open(t, "weka", Options{}, []string{testdata("weka", "experiment.arff")}, nil)
	for i, b := range rounded.Blocks {
		require.Equal(t, exact.Blocks[i].Header, b.Header)
		for _, learner := range b.Learners {
			require.NoError(t, floatcmp.Slices(scoresOf(b, learner, 0), scoresOf(exact.Blocks[i], learner,
				0), 5.1e-9, 0))
		}
	}
}

// Weka's corrected paired t-tester (testdata/Generate.java) was run on the same file.
func TestWekaHasTheSameP(t *testing.T) {
	t.Parallel()
	measures := []Measure{
		{Column: "Percent_correct"},
		{Column: "Kappa_statistic"},
		{Column: "Root_mean_squared_error"},
	}
	res := open(t, "weka", Options{Measures: measures}, []string{testdata("weka", "experiment.arff")},
		nil)
	file := record.NewFile(res.Blocks...)
	in, err := os.Open(testdata("weka", "ttest.csv"))
	require.NoError(t, err)
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+2*6*3)
	learners := map[string]string{
		"trees.J48 '-C 0.25 -M 2' -217733168393644444": j48,
		"bayes.NaiveBayes '' 5995231201785697655":      bayes, "rules.ZeroR '' 48055541465867954": zeroR,
	}
	metrics := map[string]string{
		"Percent_correct": "accuracy", "Kappa_statistic": "kappa",
		"Root_mean_squared_error": "Root_mean_squared_error",
	}
	for _, row := range rows[1:] {
		side := func(i int) record.Selection {
			require.Contains(t, learners, row[i])
			return file.Of(row[0], learners[row[i]])
		}
		p, err := record.Pair(side(1), side(2), metrics[row[3]])
		require.NoError(t, err)
		require.Equal(t, row[4], strconv.Itoa(len(p.A)))
		v := verdict.Judge(p, verdict.Claim{})
		require.NoError(t, v.Err)
		require.Equal(t, "corrected-cv-t", v.Difference.Result.Test)
		want, err := strconv.ParseFloat(row[6], 64)
		require.NoError(t, err)
		require.InDelta(t, want, v.Difference.P, 1e-8, "%v", row)
		marks := map[string]verdict.Outcome{
			"1": verdict.Improved, "-1": verdict.Regressed,
			"0": verdict.Inconclusive,
		}
		outcome := marks[row[7]]
		if p.Unit.Better == unit.Lower && outcome != verdict.Inconclusive {
			outcome = verdict.Improved + verdict.Regressed - outcome
		}
		require.Equal(t, outcome, v.Outcome, "%v", row)
	}
}

func TestWekaWithDataPairsWithOwnRuns(t *testing.T) {
	t.Parallel()
	iris := uci.Iris()
	where := []Condition{{"Key_Dataset", "iris"}}
	res := open(t, "weka", Options{Tables: []*dataset.Table{iris}, Where: where},
		[]string{testdata("weka", "experiment.csv")}, nil)
	require.Equal(t, "class 150 3 Iris-setosa=50 Iris-versicolor=50 Iris-virginica=50",
		res.Blocks[0].Header.Target)
	require.Len(t, res.Blocks, 1)
	h := res.Blocks[0].Header
	digest, err := iris.Digest()
	require.NoError(t, err)
	plan, err := split.Weka(3, 5).Plan(examplesOf(iris))
	require.NoError(t, err)
	require.Equal(t, plan.Protocol().String(), h.Protocol)
	require.Equal(t, digest, h.DataDigest)
	require.Equal(t, plan.Digest(), h.SplitDigest)
	require.Equal(t, "imported from weka: data identified by content, partitions by content",
		h.Toolchain)

	learner := learntest.FromClassifier(naivebayes.New(naivebayes.Config{WekaOrder: true}))
	own, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{iris},
		[]learntest.Learner[dataset.Row, int]{learner}, learntest.Config{Protocol: split.Weka(3, 5)})
	require.NoError(t, err)
	pairs, err := record.Pair(own.Of("iris", learner.Name),
		record.NewFile(res.Blocks...).Of("iris", bayes), "accuracy")
	require.NoError(t, err)
	require.NoError(t, floatcmp.Slices(pairs.A, pairs.B, 1e-15, 0))

	_, err = Open(format(t, "weka"), Options{Tables: []*dataset.Table{iris, uci.Glass()}},
		[]string{testdata("weka", "experiment.csv")}, nil)
	require.ErrorIs(t, err, ErrOptions)
	require.ErrorContains(t, err, `no results are of data set "glass", of which there is a table: testdata/weka/experiment.csv has ["labor-neg-data" "iris"]`)
}

// Runs need not begin at 1, and files may each have a part of them.
func TestWekaRuns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(testdata("weka", "experiment.csv"))
	require.NoError(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	part := func(keep func(run string) bool) Source {
		kept := lines[0]
		for _, line := range lines[1:] {
			if fields := strings.Split(line, ","); len(fields) > 2 && keep(fields[1]) {
				kept += line
			}
		}
		return Source{Name: "part", Reader: strings.NewReader(kept)}
	}
	last := func() Source { return part(func(run string) bool { return run != "1" }) }
	first := func() Source { return part(func(run string) bool { return run == "1" }) }

	res, err := Read(format(t, "weka"), Options{}, last())
	require.NoError(t, err)
	require.Equal(t, "weka runs=2 folds=5 seed=2 v1", res.Blocks[0].Header.Protocol)
	require.Equal(t, 1, trials(res.Blocks[0])[0].Run)
	_, err = Read(format(t, "weka"), Options{Runs: 3}, last())
	require.ErrorIs(t, err, record.ErrIncomplete)
	require.EqualError(t, err, "part: under 3 runs of 5 folds: trials are missing: data set labor-neg-data, learner "+j48+
		", run 1, fold 1; data set labor-neg-data, learner bayes.NaiveBayes, run 1, fold 1; data set labor-neg-data, learner rules.ZeroR, run 1, fold 1; and 12 more")

	res, err = Read(format(t, "weka"), Options{}, last(), first())
	require.NoError(t, err)
	whole := open(t, "weka", Options{Runs: 3, Folds: 5}, []string{testdata("weka", "experiment.csv")},
		nil)
	require.Equal(t, trials(whole.Blocks[0]), trials(res.Blocks[0]))
	_, err = Read(format(t, "weka"), Options{}, last(), first(), first())
	require.ErrorIs(t, err, record.ErrDouble)
	_, err = Read(format(t, "weka"), Options{Folds: 10}, last())
	require.ErrorIs(t, err, record.ErrIncomplete)
	_, err = Read(format(t, "weka"), Options{Folds: 4}, last())
	require.ErrorContains(t, err, "part:6: fold 5 is not one of 4: give the number of folds with Folds (-folds)")
}

func TestWekaRandomSplits(t *testing.T) {
	t.Parallel()
	res := open(t, "weka", Options{}, []string{testdata("weka", "split.csv")}, nil)
	b := res.Blocks[0]
	require.Regexp(t, "^predefined runs=5 folds=1 sha256=[0-9a-f]{64} seed=1 v1$", b.Header.Protocol)
	f := record.NewFile(b)
	p, err := record.Pair(f.Of(b.Header.Data, j48), f.Of(b.Header.Data, zeroR), "accuracy")
	require.NoError(t, err)
	v := verdict.Judge(p, verdict.Claim{})
	require.NoError(t, v.Err)
	require.Equal(t, "corrected-resampled-t", v.Difference.Result.Test)
}

func TestWekaRegression(t *testing.T) {
	t.Parallel()
	res := open(t, "weka", Options{}, []string{testdata("weka", "regression.csv")}, nil)
	b := res.Blocks[0]
	require.Equal(t, "weka runs=2 folds=3 seed=1 v1", b.Header.Protocol)
	require.Equal(t, []string{"functions.LinearRegression -S 0 -R 1.0E-8"}, b.Learners)
	require.Equal(t, []unit.Unit{loss("Root_mean_squared_error")}, b.Units)
	require.Equal(t, 76.05661984804651, scoresOf(b, b.Learners[0], 0)[0])
}

// The header tells whether its digests are of names.
func TestByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		toolchain        string
		data, partitions bool
	}{
		{"imported from weka: data identified by name and size, partitions by name", true, true},
		{"imported from sklearn: data identified by content, partitions by name", false, true},
		{"imported from weka: data identified by content, partitions by content", false, false},
		{
			"imported from openml: data identified by name and size, partitions by test examples", true,
			false,
		},
		{"imported from excel: data identified by name and size, partitions by name", false, false},
		{"go1.26 linux/amd64", false, false},
		{"", false, false},
	} {
		data, partitions := ByName(&record.Header{Toolchain: c.toolchain})
		require.Equal(t, c.data, data, c.toolchain)
		require.Equal(t, c.partitions, partitions, c.toolchain)
	}
	o := Options{Dataset: "d", Folds: 2, Examples: map[string]int{"": 10}, Partitions: "p"}
	res, err := readText(t, "sklearn", o, "l", "test_accuracy\n0.6\n0.8\n")
	require.NoError(t, err)
	data, partitions := ByName(&res.Blocks[0].Header)
	require.True(t, data && partitions)
}

// Of data of which nothing is to be predicted, or a number, the header says no classes.
func TestTargetOfTables(t *testing.T) {
	t.Parallel()
	o := Options{Folds: 2, Partitions: "p"}
	for text, target := range map[string]string{"x,y\n1,2\n2,4\n3,5\n4,9\n": "y 4 0", "": ""} {
		table, err := dataset.New("d", []dataset.Column{{
			Attribute: dataset.Attribute{Name: "x"},
			Numbers:   []float64{1, 2, 3, 4},
		}}, -1, nil)
		if text != "" {
			table, err = dataset.ReadCSV(strings.NewReader(text), "d.csv", dataset.ReadOptions{Target: "y"})
		}
		require.NoError(t, err)
		o.Tables = []*dataset.Table{table}
		res, err := readText(t, "sklearn", o, "l", "test_neg_mean_absolute_error\n-0.6\n-0.8\n")
		require.NoError(t, err)
		require.Equal(t, target, res.Blocks[0].Header.Target)
		require.NoError(t, record.Write(io.Discard, res.Blocks...))
	}
}
