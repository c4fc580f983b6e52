package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// output runs the command and returns its exit status and output.
func output(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err strings.Builder
	status = run(t.Context(), args, &out, &err)
	return status, out.String(), err.String()
}

const tests = "corrected-cv-t, corrected-resampled-t, 5x2cv-t, 5x2cv-f, averaged-t, averaged-5x2cv-t, diebold-mariano, "

// Mistakes that can be known early are found before the first trial: trials leave a result file, or
// a part of one.
func TestRefusedBeforeTraining(t *testing.T) {
	t.Parallel()
	files := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(files, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	bad := write("bad.arff", "@relation bad\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,c\n")
	text := write("data.txt", "1,2\n")
	missing := filepath.Join(files, "none.arff")
	var names []string
	for _, m := range metric.Metrics() {
		names = append(names, m.Name)
	}
	metrics := strings.Join(names, ", ")
	ofClasses, _, _ := strings.Cut(metrics, ", rmse")
	for name, c := range map[string]struct {
		flags []string
		want  string // of standard error; a prefix if it ends with "…"
	}{
		"unknown test": {
			[]string{"-test", "guess"},
			`run: -test: unknown test "guess": there are ` + tests + "…",
		},
		"no test": {[]string{"-test", ""}, `run: -test: unknown test "": there are ` +
			tests + "…"},
		"test of another design": {
			[]string{"-test", "5x2cv-t"},
			`run: no verdict could be drawn on data set iris under "cv runs=10 folds=10 stratified seed=1 v1": test does not fit the design: 5x2cv-t needs 5 runs of 2 folds, not 10 of 10: choose another -test, -protocol or -alpha`,
		},
		"test of other runs": {
			[]string{"-test", "averaged-5x2cv-t", "-runs", "7", "-folds", "2"},
			`run: no verdict could be drawn on data set iris under "cv runs=7 folds=2 stratified seed=1 v1": test does not fit the design: averaged-5x2cv-t needs a multiple of 5 runs of 2 folds, not 7 of 2: choose another -test, -protocol or -alpha`,
		},
		"test of several folds": {[]string{
			"-protocol", "subsample runs=5 train=0.9 seed=1 v1",
			"-test", "corrected-cv-t",
		}, `run: no verdict could be drawn on data set iris under "subsample runs=5 train=0.9 unstratified seed=1 v1": test does not fit the design: corrected-cv-t cannot be applied to 5 runs of 1 folds: choose another -test, -protocol or -alpha`},
		"test of leave-one-out": {
			[]string{"-protocol", "loo seed=1 v1", "-test", "5x2cv-f"},
			`run: no verdict could be drawn on data set iris under "loo seed=1 v1": test does not fit the design: 5x2cv-f needs 5 runs of 2 folds, not 1 of 150: choose another -test, -protocol or -alpha`,
		},
		"alpha of 0": {
			[]string{"-alpha", "0"},
			"run: -alpha 0 is not between 0 and 1: 0.05 is usual",
		},
		"alpha of 1": {
			[]string{"-alpha", "1"},
			"run: -alpha 1 is not between 0 and 1: 0.05 is usual",
		},
		"alpha that is no number": {
			[]string{"-alpha", "NaN"},
			"run: -alpha NaN is not between 0 and 1: 0.05 is usual",
		},
		"alpha above the power": {
			[]string{"-alpha", "0.9"},
			"run: invalid claim: power 0.8 is not between the significance level 0.9 and 1: choose another -alpha or -margin",
		},
		"margin of all accuracies": {
			[]string{"-margin", "2"},
			"run: -margin 2 is the whole range of accuracy, 0 to 1, or more, and no difference is beyond it: 0.02 is two points",
		},
		"margin of all kappas": {
			[]string{"-margin", "2", "-metric", "kappa"},
			"run: -margin 2 is the whole range of kappa, -1 to 1, or more, and no difference is beyond it: give a smaller one, in the unit of the metric",
		},
		"margin of 0": {
			[]string{"-margin", "0"},
			`run: invalid value "0" for flag -margin: margin "0" is not a positive number, with or without the unit pp or %: see learnbench run -h`,
		},
		"margin below 0": {
			[]string{"-margin", "-1"},
			`run: invalid value "-1" for flag -margin: margin "-1" is not a positive number, with or without the unit pp or %: see learnbench run -h`,
		},
		"margin without a number": {
			[]string{"-margin", "x"},
			`run: invalid value "x" for flag -margin: margin "x" is not a positive number, with or without the unit pp or %: see learnbench run -h`,
		},
		"margin of no mean": {
			[]string{"-margin", "100%"},
			`run: invalid value "100%" for flag -margin: margin "100%" is all of the baseline's mean, or more: see learnbench run -h`,
		},
		"margin of another metric": {
			[]string{"-margin", "logloss=0.1"},
			`run: -margin is for "logloss", which is not compared; there are: "accuracy"`,
		},
		"points of a loss": {
			[]string{"-metric", "logloss", "-margin", "2pp"},
			"run: pp, percentage points, are for metrics of the range 0 to 1, and logloss is none: give the number in its own unit, or in % of the baseline's mean",
		},
		"unknown metric": {
			[]string{"-metric", "accuracy,speed"},
			`run: -metric: unknown metric "speed": there are ` + metrics,
		},
		"metric of numbers": {
			[]string{"-metric", "accuracy,rmse"},
			"run: -metric: rmse: metric does not apply to these predictions: it needs numbers, these are classes: choose of " + ofClasses,
		},
		"metric twice": {
			[]string{"-metric", "accuracy,accuracy"},
			"run: -metric: accuracy is there twice: name it once",
		},
		"unknown outcome": {
			[]string{"-fail-on", "worse"},
			`run: invalid value "worse" for flag -fail-on: no outcome is called "worse"; the outcomes are inconclusive, improved, regressed, equivalent: see learnbench run -h`,
		},
		"empty gate": {
			[]string{"-fail-on", ""},
			`run: invalid value "" for flag -fail-on: no outcome is called ""; the outcomes are inconclusive, improved, regressed, equivalent: see learnbench run -h`,
		},
		"unknown flag": {
			[]string{"-bogus"},
			"run: flag provided but not defined: -bogus: see learnbench run -h",
		},
		"missing data": {
			[]string{"-data", missing},
			"open " + missing + ": no such file or directory",
		},
		"malformed data": {
			[]string{"-data", bad},
			bad + `:5: value "c" of attribute "c" is not declared`,
		},
		"data of unknown format": {
			[]string{"-data", text},
			text + ": unknown extension: want .arff, .csv, .arff.gz or .csv.gz",
		},
		"unknown built-in data": {[]string{"-data", "uci:none"}, `unknown data set "none": …`},
		"data twice": {
			[]string{"-data", "uci:iris"},
			`invalid configuration: two data sets are named "iris"`,
		},
		"more folds than examples": {
			[]string{"-folds", "200"},
			`data set "iris": "cv runs=10 folds=200 stratified seed=1 v1" on 150 examples: split: too few examples: fewer than folds: choose another -protocol, -folds or -runs`,
		},
		"runs that are all alike": {
			[]string{"-folds", "150"},
			`run: no verdict could be drawn on data set iris under "cv runs=10 folds=150 stratified seed=1 v1": "cv runs=10 folds=150 stratified seed=1 v1" is leave-one-out of 150 examples, and no source supports the default test for that: use repeated cross-validation, or name a test: choose another -test, -protocol or -alpha`,
		},
		"protocol without groups": {
			[]string{"-protocol", "groups runs=2 folds=2 seed=1 v1"},
			`run: -protocol "groups runs=2 folds=2 unstratified seed=1 v1" needs the groups of the examples: name their attribute with -group`,
		},
		"one fold": {
			[]string{"-folds", "1"},
			`run: split: invalid protocol "cv runs=10 folds=1 stratified seed=1 v1": folds=1 is not in 2..65535`,
		},
		"no runs": {
			[]string{"-runs", "0"},
			`run: split: invalid protocol "cv runs=0 folds=10 stratified seed=1 v1": runs=0 is not in 1..1000000`,
		},
		"unreadable protocol": {
			[]string{"-protocol", "cv runs=x"},
			`run: -protocol: split: cannot parse protocol "cv runs=x": word "runs=x": not a whole number in 0..2^31-1: write it as in "cv runs=5 folds=2 stratified seed=1 v1"`,
		},
		"folds twice": {
			[]string{"-protocol", "5x2", "-folds", "3"},
			"run: -folds and -protocol exclude each other: give the folds in the protocol",
		},
		"too many trials": {
			[]string{"-runs", "1000000", "-folds", "140"},
			`run: data set iris has 280000000 trials under "cv runs=1000000 folds=140 stratified seed=1 v1", more than the 67108864 that a result file has room for: choose fewer -runs, -folds or -repeats`,
		},
		"too many repeats": {
			[]string{"-repeats", "9223372036854775807"},
			`run: data set iris has 1844674407370955161600 trials under "cv runs=10 folds=10 stratified seed=1 v1", more than the 67108864 that a result file has room for: choose fewer -runs, -folds or -repeats`,
		},
		"no repeats":       {[]string{"-repeats", "0"}, "run: -repeats 0 is less than 1"},
		"repeats below 0":  {[]string{"-repeats", "-1"}, "run: -repeats -1 is less than 1"},
		"nothing parallel": {[]string{"-parallel", "0"}, "run: -parallel 0 is less than 1"},
		"parallel below 0": {[]string{"-parallel", "-2"}, "run: -parallel -2 is less than 1"},
		"no time": {
			[]string{"-timeout", "0"},
			"run: -timeout 0s is not a positive time, as in 30s",
		},
		"time below 0": {
			[]string{"-timeout", "-1s"},
			"run: -timeout -1s is not a positive time, as in 30s",
		},
		"class of no file": {
			[]string{"-class", "petallength"},
			"-class, -target, -group, -ignore, -nominal and -missing are for files; built-in data sets have their classes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := append([]string{"run", "-o", filepath.Join(dir, "results.txt"), "-data", "uci:iris"},
				c.flags...)
			status, stdout, stderr := output(t, append(args, "nn", "naivebayes")...)
			assert.Equal(t, cli.Unjudged, status)
			assert.Empty(t, stdout)
			if prefix, ok := strings.CutSuffix(c.want, "…"); ok {
				assert.Equal(t, "learnbench: "+prefix, stderr[:min(len(stderr), len("learnbench: "+prefix))])
				assert.Equal(t, 1, strings.Count(stderr, "\n"))
			} else {
				assert.Equal(t, "learnbench: "+c.want+"\n", stderr)
			}
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left, "something was trained")
		})
	}
	dir := t.TempDir()
	status, _, stderr := output(t, "run", "-o", filepath.Join(dir, "results.txt"), "-data", "uci:iris",
		"-runs", "1", "-folds", "2", "nn", "naivebayes")
	require.Equal(t, cli.Clean, status, stderr)
	assert.FileExists(t, filepath.Join(dir, "results.txt"), "what shows that something was trained")
	_, _, stderr = output(t, "run", "-o", "", "-data", "uci:iris", "nn", "naivebayes")
	assert.Equal(t, "learnbench: run: -o is empty: name a file or a directory\n", stderr)
}

