package learntest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareReportsTheVerdict(t *testing.T) {
	r := newRecorder(t)
	c := Compare(r, numbers(100), Pretrained("parity", func(x int) bool { return x%2 == 1 }), constant("odd", true))
	assert.Empty(t, r.errors)
	assert.Empty(t, r.fatal)
	require.Len(t, r.logs, 1)
	assert.Contains(t, r.logs[0], "parity vs odd on numbers: improved")
	assert.Equal(t, "parity vs odd on numbers", r.attrs["learntest.1.comparison"])
	assert.Equal(t, "improved", r.attrs["learntest.1.verdict"])
	assert.Equal(t, "0", r.attrs["learntest.1.p"])
	assert.Equal(t, "1", r.attrs["learntest.1.replicability"])
	v := c.Judge(verdict.Claim{Kind: verdict.Improves})
	assert.True(t, v.Holds)
	assert.Equal(t, `go test -count=1 -run '^TestModel$/^case \(1\)$' github.com/learnbench/learnbench/learntest`, v.CandidateHeader.Reproduce)
	assert.Equal(t, "github.com/learnbench/learnbench/learntest", v.CandidateHeader.Pkg)
}

func TestCompareRunsWhatCountingReplicabilityTakes(t *testing.T) {
	r := newRecorder(t)
	c := CompareWith(r, Config{Protocol: split.CV(2, 5)}, numbers(60), guesser("a"), constant("odd", true))
	assert.Equal(t, 20, c.Records().Blocks()[0].Len())
	v := c.Judge(verdict.Claim{Repeats: 4})
	assert.Equal(t, 80, c.Records().Blocks()[0].Len())
	require.NotNil(t, v.Rerun)
	assert.Equal(t, 4, v.Rerun.Repeats)
	// The test itself is still the one on the protocol's own runs.
	assert.Equal(t, c.Judge(verdict.Claim{}).Difference.P, v.Difference.P)
	assert.Equal(t, 2, v.Runs)
}

func TestCompareRunsNoMoreForAClaimThatFailsAnyway(t *testing.T) {
	r := newRecorder(t)
	c := CompareWith(r, Config{Protocol: split.CV(2, 5)}, numbers(60), constant("even", false), constant("odd", true))
	for reason, claim := range map[string]verdict.Claim{
		"no significant improvement": {Kind: verdict.Improves, Replicability: 0.9},
		"design":                     {Test: stat.MustLookup("5x2cv-t"), Replicability: 0.9},
		"replicability 2":            {Replicability: 2},
		"-3 repetitions":             {Replicability: 0.9, Repeats: -3},
	} {
		v := c.Judge(claim)
		assert.False(t, v.Holds)
		assert.Contains(t, v.Reason, reason)
	}
	assert.Equal(t, 20, c.Records().Blocks()[0].Len())
}

func TestCompareReportsFailedTrials(t *testing.T) {
	r := newRecorder(t)
	bad := Func("bad", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return nil, errors.New("out of luck")
	})
	c := CompareWith(r, Config{Protocol: split.CV(2, 5)}, numbers(60), bad, constant("odd", true))
	require.Len(t, r.errors, 6)
	assert.Contains(t, r.errors[0], "data set numbers, learner bad, run 1, fold 1: fit: out of luck")
	assert.Contains(t, r.errors[5], "and 5 more trials failed")
	v := c.Judge(verdict.Claim{})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.Contains(t, v.Reason, "trials failed: data set numbers, learner bad, run 1, fold 1")
	assert.Equal(t, "invalid", r.attrs["learntest.1.verdict"])
	assert.Equal(t, 20, c.Records().Blocks()[0].Len())
}

