package learntest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/storage"
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
	c := Compare(r, numbers(100), Pretrained("parity", func(x int) bool { return x%2 == 1 }),
		constant("odd", true))
	assert.Empty(t, r.errors)
	assert.Empty(t, r.fatal)
	require.Len(t, r.logs, 1)
	assert.Contains(t, r.logs[0], "parity is 50.00 points better than odd on numbers in accuracy, 95% interval ")
	assert.Equal(t, "parity vs odd on numbers", r.attrs["learntest.1.comparison"])
	assert.Equal(t, "improved", r.attrs["learntest.1.verdict"])
	p, err := strconv.ParseFloat(r.attrs["learntest.1.p"], 64)
	require.NoError(t, err)
	assert.True(t, p > 0 && p < 1e-20, "%v", p)
	assert.Equal(t, "1", r.attrs["learntest.1.replicability"])
	v := c.Judge(verdict.Claim{Kind: verdict.Improves})
	assert.True(t, v.Holds)
	assert.Equal(t, `go test -count=1 -run '^TestModel$/^case \(1\)$' github.com/learnbench/learnbench/learntest`, v.CandidateHeader.Reproduce)
	assert.Equal(t, "github.com/learnbench/learnbench/learntest", v.CandidateHeader.Pkg)
}

func TestCompareRunsWhatCountingReplicabilityTakes(t *testing.T) {
	r := newRecorder(t)
	c := CompareWith(r, Config{Protocol: split.CV(2, 5)}, numbers(60), guesser("a"),
		constant("odd", true))
	assert.Equal(t, 20, c.Records().Blocks()[0].Len())
	v := c.Judge(verdict.Claim{Repeats: 4})
	assert.Equal(t, 80, c.Records().Blocks()[0].Len())
	require.NotNil(t, v.Rerun)
	assert.Equal(t, 4, v.Rerun.Repeats)
	// The test itself is still the one on the protocol's own runs.
	assert.Equal(t, c.Judge(verdict.Claim{}).Difference.P, v.Difference.P)
	assert.Equal(t, 2, v.Runs)

	// Repeats that are configured are there from the start.
	c = CompareWith(newRecorder(t), Config{Protocol: split.CV(2, 5), Repeats: 3}, numbers(60),
		guesser("a"), constant("odd", true))
	assert.Equal(t, 60, c.Records().Blocks()[0].Len())
	assert.Equal(t, 3, c.Judge(verdict.Claim{Repeats: 3}).Rerun.Repeats)
	assert.Equal(t, 60, c.Records().Blocks()[0].Len())
}

// A learner is trained twice on its first cell, and once on any other, whenever that is.
func TestFurtherRunsTrainEachCellOnce(t *testing.T) {
	var fits atomic.Int64
	counting := Func("a", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		fits.Add(1)
		return func(x int) bool { return x%3 > 0 }, nil
	})
	c := CompareWith(newRecorder(t), Config{Protocol: split.CV(2, 5)}, numbers(60), counting,
		constant("odd", true))
	assert.Equal(t, int64(10+1), fits.Swap(0))
	c.Judge(verdict.Claim{Repeats: 3})
	assert.Equal(t, int64(20), fits.Swap(0))
	c.Judge(verdict.Claim{Repeats: 4})
	assert.Equal(t, int64(10), fits.Swap(0))
	c.Judge(verdict.Claim{Repeats: 2})
	assert.Zero(t, fits.Load())
}

func TestCompareRunsNoMoreForAClaimThatFailsAnyway(t *testing.T) {
	r := newRecorder(t)
	c := CompareWith(r, Config{Protocol: split.CV(2, 5)}, numbers(60), constant("even", false),
		constant("odd", true))
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
	require.Len(t, r.errors, 2)
	assert.Contains(t, r.errors[0], "data set numbers, learner bad, run 1, fold 1: fit: out of luck")
	assert.Contains(t, r.errors[1], "and 9 more trials failed with the same cause")
	v := c.Judge(verdict.Claim{})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	var fits atomic.Int64
	unlucky := Func("unlucky", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
		error,
	) {
		return nil, fmt.Errorf("out of luck %d", min(fits.Add(1), 7))
	})
	other := newRecorder(t)
	CompareWith(other, Config{Protocol: split.CV(2, 5), Parallel: 1}, numbers(60), unlucky,
		constant("odd", true))
	require.Len(t, other.errors, 6)
	assert.Contains(t, other.errors[4], "run 1, fold 5: fit: out of luck 5")
	assert.NotContains(t, other.errors[4], "more")
	assert.Contains(t, other.errors[5], "and 5 more trials failed")
	assert.Contains(t, v.Reason, "trials failed: data set numbers, learner bad, run 1, fold 1")
	assert.Equal(t, "invalid", r.attrs["learntest.1.verdict"])
	assert.Equal(t, 20, c.Records().Blocks()[0].Len())
}

