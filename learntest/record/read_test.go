package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWriteThenReadGivesTheSameTrials(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		blocks := blocksOf(t, genSets().Draw(t, "sets")...)
		full := text(t, blocks...)
		f := readText(t, full)
		// Equal up to the sign of zero, and equal to the sign of zero by the text.
		require.Equal(t, contents(blocks...), contents(f.Blocks()...))
		require.Equal(t, full, text(t, f.Blocks()...))
		requirePositions(t, full, f)
	})
}

// requirePositions checks that the lines of trials are where they say.
func requirePositions(t require.TestingT, full string, f *File) {
	lines := strings.Split(strings.ReplaceAll(full, "\r\n", "\n"), "\n")
	for _, b := range f.Blocks() {
		require.Equal(t, "f.txt", b.Pos().File)
		require.Equal(t, keyFormat+": 2", lines[b.Pos().Line-1])
		for tr := range b.Trials() {
			require.Equal(t, "f.txt", tr.Pos.File)
			name := appendName([]byte("/learner="), tr.Learner, "/=")
			require.Contains(t, lines[tr.Pos.Line-1], fmt.Sprintf("%s/run=%d/fold=%d 1 ", name,
				tr.Run, tr.Fold))
		}
	}
}

// base is a file without checksum to be spoilt: line 14 is the last one of the
// head, 26 to 28 are a failed trial.
func base(t *testing.T) string {
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	s.fail(11, "boom")
	full := withoutChecksum(textOf(t, s))
	require.Equal(t, 28, strings.Count(full, "\n"))
	return full
}

