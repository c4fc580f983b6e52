package record

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
	"pgregory.net/rapid"
)

func TestWriteFormat(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "c45", "naive bayes")
	s.Header.Repeats = 1
	s.Units = append(s.Units, Unit{"logloss", Lower, 0, math.Inf(1)})
	for i := range s.Trials {
		s.Trials[i].Values = append(s.Trials[i].Values, Value{"logloss", float64(i)})
	}
	s.Trials[2].Values = nil
	s.Trials[2].Err = "panic: a\nb"
	other := sampleSet("iris", 1, 1, "c45")
	other.Header.Commit = ""
	require.Equal(t, `learnbench-format: 1
pkg: example.com/model
commit: 3f2a9c1
protocol: cv runs=2 folds=3 stratified seed=1 v1
data-sha256: 9a1f
split-sha256: 77c0
runs: 1
folds: 2
repeats: 1
Reproduce: go test -run '^TestForest$' ./...
Determinism: c45=yes
Toolchain: go1.26.8 linux/amd64
Learners: c45 naive%20bayes
Unit accuracy better=higher min=0 max=1
Unit logloss better=lower min=0
BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1 0.4666666666666667 accuracy 0 logloss 101 train-n 49 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
BenchmarkCV/data=vehicle/learner=naive%20bayes/run=1/fold=1 1 0.4644990046449901 accuracy 1 logloss 101 train-n 49 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
error: panic: a\nb
BenchmarkCV/data=vehicle/learner=c45/run=1/fold=2 1 1 failed 102 train-n 48 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
error:
BenchmarkCV/data=vehicle/learner=naive%20bayes/run=1/fold=2 1 0.43559427504667086 accuracy 3 logloss 102 train-n 48 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op

learnbench-format: 1
pkg: example.com/model
commit:
protocol: cv runs=2 folds=3 stratified seed=1 v1
data-sha256: 9a1f
split-sha256: 77c0
runs: 1
folds: 1
repeats:
Reproduce: go test -run '^TestForest$' ./...
Determinism: c45=yes
Toolchain: go1.26.8 linux/amd64
Learners: c45
Unit accuracy better=higher min=0 max=1
BenchmarkCV/data=iris/learner=c45/run=1/fold=1 1 0.4666666666666667 accuracy 101 train-n 49 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
`, text(t, fileOf(s, other)))
}

func TestWriteOrdersTrials(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 12, 3, "z", "a", "m")
	want := text(t, fileOf(s))
	rapid.Check(t, func(t *rapid.T) {
		shuffled := s
		shuffled.Trials = rapid.Permutation(s.Trials).Draw(t, "trials")
		before := append([]Trial(nil), shuffled.Trials...)
		if got := text(t, fileOf(shuffled)); got != want {
			t.Fatal("the order of the trials shows")
		}
		require.Equal(t, before, shuffled.Trials)
	})
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for name, spoil := range map[string]func(s *Set){
		"no trials":                  func(s *Set) { s.Trials = nil },
		"no units":                   func(s *Set) { s.Units = nil },
		"unit without direction":     func(s *Set) { s.Units[0].Better = 0 },
		"unit that is rescaled":      func(s *Set) { s.Units[0].Name = "ns/op" },
		"reserved unit":              func(s *Set) { s.Units[0].Name = "train-n" },
		"unit without name":          func(s *Set) { s.Units[0].Name = "" },
		"empty range":                func(s *Set) { s.Units[0].Min = 2 },
		"range of NaN":               func(s *Set) { s.Units[0].Max = math.NaN() },
		"two units of one name":      func(s *Set) { s.Units = append(s.Units, s.Units[0]) },
		"two learners of one name":   func(s *Set) { s.Learners = []string{"a", "a"} },
		"learner not in the plan":    func(s *Set) { s.Learners = []string{"a"} },
		"two data sets":              func(s *Set) { s.Trials[1].Data = "other" },
		"no protocol":                func(s *Set) { s.Header.Protocol = "" },
		"no data digest":             func(s *Set) { s.Header.DataDigest = "" },
		"no split digest":            func(s *Set) { s.Header.SplitDigest = "" },
		"no runs":                    func(s *Set) { s.Header.Runs = 0 },
		"too many folds":             func(s *Set) { s.Header.Folds = maxCount + 1 },
		"negative repeats":           func(s *Set) { s.Header.Repeats = -1 },
		"run not in the plan":        func(s *Set) { s.Trials[1].Run = 3 },
		"fold not in the plan":       func(s *Set) { s.Trials[1].Fold = 0 },
		"negative training size":     func(s *Set) { s.Trials[1].TrainN = -1 },
		"no test examples":           func(s *Set) { s.Trials[1].TestN = 0 },
		"value is NaN":               func(s *Set) { s.Trials[1].Values[0].Value = math.NaN() },
		"value is infinite":          func(s *Set) { s.Trials[1].Values[0].Value = inf },
		"value missing":              func(s *Set) { s.Trials[1].Values = nil },
		"value of another unit":      func(s *Set) { s.Trials[1].Values[0].Unit = "error" },
		"failed trial with values":   func(s *Set) { s.Trials[1].Err = "boom" },
		"negative time":              func(s *Set) { s.Trials[1].FitSeconds = -1 },
		"infinite time":              func(s *Set) { s.Trials[1].PredictSec = inf },
		"name too long for the line": func(s *Set) { s.Header.Commit = strings.Repeat("x", maxLine) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sampleSet("vehicle", 2, 3, "a", "b")
			s.Units = []Unit{accuracy}
			spoil(&s)
			var b bytes.Buffer
			require.ErrorIs(t, Write(&b, fileOf(s)), ErrInvalid)
			require.Zero(t, b.Len())
		})
	}
	require.ErrorIs(t, Write(new(bytes.Buffer), fileOf()), ErrInvalid)
	other := sampleSet("iris", 1, 1, "a")
	other.Units = []Unit{{"accuracy", Higher, 0, 100}}
	require.ErrorIs(t, Write(new(bytes.Buffer), fileOf(sampleSet("vehicle", 1, 1, "a"), other)), ErrInvalid)
}