func TestCompareEndsBeforeTheTestsDeadline(t *testing.T) {
	gate := make(chan struct{})
	t.Cleanup(func() { close(gate) })
	r := newRecorder(t)
	r.deadline = time.Now().Add(1100 * time.Millisecond)
	hang := Func("hang", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		<-gate
		return nil, nil
	})
	c := CompareWith(r, Config{Protocol: split.CV(1, 2)}, numbers(60), hang, constant("odd", true))
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0], "learntest.Compare: interrupted: the test's deadline is near: ")
	assert.Contains(t, r.errors[0], "the learner did not return: data set numbers, learner hang, run 1, fold 1")
	v := c.Judge(verdict.Claim{})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.Contains(t, v.Reason, "the test's deadline is near")
}

func TestCompareRefusesBadConfigurations(t *testing.T) {
	r := newRecorder(t)
	c := Compare(r, numbers(60), constant("a", true), constant("a", true))
	assert.Contains(t, r.fatal, `two learners are named "a"`)
	assert.Equal(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome)
	assert.Empty(t, c.Records().Blocks())

	r = newRecorder(t)
	CompareWith(r, Config{Repeats: -1}, numbers(60), constant("a", true), constant("b", true))
	assert.Contains(t, r.fatal, "learntest.Compare: invalid configuration: Repeats is negative")

	r = newRecorder(t)
	assert.Empty(t, CompareAll(r, Config{}, numbers(60), constant("a", true)))
	assert.Contains(t, r.fatal, "no candidates to compare with a")

	t.Setenv("LEARNTEST_SEDE", "1")
	r = newRecorder(t)
	Compare(r, numbers(60), constant("a", true), constant("b", true))
	assert.Contains(t, r.fatal, "LEARNTEST_SEDE=1: unknown variable")
}

func TestEnvironmentOverridesTheConfiguration(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv("LEARNTEST_OUT", out)
	t.Setenv("LEARNTEST_SEED", "7")
	t.Setenv("LEARNTEST_RUNS", "3")
	t.Setenv("LEARNTEST_ALPHA", "0.01")
	r := newRecorder(t)
	c := Compare(r, numbers(60), guesser("a"), constant("odd", true))
	require.Empty(t, r.errors)
	v := c.Judge(verdict.Claim{})
	assert.Equal(t, "cv runs=3 folds=10 stratified seed=7 v1", v.CandidateHeader.Protocol)
	assert.Equal(t, 0.01, v.Claim.Alpha)
	assert.Contains(t, v.CandidateHeader.Reproduce, "LEARNTEST_ALPHA=0.01 LEARNTEST_RUNS=3 LEARNTEST_SEED=7 go test")

	// The verdict from the file is the live one, bit for bit.
	f, err := record.Open(out)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	stored := verdict.OfFile(f, "numbers", "a", "odd", verdict.Claim{Alpha: 0.01})
	bits := func(v verdict.Verdict) string { // functions apart
		v.Claim.Test = stat.Test{Name: v.Claim.Test.Name}
		header, rerun := *v.CandidateHeader, *v.Rerun
		v.CandidateHeader, v.BaselineHeader, v.Rerun = nil, nil, nil
		return fmt.Sprintf("%+v %+v %+v", v.String(), header, rerun) + fmt.Sprintf("%#v", v.Difference) + fmt.Sprintf("%#v", v.Decision)
	}
	assert.Equal(t, bits(v), bits(stored))
	assert.Equal(t, v.String(), stored.String())

	// A posterior probability has no level that the environment could set.
	bayes := verdict.Claim{Kind: verdict.NoRegression, Rope: 0.1, Probability: 0.9}
	v, stored = c.Judge(bayes), verdict.OfFile(f, "numbers", "a", "odd", bayes)
	require.NotNil(t, v.Posterior, "%v", v)
	assert.Equal(t, *v.Posterior, *stored.Posterior)
	assert.Equal(t, bits(v), bits(stored))
	assert.Equal(t, v.String(), stored.String())

	// Another test joins the first in the file, and running it again replaces it.
	before, err := os.ReadFile(out)
	require.NoError(t, err)
	other := newRecorder(t)
	other.name = "TestOther"
	Compare(other, numbers(60), guesser("a"), constant("even", false))
	require.Empty(t, other.errors)
	again := newRecorder(t)
	Compare(again, numbers(60), guesser("a"), constant("odd", true))
	require.Empty(t, again.errors)
	f, err = record.Open(out)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	assert.Len(t, f.Experiments(), 2)
	after, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Greater(t, len(after), len(before)*3/2)
	for _, r := range []*recorder{r, other, again} {
		r.end()
	}
	requireOnly(t, out)
}

