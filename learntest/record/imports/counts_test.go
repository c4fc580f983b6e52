package imports

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// rounded are the ways in which tools write numbers.
var rounded = []struct {
	name  string
	write func(x float64) string
}{
	{"all digits", func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }},
	{"single precision", func(x float64) string {
		return strconv.FormatFloat(float64(float32(x)),
			'g', -1, 64)
	}},
	{"6 decimals", func(x float64) string { return fmt.Sprintf("%.6f", x) }},
	{"4 decimals", func(x float64) string { return fmt.Sprintf("%.4f", x) }},
	{"3 decimals without zeros", func(x float64) string {
		return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", x), "0"), ".")
	}},
	{"4 decimals cut off", func(x float64) string { return fmt.Sprintf("%.9f", x)[:6] }},
	{"2 decimals", func(x float64) string { return fmt.Sprintf("%.2f", x) }},
	{"3 significant digits", func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }},
	{"6 significant digits", func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }},
	{"exponents", func(x float64) string { return strconv.FormatFloat(x, 'e', 5, 64) }},
}

// scoresText returns the scores of a cross_validate that predicts so many examples of each test set
// right. The folds are even.
func scoresText(column string, examples, folds, runs int, write func(float64) string,
	right func(cell, n int) int,
) string {
	text := column + "\n"
	for i := range runs * folds {
		n := examples / folds
		if i%folds < examples%folds {
			n++
		}
		k := right(i, n)
		if column == "test_score" { // an error
			k = n - k
		}
		text += write(float64(k)/float64(n)) + "\n"
	}
	return text
}

func countOptions(examples, folds int) Options {
	return Options{Dataset: "d", Folds: folds, Examples: map[string]int{"": examples}, Partitions: "p"}
}

// Right scores are never refused, however they are rounded.
func TestCountsThatAreRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		examples := rapid.IntRange(4, 3000).Draw(t, "examples")
		folds := rapid.IntRange(2, min(20, examples)).Draw(t, "folds")
		runs := rapid.IntRange(1, 4).Draw(t, "runs")
		how := rounded[rapid.IntRange(0, len(rounded)-1).Draw(t, "how")]
		o := countOptions(examples, folds)
		column := rapid.SampledFrom([]string{"test_accuracy", "test_score"}).Draw(t, "column")
		if column == "test_score" {
			o.Measures = []Measure{{Column: column, Name: "error"}}
		}
		text := scoresText(column, examples, folds, runs, how.write,
			func(_, n int) int { return rapid.IntRange(0, n).Draw(t, "right") })
		f, err := Lookup("sklearn")
		require.NoError(t, err)
		_, err = Read(f, o, Source{Name: "f", Reader: strings.NewReader(text), Learner: "l"})
		require.NoError(t, err, "%s of %d examples in %d folds: %s", how.name, examples, folds, text)
	})
}

func TestCountsThatAreWrong(t *testing.T) {
	t.Parallel()
	// Accuracies of 312 examples in 5 folds, of 62 and 63.
	right := func(cell, n int) int { return n*5/9 + cell*7%11 }
	for _, how := range rounded {
		text := scoresText("test_accuracy", 312, 5, 4, how.write, right)
		_, err := readText(t, "sklearn", countOptions(312, 5), "l", text)
		require.NoError(t, err, how.name)
		if how.name == "2 decimals" {
			continue // tell no test sizes of 31 from others
		}
		for _, wrong := range []struct {
			examples, folds int
			want            string
		}{
			{312, 10, "is not a multiple of 1/31 or 1/32, the test sizes of 10 folds of 312 examples: all scores are with 5 folds (Folds (-folds)); folds that are not even, or scores that are weighted, need columns n_train and n_test"},
			{312, 20, "is not a multiple of 1/15 or 1/16, the test sizes of 20 folds of 312 examples: all scores are with 5 folds (Folds (-folds));"},
			{200, 5, "is not a multiple of 1/40, the test size of 5 folds of 200 examples: give their right numbers (Folds (-folds), Examples (-examples));"},
		} {
			_, err := readText(t, "sklearn", countOptions(wrong.examples, wrong.folds), "l", text)
			require.ErrorIs(t, err, ErrOptions, how.name)
			require.ErrorContains(t, err, wrong.want, how.name)
			require.Regexp(t, `^f:\d+: accuracy 0\.\d+ `, err.Error())
		}
	}
	text := scoresText("test_accuracy", 312, 5, 4, rounded[0].write, right)
	_, err := readText(t, "sklearn", countOptions(31200, 5), "l", text)
	require.ErrorContains(t, err, "is not a multiple of 1/6240, the test size of 5 folds of 31200 examples")

	// What the file says itself is not doubted: scores may be weighted.
	sized := strings.ReplaceAll(text, "\n", ",281,31\n")
	sized = strings.Replace(sized, ",281,31", ",n_train,n_test", 1)
	_, err = readText(t, "sklearn", countOptions(312, 10), "l", sized)
	require.NoError(t, err)
	// A metric that is no share is not checked.
	o := countOptions(312, 10)
	o.Measures = []Measure{{Column: "test_accuracy", Name: "auc"}}
	_, err = readText(t, "sklearn", o, "l", text)
	require.NoError(t, err)
}

