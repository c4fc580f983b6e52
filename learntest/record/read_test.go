package record

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWriteThenReadGivesTheSameTrials(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := genFile().Draw(t, "file")
		full := text(t, f)
		got, err := Read(strings.NewReader(full), "f.txt")
		if err != nil {
			t.Fatalf("%v\n%s", err, full)
		}
		// Equal up to the sign of zero, and equal to the sign of zero by the text.
		require.Equal(t, f.Sets, withoutPos(got))
		require.Equal(t, full, text(t, got))
		lines := strings.Split(full, "\n")
		for _, s := range got.Sets {
			for _, tr := range s.Trials {
				require.Equal(t, "f.txt", tr.Pos.File)
				require.Contains(t, lines[tr.Pos.Line-1], fmt.Sprintf("/run=%d/fold=%d 1 ", tr.Run, tr.Fold))
			}
		}
	})
}

// base is a file to be spoilt: line 14 is the last one of the head, 26 to 28 are a failed trial.
func base(t *testing.T) string {
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	s.Trials[11].Values = nil
	s.Trials[11].Err = "boom"
	full := text(t, fileOf(s))
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
	trial := strings.SplitAfter(full, "\n")[14]
	for _, c := range []struct {
		name, text string
		line       int
		msg        string
	}{
		{"empty", "", 1, "no result"},
		{"blank", "\n\n", 2, "no result"},
		{"no format line", full[len("learnbench-format: 1\n"):], 1, "begins with"},
		{"unknown version", replace("format: 1", "format: 2"), 1, `version "2"`},
		{"format without space", replace("format: 1", "format:1"), 1, "begins with"},
		{"missing key", replace("data-sha256: 9a1f\n", ""), 1, "no key data-sha256"},
		{"missing protocol", replace("protocol: cv runs=2 folds=3 stratified seed=1 v1\n", ""), 1, "no key protocol"},
		{"missing learners", replace("Learners: c45 nb\n", ""), 1, "no key Learners"},
		{"missing unit", replace("Unit accuracy better=higher min=0 max=1\n", ""), 1, "no unit"},
		{"empty key", replace("split-sha256: 77c0", "split-sha256:"), 6, "no value"},
		{"double key", insert(9, "runs: 2"), 9, "line 7"},
		{"unknown key", insert(9, "colour: red"), 9, `unknown key "colour"`},
		{"key after trials", insert(17, "commit: x"), 17, "after the first trial"},
		{"unit after trials", insert(17, "Unit x better=higher"), 17, "after the first trial"},
		{"runs not a number", replace("runs: 2\n", "runs: two\n"), 7, "two"},
		{"runs zero", replace("runs: 2\n", "runs: 0\n"), 7, "0"},
		{"runs huge", replace("runs: 2\n", "runs: 99999999999999999999\n"), 7, "16777216"},
		{"bad escape in key", replace("commit: 3f2a9c1", `commit: \q`), 3, "escape"},
		{"double learner", replace("Learners: c45 nb", "Learners: c45 nb c45"), 13, "c45"},
		{"bad escape in learner", replace("Learners: c45 nb", "Learners: c45 n%b"), 13, "%"},
		{"unit without name", insert(14, "Unit "), 14, "name"},
		{"unit without direction", insert(14, "Unit kappa"), 14, "better"},
		{"unit with odd direction", insert(14, "Unit kappa better=sideways"), 14, "sideways"},
		{"unit with unknown key", insert(14, "Unit kappa better=higher assume=exact"), 14, "assume"},
		{"unit with a word", insert(14, "Unit kappa better=higher exact"), 14, "exact"},
		{"unit with double key", insert(14, "Unit kappa better=higher better=higher"), 14, "twice"},
		{"unit with infinite range", insert(14, "Unit kappa better=higher max=Inf"), 14, "Inf"},
		{"unit with empty range", insert(14, "Unit kappa better=higher min=2 max=1"), 14, "range"},
		{"unit that is rescaled", insert(14, "Unit ns better=higher"), 14, "sec"},
		{"unit twice", insert(15, "Unit accuracy better=higher min=0 max=1"), 15, "line 14"},
		{"unit otherwise in another block", full + strings.Replace(full, "max=1", "max=2", 1), 28 + 14, "f.txt:14"},
		{"garbage", insert(17, "garbage"), 17, "garbage"},
		{"garbage in the head", insert(5, "Garbage: 1"), 5, "Garbage"},
		{"another benchmark", insert(17, "BenchmarkFoo-8 100 12 ns/op"), 17, "something else"},
		{"key of go test after trials", insert(17, "pkg: example.com/model"), 17, "after the first trial"},
		{"truncated in the last line", full[:len(full)-1], 28, "truncated"},
		{"truncated in a number", full[:strings.LastIndex(full, " 47 test-n")+2], 27, "truncated"},
		{"truncated before the end of a failure", strings.TrimSuffix(full, "error:\n"), 26, "truncated"},
		{"truncated before the failed trial", full[:strings.Index(full, "error: boom\n")+len("error: boom\n")], 26, "truncated"},
		{"truncated after the head", full[:strings.Index(full, "Benchmark")], 1, "no trials"},
		{"name only", insert(17, "BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1"), 17, "name only"},
		{"no values", insert(17, "BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1"), 17, "missing measurements"},
		{"no count", insert(17, "BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 x"), 17, "iteration count"},
		{"count not 1", insert(15, strings.Replace(trial, " 1 ", " 2 ", 1)), 15, "iteration count is 2"},
		{"value without unit", insert(15, strings.Replace(trial, " accuracy", "", 1)), 15, "invalid syntax"},
		{"value not a number", insert(15, strings.Replace(trial, "0.4666666666666667", "high", 1)), 15, "invalid"},
		{"value is NaN", insert(15, strings.Replace(trial, "0.4666666666666667", "NaN", 1)), 15, "accuracy is NaN"},
		{"value is infinite", insert(15, strings.Replace(trial, "0.4666666666666667", "-Inf", 1)), 15, "accuracy is -Inf"},
		{"value overflows", insert(15, strings.Replace(trial, "0.4666666666666667", "1e999", 1)), 15, "range"},
		{"no value of the metric", insert(15, strings.Replace(trial, "0.4666666666666667 accuracy ", "", 1)), 15, "no accuracy"},
		{"no training size", insert(15, strings.Replace(trial, "101 train-n ", "", 1)), 15, "no train-n"},
		{"no test size", insert(15, strings.Replace(trial, "49 test-n ", "", 1)), 15, "no test-n"},
		{"no time", insert(15, strings.Replace(trial, " 0.0012 fit-sec/op", "", 1)), 15, "no fit-sec/op"},
		{"negative time", insert(15, strings.Replace(trial, " 0.0012 ", " -1 ", 1)), 15, "fit-sec/op is -1"},
		{"broken size", insert(15, strings.Replace(trial, " 101 ", " 10.5 ", 1)), 15, "train-n is 10.5"},
		{"no test examples", insert(15, strings.Replace(trial, " 49 ", " 0 ", 1)), 15, "test-n is 0"},
		{"value twice", insert(15, strings.Replace(trial, "101 train-n", "101 train-n 101 train-n", 1)), 15, "twice"},
		{"value of an unknown unit", insert(15, strings.Replace(trial, " 101 ", " 1 kappa 101 ", 1)), 15, "kappa"},
		{"unknown learner", insert(15, strings.Replace(trial, "c45", "c50", 1)), 15, "c50"},
		{"other data set", insert(16, strings.Replace(trial, "vehicle", "iris", 1)), 16, "iris"},
		{"run not in the plan", insert(15, strings.Replace(trial, "run=1", "run=3", 1)), 15, "run 3"},
		{"run with a sign", insert(15, strings.Replace(trial, "run=1", "run=+1", 1)), 15, "+1"},
		{"fold zero", insert(15, strings.Replace(trial, "fold=1", "fold=0", 1)), 15, "0"},
		{"processors in the name", insert(15, strings.Replace(trial, "fold=1", "fold=1-8", 1)), 15, "1-8"},
		{"keys in another order", insert(15, strings.Replace(trial, "run=1/fold=1", "fold=1/run=1", 1)), 15, "form"},
		{"another key in the name", insert(15, strings.Replace(trial, "fold=1", "fold=1/x=1", 1)), 15, "form"},
		{"failed without cause", replace("error: boom\n", ""), 26, "without"},
		{"values with cause", replace("error:\n", "error: again\n"+trial+"error:\n"), 29, "follows the cause"},
		{"failed with values", replace("1 failed", "1 failed 0.5 accuracy"), 27, "has a value"},
		{"half failed", replace("1 failed", "0.5 failed"), 27, "failed is 0.5"},
		{"cause too long", replace("error: boom", "error: "+strings.Repeat("x", maxCause+1)), 27, "1001 bytes"},
		{"bad escape in cause", replace("error: boom", `error: \q`), 27, "escape"},
		{"line too long", insert(17, "x"+strings.Repeat("y", maxLine)), 17, "60001 bytes"},
		{"trial too long", insert(17, "BenchmarkCV/"+strings.Repeat("y", maxLine)), 17, "bytes"},
		{"earlier error in a trial first", strings.TrimSuffix(strings.Replace(full, "0.4666666666666667", "NaN", 1), "\n"), 15, "NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.text = strings.ReplaceAll(c.text, "\n\nBenchmark", "\nBenchmark")
			_, err := Read(strings.NewReader(c.text), "f.txt")
			e := requireError[*SyntaxError](t, err)
			require.Equal(t, "f.txt", e.File)
			require.Equal(t, c.line, e.Line, e.Msg)
			require.Contains(t, e.Msg, c.msg)
			require.Equal(t, fmt.Sprintf("f.txt:%d: %s", e.Line, e.Msg), e.Error())
		})
	}
}