// requireOnly checks that nothing lies beside a file.
func requireOnly(t *testing.T, path string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "%v", left)
}

// environ returns the arguments of parseEnvironment for some variables.
func environ(settings ...string) (func(string) (string, bool), []string) {
	return func(name string) (string, bool) {
		for _, kv := range settings {
			if value, ok := strings.CutPrefix(kv, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}, settings
}

func TestParseEnvironmentRefusesBadValues(t *testing.T) {
	t.Parallel()
	for kv, text := range map[string]string{
		"LEARNTEST_OUT=new.txt": "LEARNTEST_OUT=$PWD/new.txt",
		"LEARNTEST_SEED=-1":     "invalid syntax",
		"LEARNTEST_RUNS=0":      "at least 1",
		"LEARNTEST_RUNS=many":   "invalid syntax",
		"LEARNTEST_RUNS_MAX=0":  "it must be at least 1",
		"LEARNTEST_RUNS_MAX=1.": "invalid syntax",
		"LEARNTEST_RUNS_MIN=-3": "it must be at least 1",
		"LEARNTEST_RUNS_MIN=x":  "invalid syntax",
		"LEARNTEST_ALPHA=5":     "between 0 and 1",
		"LEARNTEST_ALPHA=NaN":   "between 0 and 1",
		"LEARNTEST_SHARD=1":     "unknown variable",
	} {
		_, err := parseEnvironment(environ("HOME=/", kv))
		require.ErrorIs(t, err, ErrConfig, kv)
		require.ErrorContains(t, err, text)
		require.ErrorContains(t, err, kv)
	}
	e, err := parseEnvironment(environ("LEARNTEST_SEED=", "LEARNTESTER=1"))
	require.NoError(t, err)
	assert.Equal(t, environment{}, e)
}

func TestRunWritesTheResultFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	calls := 0
	cfg := Config{Protocol: split.CV(2, 5), Out: out, Progress: func(done, total int) {
		calls++
		assert.Equal(t, calls, done)
		assert.Equal(t, 20, total)
		if calls == 10 {
			assert.Eventually(t, func() bool {
				b, err := os.ReadFile(out + ".partial-1")
				return err == nil && bytes.Contains(b, []byte("BenchmarkCV/data=numbers"))
			}, 10*time.Second, time.Millisecond)
			partials, err := record.Partials(out)
			assert.NoError(t, err)
			assert.Equal(t, []record.Partial{{Path: out + ".partial-1", Live: true}}, partials)
			assert.NoFileExists(t, out)
		}
	}}
	s := mustRun(t, numbers(30), cfg, guesser("a"), guesser("b"))
	assert.Equal(t, 20, calls)
	f, err := record.Open(out)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 1)
	assert.Equal(t, s.Checksum(), f.Blocks()[0].Checksum())
	requireOnly(t, out)

	// Written again it is the same, times included.
	var buf bytes.Buffer
	require.NoError(t, record.Write(&buf, f.Blocks()...))
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, string(b), buf.String())
}

func TestRunReportsAnUnwritableResultFile(t *testing.T) {
	t.Parallel()
	f, err := Run(t.Context(), []Data[int, bool]{numbers(30)}, []Learner[int, bool]{guesser("a")},
		Config{Out: filepath.Join(t.TempDir(), "missing", "r.txt")})
	require.ErrorContains(t, err, "result file")
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.Nil(t, f, "nothing ran: the file was refused at the start")
}

func TestFailedTrialsAreInTheFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	panics := Func("panics", func(_ context.Context, train Sample[int, bool], _ uint64) (func(int) bool, error) {
		return func(x int) bool {
			if x == 7 {
				panic("seven\nis bad")
			}
			return true
		}, nil
	})
	mustRun(t, numbers(30), Config{Protocol: split.CV(1, 5), Out: out}, panics, constant("odd", true))
	f, err := record.Open(out)
	require.NoError(t, err)
	failed := f.Failures()
	require.Len(t, failed, 1)
	assert.True(t, strings.HasPrefix(failed[0].Err, "panic: seven"), failed[0].Err)
	v := verdict.OfFile(f, "numbers", "panics", "odd", verdict.Claim{})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.ErrorContains(t, errors.New(v.Reason), "learner panics")
}

func TestSeveralMetricsAreStoredAndJudged(t *testing.T) {
	t.Parallel()
	s := mustRun(t, numbers(60), Config{Metrics: []metric.Metric{metric.Accuracy(), metric.Kappa(), metric.MCC()}}, guesser("a"), guesser("b"), constant("odd", true))
	f := record.NewFile(s)
	for _, m := range []string{"accuracy", "kappa", "mcc"} {
		assert.Equal(t, m, verdict.OfFile(f, "numbers", "a", "odd", verdict.Claim{Metric: m}).Unit.Name)
	}
	v := verdict.OfFile(f, "numbers", "a", "odd", verdict.Claim{Metric: "auc"})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.Contains(t, v.Reason, "auc")
}

func TestCompareAllTrainsTheBaselineOnce(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	r := newRecorder(t)
	var fits atomic.Int64
	base := Func("base", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		fits.Add(1)
		return func(int) bool { return true }, nil
	})
	cfg := Config{Protocol: split.CV(2, 5), Out: out}
	cs := CompareAll(r, cfg, numbers(60), base, guesser("a"), constant("even", false), Pretrained("parity", func(x int) bool { return x%2 == 1 }))
	require.Len(t, cs, 3)
	assert.Empty(t, r.errors)
	assert.Equal(t, int64(11), fits.Load(), "ten folds, the first of which twice")
	require.Len(t, r.logs, 3)
	for i, name := range []string{"a", "even", "parity"} {
		v := cs[i].Judge(verdict.Claim{})
		assert.Equal(t, []string{name, "base"}, []string{v.Candidate, v.Baseline})
		assert.Contains(t, r.logs[i], name+" vs base on numbers: ")
		assert.Equal(t, fmt.Sprintf("%s vs base on numbers", name), r.attrs[fmt.Sprintf("learntest.%d.comparison", i+1)])
		assert.Equal(t, v.Outcome.String(), r.attrs[fmt.Sprintf("learntest.%d.verdict", i+1)])
		assert.Equal(t, fmt.Sprint(v.Difference.P), r.attrs[fmt.Sprintf("learntest.%d.p", i+1)])
	}
	assert.Equal(t, verdict.Improved, cs[2].Judge(verdict.Claim{}).Outcome)
	e := open(t, out).Experiments()
	require.Len(t, e, 1)
	assert.Equal(t, []string{"a", "base", "even", "parity"}, e[0].Learners)

	// Each is what it would be alone, and claims may be judged side by side.
	alone := CompareWith(newRecorder(t), Config{Protocol: cfg.Protocol}, numbers(60), guesser("a"), base)
	want := alone.Judge(verdict.Claim{Repeats: 3})
	var judging sync.WaitGroup
	for _, c := range cs {
		judging.Go(func() { c.Judge(verdict.Claim{Repeats: 3}) })
	}
	judging.Wait()
	got := cs[0].Judge(verdict.Claim{Repeats: 3})
	assert.Equal(t, want.String(), got.String())
	assert.Equal(t, 4*30, cs[1].Records().Blocks()[0].Len())

	// A further comparison of the test has the next number.
	Compare(r, numbers(60), guesser("b"), base)
	assert.Equal(t, "b vs base on numbers", r.attrs["learntest.4.comparison"])
	assert.Equal(t, "a vs base on numbers", r.attrs["learntest.1.comparison"])
}

