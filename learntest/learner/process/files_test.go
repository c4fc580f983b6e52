package process

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// learnFromFiles is a program that predicts the class of the training example that stands
// where the test example does.
func learnFromFiles(args []string) {
	how, train, test, out := args[0], args[1], args[2], args[3]
	known, _ := readAll(train)
	asked, hidden := readAll(test)
	if !hidden {
		panic("the test file contains the labels")
	}
	var text strings.Builder
	switch how {
	case "hang":
		time.Sleep(time.Hour)
	case "crash":
		fmt.Println("out of luck")
		os.Exit(4)
	case "nothing":
		return
	case "prob":
		text.WriteString("Iris-setosa,Iris-virginica\n")
	}
	for i := range asked {
		class := known[i%len(known)]
		if how == "prob" {
			p := map[string]string{
				"Iris-setosa": "1,0", "Iris-virginica": "0.25,0.75",
				"Iris-versicolor": "0,1",
			}
			text.WriteString(p[class] + "\n")
			continue
		}
		text.WriteString(class + "\n")
	}
	fmt.Println("seed", args[4], args[5])
	if err := os.WriteFile(out, []byte(text.String()), 0o666); err != nil {
		panic(err)
	}
}

// readAll returns the classes in a file, and whether all are missing.
func readAll(path string) (classes []string, hidden bool) {
	hidden = true
	if filepath.Ext(path) == ".arff" {
		t, err := dataset.Open(path, dataset.ReadOptions{})
		if err != nil {
			panic(err)
		}
		for i := range t.Len() {
			c := ""
			if t.Class(i) >= 0 {
				c, hidden = t.Attribute(t.ClassIndex()).Values[t.Class(i)], false
			}
			classes = append(classes, c)
		}
		return classes, hidden
	}
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(err)
	}
	for _, r := range records[1:] {
		c := r[len(r)-1]
		hidden = hidden && c == ""
		classes = append(classes, c)
	}
	return classes, hidden
}

func TestProgramsThatReadFiles(t *testing.T) {
	t.Parallel()
	iris := uci.Iris()
	run := func(table *dataset.Table, args ...string) (*Predictions, string, error) {
		out := new(log)
		l := started(t, Config{Args: append([]string{self(t), "files"}, args...), Stderr: out})
		p, err := trial(t.Context(), l, table, 1<<63+5)
		return p, out.String(), err
	}
	want, out, err := run(iris, "pred", "{train}", "{test}", "{pred}", "{seed}", "{seed31}")
	require.NoError(t, err)
	assert.Equal(t, "it: seed 9223372036854775813 5\n", out)
	require.Len(t, want.Labels, 50)
	assert.Equal(t, iris.Class(1), want.Labels[0])
	assert.Equal(t, iris.Class(1+49/2*3+1), want.Labels[49])
	got, _, err := run(iris, "pred", "{train.arff}", "{test.arff}", "{pred}", "{seed}", "x")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = run(iris, "prob", "{train.arff}", "{test}", "{prob}", "", "")
	require.NoError(t, err)
	assert.Equal(t, []float64{1, 0, 0}, got.Probabilities[:3])
	require.Len(t, got.Probabilities, 150)
	got, _, err = run(target(t), "pred", "{train}", "{test}", "{pred}", "", "")
	require.NoError(t, err)
	assert.Equal(t, target(t).Target(1), got.Values[0])

	_, _, err = run(iris, "crash", "{train}", "{test}", "{pred}")
	assert.EqualError(t, err, "the program ended: exit status 4: its last words: out of luck")
	_, _, err = run(iris, "nothing", "{train}", "{test}", "{pred}")
	assert.EqualError(t, err, "the program broke the protocol: it wrote no predictions")
	_, _, err = run(weighted(t), "pred", "{train}", "{test}", "{pred}")
	assert.ErrorContains(t, err, "a CSV file has no weights: use {train.arff}")
	_, _, err = run(target(t), "pred", "{train}", "{test}", "{prob}")
	assert.ErrorContains(t, err, "there are no class probabilities of numbers: use {pred}")
	_, _, err = run(mixed(t), "pred", "{train}", "{test}", "{pred}")
	assert.ErrorContains(t, err, `attribute "n" has an empty value, which would be a missing one in a CSV file: use {train.arff}`)
}