func TestReadErrorsNameTheLine(t *testing.T) {
	t.Parallel()
	full := base(t)
	replace := func(old, new string) string {
		require.Contains(t, full, old)
		return strings.Replace(full, old, new, 1)
	}
	// insert puts a line before line n.
	insert := func(n int, line string) string {
		lines := strings.SplitAfter(full, "\n")
		return strings.Join(lines[:n-1], "") + line + "\n" + strings.Join(lines[n-1:], "")
	}
	trial := strings.TrimSuffix(strings.SplitAfter(full, "\n")[14], "\n")
	// change puts a changed copy of the first trial before it.
	change := func(old, new string) string {
		require.Contains(t, trial, old)
		return insert(15, strings.Replace(trial, old, new, 1))
	}
	// further puts a changed copy of the second trial behind it, where the short
	// form is tried first.
	further := func(old, new string) string {
		line := strings.TrimSuffix(strings.SplitAfter(full, "\n")[15], "\n")
		require.Contains(t, line, old)
		return insert(17, strings.Replace(line, old, new, 1))
	}
	for _, c := range []struct {
		name, text string
		line       int
		msg        string
	}{
		{"empty", "", 1, `there is no result: a block begins with "learnbench-format: 2"`},
		{"blank", "\n\n", 2, "there is no result"},
		{
			"no format line", full[len("learnbench-format: 2\n"):], 1,
			`a block begins with "learnbench-format: 2", not with "pkg: example.com/model"`,
		},
		{
			"a trial first", trial + "\n", 1,
			`a block begins with "learnbench-format: 2", not with "BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1 0.466666…"`,
		},
		{
			"version 1", replace("format: 2", "format: 1"), 1,
			"version 1 of the format is no longer read: run the tests or learnbench again to write the results anew",
		},
		{
			"unknown version", replace("format: 2", "format: 4"), 1,
			`version "4" of the format is unknown: this program reads versions 2 and 3`,
		},
		{
			"version of items", replace("format: 2", "format: 3"), 1,
			`version 3 of the format with the protocol "cv runs=2 folds=3 stratified seed=1 v1", whose results are of version 2`,
		},
		{"format without space", replace("format: 2", "format:2"), 1, "begins with"},
		{"format without value", replace("format: 2", "format:"), 1, `version ""`},
		{
			"missing digest", replace("data-sha256: "+digest("vehicle")+"\n", ""), 1,
			"the block has no key data-sha256",
		},
		{
			"missing protocol", replace("protocol: cv runs=2 folds=3 stratified seed=1 v1\n", ""), 1,
			"the block has no key protocol",
		},
		{"missing learners", replace("Learners: c45 nb\n", ""), 1, "the block has no key Learners"},
		{
			"missing unit", replace("Unit accuracy better=higher min=0 max=1\n", ""), 1,
			"the block declares no unit",
		},
		{
			"empty key", replace("split-sha256: "+digest("split vehicle"), "split-sha256:"), 7,
			"key split-sha256 has no value",
		},
		{
			"short digest", replace("split-sha256: ", "split-sha256: 0"), 7,
			"is not the 64 hexadecimal digits of a SHA-256",
		},
		{
			"odd protocol", replace("protocol: cv", "protocol: dice"), 5,
			`key protocol: split: cannot parse protocol "dice runs=2 folds=3 stratified seed=1 v1": unknown kind of protocol "dice": there are cv, `,
		},
		{
			"odd time", replace("2026-11-20T", "2026-11-31T"), 8,
			`key Commit-Time: "2026-11-31T16:02:11Z" is not a time as in RFC 3339`,
		},
		{"odd checksum", insert(9, "Checksum: 77c0"), 9, `key Checksum: "77c0" is not`},
		{"double key", insert(9, "commit: 2"), 9, "key commit is there already, in line 4"},
		{"double format", insert(9, "Learners: c45 nb"), 14, "key Learners is there already, in line 9"},
		{"unknown key", insert(9, "colour: red"), 9, `unknown key "colour"`},
		{"key of version 1", insert(9, "runs: 2"), 9, `unknown key "runs"`},
		{"key after trials", insert(17, "commit: x"), 17, "key commit comes after the first trial"},
		{
			"own key after trials", insert(17, "Toolchain: x"), 17,
			"key Toolchain comes after the first trial",
		},
		{
			"unit after trials", insert(17, "Unit x better=higher"), 17,
			"a unit is declared after the first trial",
		},
		{
			"bad escape in key", replace("commit: 3f2a9c1", `commit: \q`), 4,
			`key commit: unknown escape \q in "\\q"`,
		},
		{
			"bad escape in data set", replace("Data: vehicle", `Data: %2`), 12,
			`key Data: % without two hexadecimal digits in "%2"`,
		},
		{
			"data set without value", replace("Data: vehicle", `Data:`), 12,
			`key Data: empty name (write % for it)`,
		},
		{
			"double learner", replace("Learners: c45 nb", "Learners: c45 nb c45"), 13,
			`two learners have the name "c45"`,
		},
		{"no learner", replace("Learners: c45 nb", "Learners:"), 13, "no learners"},
		{
			"bad escape in learner", replace("Learners: c45 nb", "Learners: c45 n%b"), 13,
			"% without two hexadecimal digits",
		},
		{"unit without name", insert(14, "Unit "), 14, "a unit has no name"},
		{"unit with bad escape", insert(14, "Unit %x better=higher"), 14, "unit %x: % without"},
		{
			"unit without direction", insert(14, "Unit kappa"), 14,
			"unit kappa: better=higher or better=lower is missing",
		},
		{
			"unit with odd direction", insert(14, "Unit kappa better=sideways"), 14,
			`unit kappa: better is "sideways", neither higher nor lower`,
		},
		{
			"unit with unknown key", insert(14, "Unit kappa better=higher assume=exact"), 14,
			`unit kappa: unknown key "assume"`,
		},
		{
			"unit with a word", insert(14, "Unit kappa better=higher exact"), 14,
			`unit kappa: "exact" is not key=value`,
		},
		{
			"unit with double key", insert(14, "Unit kappa better=higher better=higher"), 14,
			"unit kappa: better is there twice",
		},
		{
			"unit with infinite range", insert(14, "Unit kappa better=higher max=Inf"), 14,
			`unit kappa: max is "Inf", not a finite number`,
		},
		{
			"unit with odd range", insert(14, "Unit kappa better=higher min=1x"), 14,
			`unit kappa: min is "1x", not a finite number`,
		},
		{
			"unit with empty range", insert(14, "Unit kappa better=higher min=2 max=1"), 14,
			`unit "kappa": invalid range from 2 to 1`,
		},
		{
			"unit that is rescaled", insert(14, "Unit ns better=higher"), 14,
			"tools for benchmarks would rescale it to sec",
		},
		{
			"unit twice", insert(15, "Unit accuracy better=higher min=0 max=1"), 15,
			`unit "accuracy" is declared already, in line 14`,
		},
		{
			"unit otherwise in another block", full + strings.Replace(full, "max=1", "max=2", 1), 28 + 14,
			`unit "accuracy" is declared differently at f.txt:14: as "accuracy better=higher min=0 max=1"`,
		},
		{"garbage", insert(17, "garbage"), 17, `not a line of a result file: "garbage"`},
		{"garbage of 60 bytes", insert(17, strings.Repeat("x", 60)), 17, `"` + strings.Repeat("x", 60) +
			`"`},
		{"garbage of 61 bytes", insert(17, strings.Repeat("x", 61)), 17, `"` + strings.Repeat("x", 60) +
			`…"`},
		{"garbage with a colon", insert(17, "key:value"), 17, `not a line of a result file: "key:value"`},
		{"garbage in the head", insert(5, "Garbage: 1"), 5, "Garbage"},
		{"key with a space", insert(5, "a b: 1"), 5, "not a line of a result file"},
		{"key with an upper case letter", insert(5, "aB: 1"), 5, "not a line of a result file"},
		{"key without name", insert(5, ": 1"), 5, "not a line of a result file"},
		{"key of a digit", insert(5, "1: 1"), 5, "not a line of a result file"},
		{
			"another benchmark", insert(17, "BenchmarkFoo-8 100 12 ns/op"), 17,
			`"BenchmarkFoo-8 100 12 ns/op" is a benchmark of something else`,
		},
		{
			"key of go test after trials", insert(17, "pkg: example.com/model"), 17,
			"key pkg comes after the first trial",
		},
		{
			"block that was being written", strings.Replace(full+"\n"+full, "\nlearn", "\nLearn", 1), 30,
			"writing was interrupted: run again what writes this file, and it will be put in order",
		},
		{"block that was being replaced", "R" + full[1:], 1, "writing was interrupted"},
		{
			"truncated in the last line", full[:len(full)-1], 28,
			"the file is truncated: its last line has no newline",
		},
		{"truncated in a number", full[:strings.LastIndex(full, " 10 test-n")+2], 27, "truncated"},
		{
			"truncated before the end of a failure", strings.TrimSuffix(full, "error:\n"), 26,
			`the file is truncated: the line "error:" that ends the failed trial is missing`,
		},
		{
			"truncated before the failed trial",
			full[:strings.Index(full, "error: boom\n")+len("error: boom\n")], 26, "truncated",
		},
		{"failure that does not end", strings.TrimSuffix(full, "error:\n") + full, 26, "truncated"},
		{
			"name only", insert(17, "BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1"), 17,
			"the trial has a name only",
		},
		{
			"no values", insert(17, "BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1"), 17,
			"missing measurements",
		},
		{
			"no count", insert(17, "BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 x"), 17,
			"iteration count",
		},
		{"count not 1", change(" 1 ", " 2 "), 15, "the iteration count is 2, not 1"},
		{"value without unit", change(" accuracy", ""), 15, "invalid syntax"},
		{"value not a number", change("0.4666666666666667", "high"), 15, "invalid"},
		{"value is NaN", change("0.4666666666666667", "NaN"), 15, "accuracy is NaN"},
		{"value is infinite", change("0.4666666666666667", "-Inf"), 15, "accuracy is -Inf"},
		{"value overflows", change("0.4666666666666667", "1e999"), 15, "range"},
		{"value overflows further down", further("0.4644990046449901", "1e999"), 17, "range"},
		{
			"no value of the metric", change("0.4666666666666667 accuracy ", ""), 15,
			"the trial has no accuracy",
		},
		{"no training size", change("20 train-n ", ""), 15, "the trial has no train-n"},
		{"no test size", change("11 test-n ", ""), 15, "the trial has no test-n"},
		{"no time to fit", change(" 0.0012 fit-sec/op", ""), 15, "the trial has no fit-sec/op"},
		{
			"no time to predict", change(" 4e-05 predict-sec/op", ""), 15,
			"the trial has no predict-sec/op",
		},
		{"times of the second trial only", replace("11 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op\n",
			"11 test-n\n"), 16, "the trial has fit-sec/op, which the first one of the block does not have"},
		{"negative time", change(" 0.0012 ", " -1 "), 15, "fit-sec/op is -1 and predict-sec/op is 4e-05"},
		{"broken size", change(" 20 ", " 10.5 "), 15, "train-n is 10.5"},
		{"huge size", change(" 20 ", " 2147483648 "), 15, "train-n is 2.147483648e+09"},
		{"negative size", change(" 11 ", " -1 "), 15, "test-n is -1"},
		{"no test examples", change(" 11 ", " 0 "), 15, "0 test examples"},
		{"sizes that are not even", replace(" 20 train-n 11 test-n 0.0024",
			" 19 train-n 12 test-n 0.0024"), 21, "12 of 31 examples are no test set of 3 even folds"},
		{
			"other sizes of another learner",
			replace("nb/run=1/fold=1 1 0.4644990046449901 accuracy 20 train-n 11",
				"nb/run=1/fold=1 1 0.4644990046449901 accuracy 21 train-n 10"), 16,
			"21 training and 10 test examples, but 20 and 11 for another learner in the same fold",
		},
		{
			"more examples", replace("nb/run=1/fold=1 1 0.4644990046449901 accuracy 20 train-n 11",
				"nb/run=1/fold=1 1 0.4644990046449901 accuracy 22 train-n 11"), 16,
			"22 training and 11 test examples are 33, not the 31 of the data set",
		},
		{"value twice", change("20 train-n", "20 train-n 20 train-n"), 15, "train-n is there twice"},
		{"value of an unknown unit", change(" 20 ", " 1 kappa 20 "), 15, "unit kappa is not declared"},
		{
			"value behind all units", change(" predict-sec/op", " predict-sec/op 1 failed 1 kappa"), 15,
			"unit kappa is not declared",
		},
		{"value of a unit with a bad escape", change(" 20 ", " 1 %k 20 "), 15, "unit %k is not declared"},
		{
			"unknown learner", change("c45", "c50"), 15,
			`learner "c50" is not one of those under the key Learners`,
		},
		{
			"learner with bad escape", change("c45", "c%5"), 15,
			`learner: % without two hexadecimal digits in "c%5"`,
		},
		{
			"other data set", insert(16, strings.Replace(trial, "vehicle", "iris", 1)), 16,
			`data set "iris" in a block of data set "vehicle"`,
		},
		{
			"data set with bad escape", insert(16, strings.Replace(trial, "vehicle", "%", 1)), 16,
			`data set "" in a block of data set "vehicle"`,
		},
		{
			"data set with worse escape", insert(16, strings.Replace(trial, "vehicle", "%%", 1)), 16,
			`data set: % without`,
		},
		{"run too large", change("run=1", "run=16777217"), 15, `invalid run "16777217"`},
		{"run too large further down", further("run=1", "run=16777217"), 17, `invalid run "16777217"`},
		{"run with a sign", change("run=1", "run=+1"), 15, `invalid run "+1"`},
		{"run with a zero", further("run=1", "run=01"), 17, `invalid run "01"`},
		{"fold zero", change("fold=1", "fold=0"), 15, `invalid fold "0"`},
		{"fold too large", further("fold=1", "fold=4"), 17, "fold 4 is not one of 3"},
		{"processors in the name", change("fold=1", "fold=1-8"), 15, `invalid fold "1-8"`},
		{
			"keys in another order", change("run=1/fold=1", "fold=1/run=1"), 15,
			`the name "CV/data=vehicle/learner=c45/fold=1/run=1" is not of the form CV/data=D/learner=L/run=R/fold=F`,
		},
		{"another key in the name", change("fold=1", "fold=1/x=1"), 15, "is not of the form"},
		{"a key less in the name", change("/fold=1", ""), 15, "is not of the form"},
		{
			"double", further("run=1", "run=1"), 17,
			"trials occur more than once: data set vehicle, learner nb, run 1, fold 1, as in line 16",
		},
		{"double, and otherwise", further("0.4644990046449901", "0.5"), 17, "as in line 16"},
		{
			"failed without cause", replace("error: boom\n", ""), 26,
			`a failed trial without a line "error: cause" before it`,
		},
		{
			"values with cause", replace("error:\n", "error: again\n"+trial+"\nerror:\n"), 29,
			"a trial with values follows the cause of a failure",
		},
		{
			"another trial with cause", replace("BenchmarkCV/data=vehicle/learner=c45/run=1/fold=2",
				"error: again\nBenchmarkCV/data=vehicle/learner=c45/run=1/fold=2"), 18,
			"a trial with values follows the cause of a failure",
		},
		{
			"failed with values", replace("1 failed", "1 failed 0.5 accuracy"), 27,
			"a failed trial has a value of accuracy",
		},
		{"half failed", replace("1 failed", "0.5 failed"), 27, "failed is 0.5, not 1"},
		{
			"cause too long", replace("error: boom", "error: "+strings.Repeat("x", maxCause+1)), 27,
			"the cause of the failure has 1001 bytes, 1000 are allowed",
		},
		{"bad escape in cause", replace("error: boom", `error: \q`), 27, `key error: unknown escape`},
		{
			"line too long", insert(17, "x"+strings.Repeat("y", maxLine)), 17,
			"limit exceeded: a line of 60001 bytes, 60000 are allowed",
		},
		{"trial too long", insert(17, "BenchmarkCV/"+strings.Repeat("y", maxLine)), 17, "bytes"},
		{"head wrong and trial, too", strings.Replace(replace("Learners: c45 nb\n", ""),
			"0.4666666666666667", "x", 1), 1, "no key Learners"},
		{"earlier error in a trial first", strings.TrimSuffix(strings.Replace(full, "0.4666666666666667",
			"NaN", 1), "\n"), 15, "NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(c.text), "f.txt")
			e := requireError[*SyntaxError](t, err)
			require.Equal(t, "f.txt", e.File)
			require.Contains(t, e.Msg, c.msg)
			require.Equal(t, c.line, e.Line, e.Msg)
			require.Equal(t, fmt.Sprintf("f.txt:%d: %s", e.Line, e.Msg), e.Error())
		})
	}
}