func TestCompareAllKeepsFailuresApart(t *testing.T) {
	fails := func(name string, folds int64) Learner[int, bool] {
		var fits atomic.Int64
		return Func(name, func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
			if n := fits.Add(1); n > 2 && n <= 2+folds { // the first was run twice
				return nil, errors.New(name + " is out of luck")
			}
			return func(int) bool { return true }, nil
		})
	}
	cfg := Config{Protocol: split.CV(2, 5), Parallel: 1}
	r := newRecorder(t)
	cs := CompareAll(r, cfg, numbers(60), constant("odd", true), guesser("a"), fails("bad", 7), guesser("b"))
	require.Len(t, r.errors, 6)
	for _, e := range r.errors[:5] {
		assert.Contains(t, e, "learner bad, run ")
	}
	assert.Equal(t, "learntest.Compare: and 2 more trials failed", r.errors[5])
	require.Len(t, r.logs, 2)
	assert.Contains(t, r.logs[0], "a vs odd")
	assert.Contains(t, r.logs[1], "b vs odd")
	for i, want := range []bool{false, true, false} {
		assert.Equal(t, want, cs[i].Judge(verdict.Claim{}).Outcome == verdict.Invalid)
		assert.Equal(t, want, r.attrs[fmt.Sprintf("learntest.%d.verdict", i+1)] == "invalid")
	}

	// What the baseline fails at is reported once.
	r = newRecorder(t)
	cs = CompareAll(r, cfg, numbers(60), fails("base", 1), guesser("a"), guesser("b"))
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0], "learner base, run 1, fold 2: fit: base is out of luck")
	assert.Empty(t, r.logs)
	for _, c := range cs {
		assert.Equal(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome)
	}

	// What cannot be run at all is no comparison.
	r = newRecorder(t)
	cs = CompareAll(r, cfg, numbers(60), guesser("a"), guesser("b"), guesser("a"))
	assert.Contains(t, r.fatal, `two learners are named "a"`)
	require.Len(t, cs, 2)
	assert.Contains(t, cs[1].Judge(verdict.Claim{}).Reason, `two learners are named "a"`)
	assert.Empty(t, cs[1].Records().Blocks())
}

func TestAttributesAreOfOneLine(t *testing.T) {
	r := newRecorder(t)
	data := numbers(60)
	data.name = "two\nlines\r"
	CompareWith(r, Config{Protocol: split.CV(1, 2)}, data, constant("a", true), constant("b c", false))
	assert.Equal(t, "a vs b c on two lines ", r.attrs["learntest.1.comparison"])
	for key := range r.attrs {
		assert.NotContains(t, key, " ")
	}
}

func TestPredictionsAreSeen(t *testing.T) {
	t.Parallel()
	type seen struct {
		test      []int
		predicted []int
	}
	var mu sync.Mutex
	cells := make(map[record.Cell]seen)
	third := Func("third", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return func(x int) bool { return x%3 == 0 }, nil
	})
	bad := Func("bad", func(_ context.Context, train Sample[int, bool], _ uint64) (func(int) bool, error) {
		if train.Example(0) != 0 { // in one fold of each run
			return nil, errors.New("no")
		}
		return func(int) bool { return true }, nil
	})
	cfg := Config{Protocol: split.CV(2, 3), Parallel: 4, Predicted: func(c record.Cell, test []int, p *metric.Predictions) {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := cells[c]; ok {
			t.Errorf("%v is seen twice", c)
		}
		cells[c] = seen{slices.Clone(test), slices.Clone(p.Predicted)}
	}}
	b := mustRun(t, numbers(31), cfg, third, bad)
	assert.Len(t, cells, 10)
	for tr := range b.Trials() {
		s, ok := cells[tr.Cell()]
		assert.Equal(t, tr.Err == "", ok)
		if !ok || tr.Learner != "third" {
			continue
		}
		require.Len(t, s.test, tr.TestN)
		for i, x := range s.test {
			assert.Equal(t, map[bool]int{false: 0, true: 1}[x%3 == 0], s.predicted[i])
		}
	}
}