// A reader of the Go benchmark format sees what was written, and its writer
// writes the same lines.
func TestBenchfmtReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := genFile().Draw(t, "file")
		full := text(t, f)
		r := benchfmt.NewReader(strings.NewReader(full), "f.txt")
		var lines bytes.Buffer
		w := benchfmt.NewWriter(&lines)
		set, trial := 0, 0
		for r.Scan() {
			var res *benchfmt.Result
			switch rec := r.Result().(type) {
			case *benchfmt.SyntaxError:
				t.Fatalf("%v\n%s", rec, full)
			case *benchfmt.Result:
				res = rec
			default:
				continue
			}
			s := &f.Sets[set]
			tr := &s.Trials[trial]
			if trial++; trial == len(s.Trials) {
				set, trial = set+1, 0
			}
			config := map[string]string{"learnbench-format": "1"}
			for i := range headerKeys {
				if k := &headerKeys[i]; k.get(&s.Header) != "" && !isOwn(k.name) {
					config[k.name] = string(appendText(nil, k.get(&s.Header)))
				}
			}
			if tr.Err != "" {
				config["error"] = string(appendText(nil, tr.Err))
			}
			got := make(map[string]string)
			for _, c := range res.Config {
				got[c.Key] = string(c.Value)
				require.True(t, c.File)
			}
			require.Equal(t, config, got)
			base, parts := res.Name.Parts()
			require.Equal(t, "CV", string(base))
			require.Len(t, parts, 4)
			for i, v := range tr.Values {
				require.Equal(t, math.Float64bits(v.Value), math.Float64bits(res.Values[i].Value))
			}
			require.NoError(t, w.Write(&benchfmt.Result{Name: res.Name, Iters: res.Iters, Values: res.Values}))
		}
		require.NoError(t, r.Err())
		require.Equal(t, len(f.Sets), set)
		for _, u := range f.Units() {
			better := map[Direction]int{Higher: 1, Lower: -1}
			require.Equal(t, better[u.Better], r.Units().GetBetter(string(appendName(nil, u.Name, ""))))
		}
		var want []string
		for line := range strings.Lines(full) {
			if strings.HasPrefix(line, "Benchmark") {
				want = append(want, line)
			}
		}
		// The writer of x/perf writes counts as floats.
		require.Equal(t, floatCounts(strings.Join(want, "")), lines.String())
	})
}

// floatCounts rewrites the counts of lines of trials as floats.
func floatCounts(lines string) string {
	var b []byte
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		for i := 3; i < len(fields); i++ {
			if x, ok := parseNumber(fields[i-1]); ok && (fields[i] == unitTrain || fields[i] == unitTest) {
				fields[i-1] = string(appendFloat(nil, x))
			}
		}
		b = append(append(b, strings.Join(fields, " ")...), '\n')
	}
	return string(b)
}