// minimal is a TB without anything that not every one has.
type minimal struct{ TB }

func TestCompareNeedsNoMoreThanTB(t *testing.T) {
	r := newRecorder(t)
	c := Compare(minimal{r}, numbers(60), parity(), constant("odd", true))
	assert.Empty(t, r.errors)
	assert.Empty(t, r.attrs)
	assert.True(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
}

func TestCompareRefusesBadConfigurations(t *testing.T) {
	r := newRecorder(t)
	c := Compare(r, numbers(60), constant("a", true), constant("a", true))
	assert.Contains(t, r.fatal, `two learners are named "a"`)
	assert.Equal(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome)
	assert.Empty(t, c.Records().Blocks())

	r = newRecorder(t)
	CompareWith(r, Config{Repeats: -1}, numbers(60), constant("a", true), constant("b", true))
	assert.Contains(t, r.fatal, "learntest.CompareWith: invalid configuration: Repeats is negative")

	r = newRecorder(t)
	assert.Empty(t, CompareAll(r, Config{}, numbers(60), constant("a", true)))
	assert.Contains(t, r.fatal, "no candidates to compare with a")

	t.Setenv("LEARNTEST_SEDE", "1")
	r = newRecorder(t)
	Compare(r, numbers(60), constant("a", true), constant("b", true))
	assert.Contains(t, r.fatal, "LEARNTEST_SEDE=1: unknown variable")
}

func TestRunWritesTheResultFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	calls := 0
	cfg := Config{
		Protocol: split.CV(2, 5), Results: Results{Out: out},
		Progress: func(done, total int) {
			calls++
			assert.Equal(t, calls, done)
			assert.Equal(t, 20, total)
			if calls == 10 {
				assert.Eventually(t, func() bool {
					b, err := os.ReadFile(out + ".partial-1")
					return err == nil && bytes.Contains(b, []byte("BenchmarkCV/data=numbers"))
				}, 10*time.Second, time.Millisecond)
				partials, err := storage.Partials(out)
				assert.NoError(t, err)
				assert.Equal(t, []storage.Partial{{Path: out + ".partial-1", Live: true}}, partials)
				assert.NoFileExists(t, out)
			}
		},
	}
	s := mustRun(t, numbers(30), cfg, guesser("a"), guesser("b"))
	assert.Equal(t, 20, calls)
	f, err := record.Open(out)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 1)
	assert.Equal(t, s.Checksum(), f.Blocks()[0].Checksum())
	requireOnly(t, out)

	// Written again, the file is byte for byte the same file, times included.
	var buf bytes.Buffer
	require.NoError(t, record.Write(&buf, f.Blocks()...))
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, string(b), buf.String())
}

func TestRunReportsAnUnwritableResultFile(t *testing.T) {
	t.Parallel()
	f, err := Run(t.Context(), []Data[int, bool]{numbers(30)}, []Learner[int, bool]{guesser("a")},
		Config{Results: Results{Out: filepath.Join(t.TempDir(), "missing", "r.txt")}})
	require.ErrorContains(t, err, "result file")
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.Nil(t, f, "nothing ran: the file was refused at the start")
}

func TestFailedTrialsAreInTheFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	panics := Func("panics", func(_ context.Context, train Sample[int, bool],
		_ uint64,
	) (func(int) bool, error) {
		return func(x int) bool {
			if x == 7 {
				panic("seven\nis bad")
			}
			return true
		}, nil
	})
	mustRun(t, numbers(30), Config{Protocol: split.CV(1, 5), Results: Results{Out: out}}, panics,
		constant("odd", true))
	f, err := record.Open(out)
	require.NoError(t, err)
	failed := f.Failures()
	require.Len(t, failed, 1)
	assert.True(t, strings.HasPrefix(failed[0].Err, "panic: seven"), failed[0].Err)
	v := judged(f, "numbers", "panics", "odd", verdict.Claim{})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.ErrorContains(t, errors.New(v.Reason), "learner panics")
}