// A rehearsal accepts designs and tests that fit.
func TestRehearsalOfWhatFits(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{
		"default":         nil,
		"replicability":   {"-repeats", "5", "-runs", "2", "-folds", "3"},
		"margin":          {"-margin", "0.02"},
		"margin, points":  {"-margin", "accuracy=2pp"},
		"margin, percent": {"-margin", "2%"},
		"5x2":             {"-protocol", "5x2", "-test", "5x2cv-f"},
		"averaged":        {"-test", "averaged-t"},
		"permutation":     {"-test", "permutation"},
		"subsample":       {"-protocol", "subsample runs=5 train=0.9 seed=1 v1"},
		"calibrated":      {"-test", "b03-use-all-data/df=10"},
		"most trials":     {"-runs", "1000000", "-folds", "33"},
		"logloss, margin": {"-metric", "logloss", "-margin", "3"},
	} {
		r, err := parseRun(append(append([]string{"-data", "uci:iris"}, flags...), "nn", "naivebayes"))
		require.NoError(t, err, name)
		require.NoError(t, r.settle(false))
		_, err = r.rehearse("iris", 150)
		require.NoError(t, err, name)
	}
	r, err := parseRun([]string{
		"-data", "uci:iris", "-runs", "1000000", "-folds", "34", "nn",
		"naivebayes",
	})
	require.NoError(t, err)
	_, err = r.rehearse("iris", 150)
	assert.ErrorContains(t, err, "has 68000000 trials")
}