func TestReadTakesWhatIsOrdinary(t *testing.T) {
	t.Parallel()
	full := base(t)
	want, err := Read(strings.NewReader(full), "f.txt")
	require.NoError(t, err)
	for name, text := range map[string]string{
		"blank lines":       "\n" + strings.ReplaceAll(full, "\n", "\n\n"),
		"CRLF":              strings.ReplaceAll(full, "\n", "\r\n"),
		"output of go test": "goos: linux\ngoarch: amd64\ncpu: some\n=== RUN   TestA\n" + full + "--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/model\t0.1s\n",
		"other order of units": strings.ReplaceAll(strings.ReplaceAll(full, " 101 train-n", ""),
			" 49 test-n", " 49 test-n 101 train-n"),
		"tabs":                  strings.ReplaceAll(full, " 1 0.", "\t1\t0."),
		"escapes not necessary": strings.ReplaceAll(full, "learner=c45", "learner=%63%34%35"),
		"no optional keys":      strings.Replace(full, "repeats:\n", "", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Read(strings.NewReader(text), "f.txt")
			require.NoError(t, err)
			require.Equal(t, withoutPos(want), withoutPos(got))
		})
	}
}

func TestOpenIsConcatenation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	var all strings.Builder
	for i, s := range []Set{sampleSet("a", 1, 2, "x"), sampleSet("b", 2, 2, "x", "y"), sampleSet("a", 2, 3, "y")} {
		path := filepath.Join(dir, fmt.Sprintf("shard%d.txt", i))
		require.NoError(t, Save(path, fileOf(s)))
		paths = append(paths, path)
		all.WriteString(text(t, fileOf(s)))
	}
	got, err := Open(paths...)
	require.NoError(t, err)
	want, err := Read(strings.NewReader(all.String()), "all.txt")
	require.NoError(t, err)
	require.Equal(t, withoutPos(want), withoutPos(got))
	require.Equal(t, Pos{paths[1], 15}, got.Sets[1].Trials[0].Pos)
	require.Equal(t, []string{"a", "b"}, got.DataSets())
	require.Equal(t, []string{"x", "y"}, got.Learners("a"))
	require.Empty(t, got.Learners("c"))
	require.Equal(t, []Unit{accuracy}, got.Units())
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Open()
	require.ErrorIs(t, err, ErrNotFound)
	_, err = Open(filepath.Join(dir, "none.txt"))
	require.ErrorIs(t, err, os.ErrNotExist)
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	s := sampleSet("a", 1, 1, "x")
	require.NoError(t, Save(a, fileOf(s)))
	s.Units = []Unit{{"accuracy", Lower, 0, 1}}
	require.NoError(t, Save(b, fileOf(s)))
	_, err = Open(a, b)
	e := requireError[*SyntaxError](t, err)
	require.Equal(t, b, e.File)
	require.Contains(t, e.Msg, a+":14")
}