func TestReadErrorsHaveKinds(t *testing.T) {
	t.Parallel()
	full := base(t)
	lines := strings.SplitAfter(full, "\n")
	for kind, text := range map[error]string{
		ErrDouble:     strings.Join(slices.Insert(slices.Clone(lines), 20, lines[17]), ""),
		ErrUnfinished: "L" + full[1:],
		ErrLimit:      full + strings.Repeat("x", maxLine+1) + "\n",
		ErrChecksum:   strings.Replace(full, "Learners:", "Checksum: "+digest("x")+"\nLearners:", 1),
		ErrConflict:   strings.Join(slices.Insert(slices.Clone(lines), 18, ">>>>>>> topic\n"), ""),
	} {
		_, err := Read(strings.NewReader(text), "f.txt")
		require.ErrorIs(t, err, kind)
		for _, other := range []error{ErrDouble, ErrUnfinished, ErrLimit, ErrChecksum, ErrConflict} {
			require.Equal(t, other == kind, isKind(err, other))
		}
	}
	for line, is := range map[string]bool{
		"<<<<<<< HEAD": true, "=======": true, "||||||| 3f2a9c1": true, ">>>>>>> topic": true,
		"======": false, "========": false, "=======x": false, "<<<<<<= x": false, "xxxxxxx": false,
		"": false,
	} {
		_, err := Read(strings.NewReader(line+"\n"), "f.txt")
		require.Equal(t, is, errors.Is(err, ErrConflict), line)
	}
	_, err := Read(strings.NewReader("garbage\n"), "f.txt")
	require.NoError(t, requireError[*SyntaxError](t, err).Unwrap())
}