// A margin that so many examples cannot show without an improvement is a note before training.
func TestNarrowMarginsAreNotedBeforeTraining(t *testing.T) {
	t.Parallel()
	const few = "data set d: without an improvement %s examples cannot show a loss below %s points, and the smallest round margin above that is %s points"
	for _, c := range []struct {
		flags    string
		examples int
		want     []any
	}{
		{"-margin 2pp", 100, []any{"100", "2.95", "3.00"}},
		{"-margin 3pp", 100, nil},
		{"-margin 2pp", 148, []any{"148", "2.00", "3.00"}},
		{"-margin 2pp", 149, nil},
		{"-margin 2pp -alpha 0.01", 149, []any{"149", "3.04", "4.00"}},
		{"-margin 2% -runs 2", 100, nil}, // nobody knows how much that is
		{"-margin 1 -metric logloss", 20, nil},
		{"-runs 1", 20, nil},
		// What a run does not test says nothing.
		{"-margin 2pp -test diebold-mariano -protocol timeseries", 160, []any{"140", "2.12", "3.00"}},
		{"-margin 2pp -protocol", 150, []any{"112", "2.64", "3.00"}},
		{"-margin 2pp -group g", 100, []any{"100", "2.95", "3.00"}},
	} {
		args := strings.Fields(c.flags)
		switch args[len(args)-1] {
		case "timeseries":
			args[len(args)-1] = "timeseries folds=10 v1"
		case "-protocol":
			args = append(args, "subsample runs=2 train=0.5 seed=1 v1")
		}
		r, err := parseRun(slices.Concat([]string{"-data", "d.csv"}, args, []string{"nn", "naivebayes"}))
		require.NoError(t, err, c.flags)
		require.NoError(t, r.settle(false))
		note, err := r.rehearse("d", c.examples)
		require.NoError(t, err, c.flags)
		want := ""
		if c.want != nil {
			want = fmt.Sprintf(few, c.want...)
		}
		assert.Equal(t, want, note, c.flags)
	}
}