// The digits of one writer say nothing about the digits of another.
func TestCountsOfTwoWriters(t *testing.T) {
	t.Parallel()
	write := func(decimals int) string {
		return scoresText("test_accuracy", 300, 5, 2,
			func(x float64) string { return strconv.FormatFloat(x, 'f', decimals, 64) },
			func(cell, n int) int { return n/2 + cell })
	}
	read := func(folds int, texts ...string) error {
		var sources []Source
		for i, text := range texts {
			sources = append(sources, Source{
				Name: fmt.Sprint("f", i), Reader: strings.NewReader(text),
				Learner: fmt.Sprint("l", i),
			})
		}
		_, err := Read(format(t, "sklearn"), countOptions(300, folds), sources...)
		return err
	}
	require.NoError(t, read(5, write(2), write(16)))
	require.ErrorContains(t, read(10, write(1), write(16)),
		"f1:3: accuracy 0.516667 is not a multiple of 1/30")
}

func TestOptionsOfTheData(t *testing.T) {
	t.Parallel()
	o := sklearnOptions()
	o.Dataset, o.Examples, o.Tables = "", nil, []*dataset.Table{uci.Iris()}
	res := open(t, "sklearn", o, []string{testdata("sklearn", "tree.json")}, []string{"tree"})
	require.Equal(t, "iris", res.Blocks[0].Header.Data)
	for _, name := range []string{"", "iris"} {
		o.Examples = map[string]int{name: 150}
		open(t, "sklearn", o, []string{testdata("sklearn", "tree.json")}, []string{"tree"})
		o.Examples = map[string]int{name: 160}
		_, err := Open(format(t, "sklearn"), o, []string{testdata("sklearn", "tree.json")},
			[]string{"tree"})
		require.EqualError(t, err, `invalid import options: Examples (-examples) gives 160 examples of data set "iris", but the data of Tables (-data) have 150: leave Examples (-examples) out`)
	}
	// The number for all others does not count for a data set with a table.
	scores := mlr3Head + "iris,l,cv,1,1\niris,l,cv,2,1\nd,l,cv,1,1\nd,l,cv,2,1\n"
	o = Options{
		Folds: 2, Examples: map[string]int{"": 10}, Partitions: "p",
		Tables: []*dataset.Table{uci.Iris()},
	}
	res, err := readText(t, "mlr3", o, "", scores)
	require.NoError(t, err)
	require.Equal(t, []int{75, 5}, []int{
		trials(res.Blocks[0])[0].TestN,
		trials(res.Blocks[1])[0].TestN,
	})
	o.Examples["iris"] = 10
	_, err = readText(t, "mlr3", o, "", scores)
	require.ErrorContains(t, err, `10 examples of data set "iris"`)
}

// A note names the numbers that no score could be checked against.
func TestNumbersThatNothingShowsAreNoted(t *testing.T) {
	t.Parallel()
	const note = "the numbers of folds and examples are taken unchanged, and no accuracy or error would show if they were wrong: every interval depends on them: data set "
	amlb := Options{Folds: 2, Examples: map[string]int{"": 10}}
	rows := func(sets ...string) string {
		text := amlbHead
		for _, set := range sets {
			name, metric, _ := strings.Cut(set, " ")
			text += "t," + name + ",a,c,0,0.2," + metric + ",\nt," + name + ",a,c,1,0.4," + metric + ",\n"
		}
		return text
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{rows("d acc"), nil},
		{rows("d auc"), []string{note + "d"}},
		{rows("d acc", "e auc"), []string{note + "e"}},
		{rows("d auc", "e auc", "f auc", "g auc", "h auc"), []string{note + "d, e, f, and 2 more"}},
		{"id,task,framework,fold,result,metric,info,n_train,n_test\nt,d,a,0,0.2,auc,,5,5\nt,d,a,1,0.4,auc,,5,5\n", nil},
	} {
		res, err := readText(t, "amlb", amlb, "", c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, res.Notes, c.text)
	}
	res, err := readText(t, "weka", Options{}, "", wekaTwo)
	require.NoError(t, err)
	require.Empty(t, res.Notes)
}

// Runs of ten folds that are taken for twice as many runs of five have accuracies of smaller test
// sets.
func TestScoresOfSmallerTestSetsAreNoted(t *testing.T) {
	t.Parallel()
	right := func(cell, n int) int { return n*5/9 + cell*7%5 }
	for _, how := range rounded {
		text := scoresText("test_accuracy", 150, 10, 3, how.write, right)
		for _, folds := range []int{10, 5} {
			res, err := readText(t, "sklearn", countOptions(150, folds), "l", text)
			require.NoError(t, err)
			if how.name != "2 decimals" && folds == 5 {
				require.Len(t, res.Notes, 1, how.name)
				require.Contains(t, res.Notes[0],
					"all scores in accuracy are shares of the smaller test sets of 10 folds, too: check the number of folds (", how.name)
				continue
			}
			require.Empty(t, res.Notes, "%s, %d folds", how.name, folds)
		}
	}
	// Perfect scores, and few of them, tell nothing.
	all := func(_, n int) int { return n }
	res, err := readText(t, "sklearn", countOptions(150, 5), "l", scoresText("test_accuracy", 150, 10,
		3, rounded[0].write, all))
	require.NoError(t, err)
	require.Empty(t, res.Notes)
	res, err = readText(t, "sklearn", countOptions(150, 5), "l", scoresText("test_accuracy", 150, 10,
		1, rounded[0].write, right))
	require.NoError(t, err)
	require.Empty(t, res.Notes)
}
