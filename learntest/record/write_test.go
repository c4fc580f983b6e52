package record

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
	"pgregory.net/rapid"
)

func TestWriteFormat(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "c45", "naive bayes")
	s.Units = append(s.Units, unit.Unit{Name: "logloss", Better: unit.Lower, Min: 0, Max: math.Inf(1)})
	for i := range s.Trials {
		s.Trials[i].Values = append(s.Trials[i].Values, float64(i))
	}
	s.fail(2, "panic: a\nb")
	s.Header.Machine = Machine{2, 1, "Example CPU 3.00GHz"}.String()
	other := sampleSet("ir is", 1, 1, "c45")
	other.Header.Machine = s.Header.Machine
	other.Header.Commit, other.Header.CommitTime, other.Header.Owner = "", "", "process 7"
	other.Timeless = true
	require.Equal(t, `learnbench-format: 2
pkg: example.com/model
test: TestForest
commit: 3f2a9c1
protocol: cv runs=1 folds=2 stratified seed=1 v1
data-sha256: `+digest("vehicle")+`
split-sha256: `+digest("split vehicle")+`
Commit-Time: 2026-11-20T16:02:11Z
Reproduce: go test -run '^TestForest$' ./...
Determinism: c45=yes
Toolchain: go1.26.8 linux/amd64
Machine: gomaxprocs=2 parallel=1 cpu=Example CPU 3.00GHz
Data: vehicle
Learners: c45 naive%20bayes
Checksum: `+s.block(t).Checksum()+`
Unit accuracy better=higher min=0 max=1
Unit logloss better=lower min=0
BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1 0.4666666666666667 accuracy 0 logloss 10 train-n 11 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
BenchmarkCV/data=vehicle/learner=naive%20bayes/run=1/fold=1 1 0.4644990046449901 accuracy 1 logloss 10 train-n 11 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
error: panic: a\nb
BenchmarkCV/data=vehicle/learner=c45/run=1/fold=2 1 1 failed 11 train-n 10 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
error:
BenchmarkCV/data=vehicle/learner=naive%20bayes/run=1/fold=2 1 0.43559427504667086 accuracy 3 logloss 11 train-n 10 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op

learnbench-format: 2
pkg: example.com/model
test: TestForest
commit:
protocol: cv runs=1 folds=1 stratified seed=1 v1
data-sha256: `+digest("ir is")+`
split-sha256: `+digest("split ir is")+`
Reproduce: go test -run '^TestForest$' ./...
Determinism: c45=yes
Toolchain: go1.26.8 linux/amd64
Owner: process 7
Data: ir%20is
Learners: c45
Checksum: `+other.block(t).Checksum()+`
Unit accuracy better=higher min=0 max=1
BenchmarkCV/data=ir%20is/learner=c45/run=1/fold=1 1 0.4666666666666667 accuracy 0 train-n 11 test-n
`, textOf(t, s, other))
}

// The checksum of the format is the SHA-256 of the text without the first line,
// the checksum itself, the times, the machine and the lines that delete a cause.
func TestChecksumIsThatOfTheFormat(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := genSet(genUnits().Draw(t, "units")).Draw(t, "set").block(t)
		var covered strings.Builder
		for line := range strings.Lines(text(t, b)) {
			switch {
			case line == "learnbench-format: 2\n", line == "error:\n", strings.HasPrefix(line, "Checksum: "),
				strings.HasPrefix(line, "Machine: "):
				continue
			case strings.HasPrefix(line, "BenchmarkCV/"):
				head, rest, _ := strings.Cut(line, " test-n")
				line = head + " test-n"
				for _, mark := range []string{" 0 constant-model", " 1 constant-model"} {
					if strings.HasPrefix(rest, mark) {
						line += mark
					}
				}
				line += "\n"
			}
			covered.WriteString(line)
		}
		require.Equal(t, digest(covered.String()), b.Checksum())
	})
}