// The scores of a run may be what a test cannot judge.
const weather = `@relation weather
@attribute temperature numeric
@attribute windy {yes,no}
@attribute play {yes,no}
@data
85,no,no
80,yes,no
83,no,yes
70,no,yes
68,no,yes
65,yes,no
64,yes,yes
72,no,no
`

func TestReasonsOfInvalidVerdictsAreOnStandardError(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "weather.arff")
	require.NoError(t, os.WriteFile(path, []byte(weather), 0o666))
	status, stdout, stderr := output(t, "run", "-data", path, "-runs", "5", "-folds", "2", "-test",
		"averaged-t", "nn", "naivebayes", "nn(k=3)")
	assert.Equal(t, cli.Unjudged, status)
	assert.Contains(t, stdout, "nn vs naivebayes on weather: invalid: averaged-t: zero variance in run 4, so that its t is undefined\n")
	assert.Contains(t, stdout, "\n\nnn vs nn(k=3) on weather: invalid: averaged-t: ")
	assert.Regexp(t, `^learnbench: nn vs naivebayes on weather: invalid: averaged-t: zero variance in run 4, so that its t is undefined: choose a -test, -protocol or -margin that these results allow
learnbench: nn vs nn\(k=3\) on weather: invalid: averaged-t: zero variance in run \d, so that its t is undefined: choose a -test, -protocol or -margin that these results allow
$`, stderr)
}

var errFull = errors.New("no space left on device")

// full is a device that is full after some bytes.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	const message = "learnbench: writing to standard output: no space left on device: make room for it or send it elsewhere, and run the command again"
	path := filepath.Join(t.TempDir(), "results.txt")
	for name, c := range map[string]struct {
		args []string
		room int
		want string
	}{
		"help":         {[]string{"help"}, 0, message + "\n"},
		"half of help": {[]string{"help", "all"}, 500, message + "\n"},
		"help of run":  {[]string{"run", "-h"}, 0, message + "\n"},
		"verdict": {[]string{
			"run", "-data", "uci:iris", "-runs", "1", "-folds", "2", "nn",
			"naivebayes",
		}, 0, message + "\n"},
		"half a verdict": {[]string{
			"run", "-data", "uci:iris", "-runs", "1", "-folds", "2", "nn",
			"naivebayes",
		}, 100, message + "\n"},
		"stored verdict": {[]string{
			"run", "-o", path, "-data", "uci:iris", "-runs", "1", "-folds", "2",
			"nn", "naivebayes",
		}, 0, message + "; the results are in " + path + "\n"},
		"failed gate": {[]string{
			"run", "-fail-on", "inconclusive,improved,regressed,equivalent",
			"-data", "uci:iris", "-runs", "1", "-folds", "2", "nn", "naivebayes",
		}, 0, message + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stderr strings.Builder
			assert.Equal(t, cli.Unjudged, run(t.Context(), c.args, &full{c.room}, &stderr))
			assert.Equal(t, c.want, stderr.String())
		})
	}
}