func isKind(err, kind error) bool { return requireErrorKind(err) == kind }

func requireErrorKind(err error) error {
	if e, ok := err.(*SyntaxError); ok {
		return e.Err
	}
	return nil
}

func TestReadTakesWhatIsOrdinary(t *testing.T) {
	t.Parallel()
	full := base(t)
	want := contents(readText(t, full).Blocks()...)
	for name, text := range map[string]string{
		"blank lines": "\n" + strings.ReplaceAll(full, "\n", "\n\n \t\n"),
		"CRLF":        strings.ReplaceAll(full, "\n", "\r\n"),
		"output of go test": "goos: linux\ngoarch: amd64\ncpu: some\n=== RUN   TestA\n" + full +
			"--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\nPASS\nok  \texample.com/model\t0.1s\nFAIL\nFAIL\texample.com/other\t0.1s\n",
		"other order of units": strings.ReplaceAll(strings.ReplaceAll(full, " 20 train-n 11 test-n",
			" 11 test-n 20 train-n"),
			" 21 train-n 10 test-n", " 10 test-n 21 train-n"),
		"tabs":                   strings.ReplaceAll(full, " 1 0.", "\t1\t0."),
		"escapes not necessary":  strings.ReplaceAll(full, "learner=c45", "learner=%63%34%35"),
		"escapes in upper case":  strings.ReplaceAll(full, "data=vehicle", "data=v%65%68icl%65"),
		"escaped units":          strings.ReplaceAll(full, " accuracy 2", " %61ccuracy 2"),
		"data set of the trials": strings.Replace(full, "Data: vehicle\n", "", 1),
		"keys in another order": strings.Replace(strings.Replace(full, "Data: vehicle\n", "", 1),
			"commit:", "Data: vehicle\ncommit:", 1),
		"counts as floats":       strings.ReplaceAll(full, " 10 test-n", " 1e1 test-n"),
		"numbers not as written": strings.ReplaceAll(full, " 0.", " ."),
		"more digits": strings.ReplaceAll(full, " accuracy 2",
			"0000000000000000000 accuracy 2"),
		"spaces behind a key": strings.ReplaceAll(full, "commit: ", "commit: \t "),
		"a cause without failure": strings.Replace(full, "BenchmarkCV", "error: no\nerror:\nBenchmarkCV",
			1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, full, text)
			require.Equal(t, want, contents(readText(t, text).Blocks()...))
		})
	}
	long := readText(t, strings.Replace(full, "error: boom", "error: "+strings.Repeat("x", maxCause),
		1))
	require.Len(t, long.Failures()[0].Err, maxCause)
	require.NotContains(t, full, "\ntest:\n")
	without := readText(t, strings.Replace(full, "test: TestForest\n", "", 1)).Blocks()[0]
	require.Empty(t, without.Header.Test)
	require.Equal(t, without.Header, readText(t, strings.Replace(full, "test: TestForest\n", "test:\n",
		1)).Blocks()[0].Header)
}