func TestProgramThatReadsFilesAndHangs(t *testing.T) {
	t.Parallel()
	late := errors.New("too late")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 500*time.Millisecond, late)
	defer cancel()
	l := started(t, Config{Args: []string{self(t), "files", "hang", "{train}", "{test}", "{pred}"}})
	start := time.Now()
	_, err := trial(ctx, l, uci.Iris(), 1)
	assert.ErrorIs(t, err, late)
	assert.Less(t, time.Since(start), 20*time.Second)
	require.NoError(t, l.Close())
	assert.Eventually(t, func() bool { return len(processes(l)) == 0 }, 20*time.Second,
		time.Millisecond)
}

func TestWrittenPredictions(t *testing.T) {
	t.Parallel()
	class := dataset.Attribute{
		Name: "class", Kind: dataset.Nominal,
		Values: []string{"a", "b c", "\"q\""},
	}
	for _, c := range []struct {
		text, want string
		labels     []int
	}{
		{"a\nb c\r\n\"q\"", "", []int{0, 1, 2}},
		{"\"a\"\n\"b c\"\n\"\\\"q\\\"\"\n", "", []int{0, 1, 2}},
		{"a\nb c\n", "2 lines for 3 examples", nil},
		{"a\nb c\nd\n", `line 3: "d" is no class: the classes are ["a" "b c" "\"q\""]`, nil},
		{"class\na\na\na\n", `line 1: "class" is no class`, nil},
		{"a\na\na\na\n", "more than 3 lines: one for each example, and no header", nil},
		{strings.Repeat("a", 1<<20), "line 1: bufio.Scanner: token too long", nil},
	} {
		var out Predictions
		err := readPredictions(strings.NewReader(c.text), class, 3, &out)
		if c.want != "" {
			assert.ErrorContains(t, err, c.want)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.labels, out.Labels)
	}
	var out Predictions
	require.NoError(t, readPredictions(strings.NewReader("1e3\n -2 \n"), dataset.Attribute{}, 2, &out))
	assert.Equal(t, []float64{1000, -2}, out.Values)
	assert.EqualError(t, readPredictions(strings.NewReader("1\nx\n"), dataset.Attribute{}, 2, &out),
		`line 2: "x" is no number`)
}

func TestWrittenProbabilities(t *testing.T) {
	t.Parallel()
	classes := []string{"a", "b,c", "d"}
	var out Predictions
	require.NoError(t, readProbabilities(strings.NewReader("\"b,c\",a\n0.75, 0.25\n0,1\n"), classes, 2,
		&out))
	assert.Equal(t, []float64{0.25, 0.75, 0, 1, 0, 0}, out.Probabilities)
	for text, want := range map[string]string{
		"":                  "EOF",
		"a,x\n1,0\n1,0\n":   `line 1: "x" is no class, or twice there`,
		"a,a\n1,0\n1,0\n":   `line 1: "a" is no class, or twice there`,
		"a,d\n1,0\n":        "1 lines with probabilities for 2 examples",
		"a\n1\n1\n1\n":      "more than 2 lines with probabilities",
		"a,d\n1,0\n1\n":     "wrong number of fields",
		"a,d\n1,0\n1,one\n": `line 3: "one" is no number`,
		"a,d\n1,0\n\"1,0\n": "parse error",
	} {
		assert.ErrorContains(t, readProbabilities(strings.NewReader(text), classes, 2, &out), want)
	}
}

// checkWritten checks that any text has two predictions or is an error.
func checkWritten(t *testing.T, text []byte) {
	t.Helper()
	class := dataset.Attribute{Kind: dataset.Nominal, Values: []string{"a", "b"}}
	var labels, values, probabilities Predictions
	if readPredictions(bytes.NewReader(text), class, 2, &labels) == nil {
		require.Len(t, labels.Labels, 2)
	}
	if readPredictions(bytes.NewReader(text), dataset.Attribute{}, 2, &values) == nil {
		require.Len(t, values.Values, 2)
	}
	if readProbabilities(bytes.NewReader(text), class.Values, 2, &probabilities) == nil {
		require.Len(t, probabilities.Probabilities, 4)
	}
}