// TestConcludeSaysAll checks that all problems are reported: reasons and the output that failed.
func TestConcludeSaysAll(t *testing.T) {
	t.Parallel()
	r := &runConfig{gate: cli.Gate{verdict.Regressed}}
	invalid := verdict.Fail(verdict.Claim{}, errors.New("trials are missing"))
	status, err := r.conclude([]verdict.Verdict{invalid, {Outcome: verdict.Regressed}}, &full{})
	assert.Equal(t, cli.Unjudged, status)
	assert.EqualError(t, err, "invalid: trials are missing: choose a -test, -protocol or -margin that these results allow\n"+
		"writing to standard output: no space left on device: make room for it or send it elsewhere, and run the command again")
}

func TestFailedTrialsAreListed(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := output(t, "run", "-data", "uci:iris", "-runs", "1", "-folds", "2",
		"-timeout", "1ns", "-parallel", "1", "nn", "naivebayes", "nn(k=3)")
	assert.Equal(t, cli.Unjudged, status)
	assert.Empty(t, stdout)
	first, rest, _ := strings.Cut(stderr, "\n")
	assert.Equal(t, "learnbench: 6 trials failed, and there is no verdict without them: mend the cause or leave the learner out", first)
	assert.Regexp(t, `^learnbench: data set iris, learner nn, run 1, fold 1: trial timed out after 1ns: `, rest)
}

// TestCausesOfFailureAreListedOnce checks that a repeated cause is listed once for each learner.
func TestCausesOfFailureAreListedOnce(t *testing.T) {
	t.Parallel()
	failures := func(cause func(learner string, fold int) string) string {
		digest := strings.Repeat("0", 64)
		b, err := record.NewBlock(record.Header{
			Test: "t", Data: "d", Protocol: split.CV(1, 10).String(),
			DataDigest: digest, SplitDigest: digest,
		}, []string{"a", "b"},
			[]unit.Unit{metric.Accuracy().Unit}, 20)
		require.NoError(t, err)
		for _, learner := range b.Learners {
			for fold := range 10 {
				r := record.Trial{
					Data: "d", Learner: learner, Run: 1, Fold: fold + 1, TrainN: 18, TestN: 2,
					Values: []float64{1},
				}
				if r.Err = cause(learner, fold); r.Err != "" {
					r.Values = nil
				}
				require.NoError(t, b.Add(r))
			}
		}
		if err := reportFailures(record.NewFile(b), "mend it"); err != nil {
			return err.Error()
		}
		return ""
	}
	const first, one = " failed, and there is no verdict without them: mend it\n",
		" failed, and there is no verdict without it: mend it\n"
	assert.Empty(t, failures(func(string, int) string { return "" }))
	assert.Equal(t, "20 trials"+first+"data set d, learner a, run 1, fold 1: x (and 9 more with the same cause)\ndata set d, learner b, run 1, fold 1: x (and 9 more with the same cause)",
		failures(func(string, int) string { return "x" }))
	assert.Equal(t, "1 trial"+one+"data set d, learner b, run 1, fold 3: x",
		failures(func(learner string, fold int) string {
			return map[bool]string{learner == "b" &&
				fold == 2: "x"}[true]
		}))
	got := failures(func(learner string, fold int) string { return fmt.Sprint(learner, max(1, fold)) })
	assert.Contains(t, got, "data set d, learner a, run 1, fold 1: a1 (and 1 more with the same cause)\n")
	assert.True(t, strings.HasSuffix(got,
		"data set d, learner a, run 1, fold 4: a3\nand 13 more of 13 other causes"), got)
}