// The largest size, and the first one beyond it, in the first line and further down.
func TestReadSizesAtTheirLimit(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "x")
	s.Header.Protocol = "predefined runs=1 folds=2 sha256=5f seed=1 v1"
	for i := range s.Trials {
		s.Trials[i].TrainN, s.Trials[i].TestN = math.MaxInt32, math.MaxInt32
	}
	full := withoutChecksum(textOf(t, s))
	require.Equal(t, s.Trials, contentOf(readText(t, full).Blocks()[0]).Trials)
	for line, unit := range map[int]string{15: " train-n", 16: " test-n"} {
		lines := strings.SplitAfter(full, "\n")
		lines[line-1] = strings.Replace(lines[line-1], "2147483647"+unit, "2147483648"+unit, 1)
		_, err := Read(strings.NewReader(strings.Join(lines, "")), "f.txt")
		require.EqualError(t, err, fmt.Sprintf("f.txt:%d:%s is 2.147483648e+09", line, unit))
	}
}

// Nothing carries over from one block to the next.
func TestBlocksAreIndependent(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("a", 1, 2, "x", "y"), sampleSet("b", 1, 2, "y")
	a.fail(0, "boom")
	b.Header.Commit, b.Header.CommitTime, b.Timeless = "", "", true
	b.Units = []unit.Unit{{Name: "error", Better: unit.Lower, Min: 0, Max: 1}}
	full := textOf(t, a, b, a)
	f := readText(t, full)
	require.Equal(t, contents(blocksOf(t, a, b, a)...), contents(f.Blocks()...))
	require.Equal(t, 23, f.Blocks()[1].Pos().Line)
}

// A head without trials has a name of its data set, or cannot be read.
func TestHeadsWithoutTrials(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "x")
	s.Trials = nil
	full := textOf(t, s)
	require.Equal(t, contents(s.block(t)), contents(readText(t, full).Blocks()...))
	full = withoutChecksum(full)
	_, err := Read(strings.NewReader(strings.Replace(full, "Data: vehicle\n", "", 1)), "f.txt")
	require.EqualError(t, err, "f.txt:1: the block has neither trials nor a key Data")
	_, err = Read(strings.NewReader(strings.Replace(full+full, "Data: vehicle\n", "", 1)), "f.txt")
	require.EqualError(t, err, "f.txt:1: the block has neither trials nor a key Data")
}