func TestSeveralMetricsAreStoredAndJudged(t *testing.T) {
	t.Parallel()
	s := mustRun(t, numbers(60), Config{Metrics: []metric.Metric{
		metric.Accuracy(), metric.Kappa(),
		metric.MCC(),
	}}, guesser("a"), guesser("b"), constant("odd", true))
	f := record.NewFile(s)
	for _, m := range []string{"accuracy", "kappa", "mcc"} {
		assert.Equal(t, m, judged(f, "numbers", "a", "odd", verdict.Claim{Metric: m}).Unit.Name)
	}
	v := judged(f, "numbers", "a", "odd", verdict.Claim{Metric: "auc"})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.Contains(t, v.Reason, "auc")
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
	bad := Func("bad", func(_ context.Context, train Sample[int, bool], _ uint64) (func(int) bool,
		error,
	) {
		if train.Example(0) != 0 { // in one fold of each run
			return nil, errors.New("no")
		}
		return func(int) bool { return true }, nil
	})
	cfg := Config{Protocol: split.CV(2, 3), Parallel: 4, Predicted: func(c record.Cell, test []int,
		p *metric.Predictions,
	) {
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

// A failedTest has failed already.
type failedTest struct{ *recorder }

func (failedTest) Failed() bool { return true }

// A test that looks at no comparison would pass whatever came out.
func TestCompareWithoutAClaimFails(t *testing.T) {
	forest, never, even := guesser("forest"), constant("never", false), parity()
	const says = "learntest.CompareWith: nothing was claimed of forest vs never on numbers when the test ended: it passes whatever the scores are: " +
		"claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant"
	cfg := Config{Protocol: split.CV(1, 5)}
	r := newRecorder(t)
	c := CompareWith(r, cfg, numbers(60), forest, never)
	c.Records()
	require.Empty(t, r.errors)
	r.end()
	require.Equal(t, []string{says}, r.errors)
	for name, compare := range map[string]func(t TB){
		"skipped": func(t TB) { CompareWith(skipped{t.(*recorder)}, cfg, numbers(60), forest, never) },
		"failed":  func(t TB) { CompareWith(failedTest{t.(*recorder)}, cfg, numbers(60), forest, never) },
		"judged":  func(t TB) { CompareWith(t, cfg, numbers(60), forest, never).Judge(verdict.Claim{}) },
		"stored": func(t TB) {
			cfg := cfg
			cfg.Results.Out = filepath.Join(t.(*recorder).TempDir(), "out.txt")
			CompareWith(t, cfg, numbers(60), forest, never)
		},
		"meant": func(t TB) {
			cfg := cfg
			cfg.NoClaim = true
			CompareWith(t, cfg, numbers(60), forest, never)
		},
	} {
		r := newRecorder(t)
		compare(r)
		r.end()
		require.Empty(t, r.errors, name)
		require.Empty(t, r.fatal, name)
	}

	// Each of several has claims of its own.
	r = newRecorder(t)
	CompareAll(r, cfg, numbers(60), never, even,
		forest)[0].Verdicts(verdict.Claim{Kind: verdict.Improves})
	r.end()
	require.Equal(t, []string{strings.Replace(says, "CompareWith", "CompareAll", 1)}, r.errors)

	// With the first run alone the test must claim something, too. A comparison that failed reports
	// only this.
	inShort(func() {
		r = newRecorder(t)
		Compare(r, numbers(60), forest, never)
		r.end()
		require.Equal(t, []string{strings.Replace(says, "CompareWith", "Compare", 1)}, r.errors)
	})
	r = newRecorder(t)
	Compare(r, numbers(3), forest, never)
	r.end()
	require.NotEmpty(t, r.fatal)
	require.Empty(t, r.errors)
}

// A misspelt label is one cause, whichever examples it is predicted for.
func TestMisspeltLabelsAreReportedOnce(t *testing.T) {
	t.Parallel()
	xs, ys := make([]int, 60), make([]string, 60)
	for i := range xs {
		xs[i], ys[i] = i, []string{"no", "yes"}[i%2]
	}
	misspelt := Func("misspelt", func(context.Context, Sample[int, string], uint64) (func(int) string,
		error,
	) {
		return func(int) string { return "Yes" }, nil
	})
	fine := Func("fine", func(context.Context, Sample[int, string], uint64) (func(int) string, error) {
		return func(i int) string { return []string{"no", "yes"}[i%2] }, nil
	})
	r := newRecorder(t)
	CompareWith(r, Config{Protocol: split.CV(2, 5)}, Examples("words", xs, ys), misspelt, fine)
	require.Len(t, r.errors, 2)
	require.Regexp(t, `run 1, fold 1: .*example \d+: the label "Yes" is no class; the classes are \["no" "yes"\]$`, r.errors[0])
	require.Contains(t, r.errors[1], "and 9 more trials failed with the same cause")
}