func TestWriteOrdersTrials(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 12, 3, "z", "a", "m")
	want := textOf(t, s)
	rapid.Check(t, func(t *rapid.T) {
		shuffled := s
		shuffled.Trials = rapid.Permutation(s.Trials).Draw(t, "trials")
		if textOf(t, shuffled) != want {
			t.Fatal("the order of the trials shows")
		}
	})
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(b *Block)
		msg   string
	}{
		"no protocol":    {func(b *Block) { b.Header.Protocol = "" }, "protocol is empty"},
		"no data digest": {func(b *Block) { b.Header.DataDigest = "" }, "data-sha256 is empty"},
		"bad split digest": {
			func(b *Block) { b.Header.SplitDigest = "77c0" },
			`split-sha256: "77c0" is not the 64 hexadecimal digits of a SHA-256`,
		},
		"bad time": {
			func(b *Block) { b.Header.CommitTime = "today" },
			`Commit-Time: "today" is not a time as in RFC 3339`,
		},
		"key too long": {
			func(b *Block) { b.Header.Commit = strings.Repeat("x", maxLine) },
			"line of 60008 bytes, 60000 are allowed: commit: xxxx",
		},
		"digest in upper case": {
			func(b *Block) { b.Header.DataDigest = strings.Repeat("A", 64) },
			"hexadecimal",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			good, bad := sampleBlock(t, "iris", 2, 3, "a", "b"), sampleBlock(t, "vehicle", 2, 3, "a", "b")
			c.spoil(bad)
			var b bytes.Buffer
			err := Write(&b, good, bad)
			require.ErrorIs(t, err, ErrInvalid)
			require.ErrorContains(t, err, c.msg)
			require.Zero(t, b.Len())
		})
	}
	require.EqualError(t, Write(new(bytes.Buffer)), "invalid record: no blocks")
	other := sampleSet("iris", 1, 1, "a")
	other.Units = []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 100}}
	err := Write(new(bytes.Buffer), sampleBlock(t, "vehicle", 1, 1, "a"), other.block(t))
	require.EqualError(t, err, `invalid record: unit "accuracy" is declared as "accuracy better=higher min=0 max=1" and as "accuracy better=higher min=0 max=100"`)
}

// A line may have as many bytes as a reader takes, and no more.
func TestWriteAtTheLimitOfALine(t *testing.T) {
	t.Parallel()
	b := sampleBlock(t, "vehicle", 1, 1, "a")
	b.Header.Commit = strings.Repeat("x", maxLine-len("commit: "))
	require.Equal(t, b.Header.Commit, readText(t, text(t, b)).Blocks()[0].Header.Commit)
	b.Header.Commit += "x"
	require.ErrorIs(t, Write(new(bytes.Buffer), b), ErrInvalid)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteReturnsErrorsOfTheWriter(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	require.ErrorIs(t, Write(brokenWriter{full}, sampleBlock(t, "a", 1, 1, "x")), full)
}

// A reader of the Go benchmark format sees the written values, and its writer
// writes the same lines.
func TestBenchfmtReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		blocks := blocksOf(t, genSets().Draw(t, "sets")...)
		full := text(t, blocks...)
		r := benchfmt.NewReader(strings.NewReader(full), "f.txt")
		var lines bytes.Buffer
		w := benchfmt.NewWriter(&lines)
		for _, b := range blocks {
			for tr := range b.Trials() {
				res := scanResult(t, r, full)
				config := map[string]string{keyFormat: formatVersion}
				for i := range headerKeys {
					if k := &headerKeys[i]; *k.field(&b.Header) != "" && !isOwn(k.name) {
						config[k.name] = string(appendText(nil, *k.field(&b.Header)))
					}
				}
				if tr.Err != "" {
					config[keyError] = string(appendText(nil, tr.Err))
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
					require.Equal(t, math.Float64bits(v), math.Float64bits(res.Values[i].Value))
				}
				require.NoError(t, w.Write(&benchfmt.Result{
					Name: res.Name, Iters: res.Iters,
					Values: res.Values,
				}))
			}
		}
		for r.Scan() {
			require.IsType(t, new(benchfmt.UnitMetadata), r.Result())
		}
		require.NoError(t, r.Err())
		for _, u := range blocks[0].Units {
			better := map[unit.Direction]int{unit.Higher: 1, unit.Lower: -1}
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

// scanResult returns the next result of a reader.
func scanResult(t *rapid.T, r *benchfmt.Reader, full string) *benchfmt.Result {
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Fatalf("%v\n%s", rec, full)
		case *benchfmt.Result:
			return rec
		}
	}
	t.Fatalf("a trial is missing\n%s", full)
	return nil
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