func FuzzRead(f *testing.F) {
	s := sampleSet("vehicle", 2, 3, "c45", "n b")
	s.Trials[3].Values, s.Trials[3].Err = nil, "boom\n"
	full := text(f, fileOf(s, sampleSet("", 1, 1, "", "%")))
	f.Add([]byte(full))
	f.Add([]byte(full[:len(full)-1]))
	f.Add([]byte(strings.ReplaceAll(full, "\n", "\r\n")))
	f.Add([]byte(strings.Replace(full, "min=0 max=1", "", 1)))
	f.Add([]byte("learnbench-format: 1\n"))
	f.Add([]byte("PASS\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(bytes.NewReader(data), "f.txt")
		if err != nil {
			requireError[*SyntaxError](t, err)
			return
		}
		if len(data) > maxLine/4 {
			return // escapes may lengthen a line beyond the limit
		}
		again, err := Read(strings.NewReader(text(t, got)), "f.txt")
		require.NoError(t, err)
		canonical := &File{Sets: withoutPos(got)}
		for i := range canonical.Sets {
			s := &canonical.Sets[i]
			sorted := make([]Trial, len(s.Trials))
			for j, at := range s.canonicalOrder() {
				sorted[j] = s.Trials[at]
			}
			s.Trials = sorted
		}
		require.Equal(t, canonical.Sets, withoutPos(again))
		require.Equal(t, text(t, got), text(t, again))
		_ = got.Check()
		for _, data := range got.DataSets() {
			for _, learner := range got.Learners(data) {
				sel := Selection{got, data, learner}
				_, _ = Pair(sel, sel, got.Units()[0].Name)
			}
		}
	})
}

func benchmarkFile() *File {
	f := new(File)
	for d := range 10 {
		f.Sets = append(f.Sets, sampleSet(fmt.Sprintf("data%d", d), 1000, 5, "c45", "naivebayes"))
	}
	return f
}

func BenchmarkRead100k(b *testing.B) {
	full := text(b, benchmarkFile())
	b.SetBytes(int64(len(full)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(strings.NewReader(full), "f.txt"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite100k(b *testing.B) {
	f := benchmarkFile()
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(new(bytes.Buffer), f); err != nil {
			b.Fatal(err)
		}
	}
}
