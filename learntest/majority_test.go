package learntest

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// The scores in the header for always predicting the most frequent class equal, bit by bit, the
// scores of such a model.
func TestMajorityIsWhatAConstantModelScores(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		labels := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c d"}), 12, 40).Draw(rt, "labels")
		labels[0], labels[1] = "a", "b"
		protocol := rapid.SampledFrom([]split.Protocol{
			split.CV(2, 3), split.CV(1, 5),
			split.Subsample(3, 0.7), split.TimeSeries(3, split.Window{}),
		}).Draw(rt, "protocol")
		data := Examples("mails", make([]int, len(labels)), labels)
		cfg := Config{Protocol: protocol, Metrics: metricsOfLabels()}
		tested := make(map[string]int)
		cfg.Parallel = 1
		cfg.Predicted = func(c record.Cell, _ []int, p *metric.Predictions) {
			if c.Learner == "a" {
				for _, truth := range p.Truth {
					tested[p.Classes[truth]]++
				}
			}
		}
		var learners []Learner[int, string]
		for _, y := range []string{"a", "b"} {
			learners = append(learners, Pretrained(y, func(int) string { return y }))
		}
		f, err := Run(t.Context(), []Data[int, string]{data}, learners, cfg)
		require.NoError(rt, err)
		b := f.Blocks()[0]
		class, _, ok := b.Header.MajorityIn("accuracy")
		require.True(rt, ok)
		for _, n := range tested {
			require.LessOrEqual(rt, n, tested[class])
		}
		if class == "c d" {
			return
		}
		for _, m := range cfg.Metrics {
			p, err := record.Pair(f.Of("mails", class), f.Of("mails", "b"), m.Name)
			require.NoError(rt, err)
			sum := 0.0
			for _, x := range p.A {
				sum += x
			}
			mean := sum / float64(len(p.A))
			_, score, ok := b.Header.MajorityIn(m.Name)
			require.True(rt, ok, m.Name)
			require.Equal(rt, math.Float64bits(mean), math.Float64bits(score), m.Name)
		}
	})
}

// metricsOfLabels returns the metrics of package metric that need no probabilities.
func metricsOfLabels() []metric.Metric {
	labels := &metric.Predictions{
		Classes: []string{"a", "b"}, Truth: []int{0, 1},
		Predicted: []int{0, 1},
	}
	return slices.DeleteFunc(metric.Metrics(), func(m metric.Metric) bool {
		_, err := m.Eval(labels)
		return err != nil
	})
}

// A metric that cannot score labels keeps none of the others from being stored.
func TestMajorityBesideProbabilities(t *testing.T) {
	t.Parallel()
	half := ProbFunc("half", func(context.Context, Sample[int, bool], uint64) (func(int, []float64),
		error,
	) {
		return func(_ int, p []float64) { p[0], p[1] = 0.5, 0.5 }, nil
	})
	for _, c := range []struct {
		metrics []metric.Metric
		want    string
	}{
		{[]metric.Metric{metric.LogLoss(), metric.Accuracy(), metric.Brier()}, "false accuracy=0.7"},
		{[]metric.Metric{metric.LogLoss(), metric.Brier()}, ""},
	} {
		labels := make([]bool, 40)
		for i := range 12 {
			labels[i] = true
		}
		b := mustRun(t, Examples("payments", make([]int, 40), labels), Config{
			Protocol: split.CV(1, 4),
			Metrics:  c.metrics,
		}, half)
		assert.Equal(t, c.want, b.Header.Majority)
	}
}

// Live verdicts, verdicts of stored results and verdicts of shards have the same warning.
func TestMajorityIsStored(t *testing.T) {
	dir := t.TempDir()
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: filepath.Join(dir, "all.txt")}}
	xs, labels := make([]int, 60), make([]bool, 60)
	for i := range xs {
		xs[i], labels[i] = i, i%3 == 0 && i < 54
	}
	data := Examples("payments", xs, labels)
	never, perfect := constant("never", false),
		Pretrained("perfect", func(i int) bool { return labels[i] })
	v := CompareWith(newRecorder(t), cfg, data, never, perfect).Judge(verdict.Claim{})
	assert.Contains(t, v.String(),
		"\n  warning        never is no better than always \"false\", which scores 70.00%\n")
	requireSame := func(f *record.File) {
		t.Helper()
		assert.Equal(t, "false accuracy=0.7", f.Blocks()[0].Header.Majority)
		assert.Equal(t, v.String(), judged(f, "payments", "never", "perfect",
			verdict.Claim{}).String())
	}
	requireSame(open(t, cfg.Results.Out))
	var shards []string
	for k := range 3 {
		s := cfg
		s.Results.Out, s.Results.Shard = filepath.Join(dir, string(rune('a'+k))+".txt"),
			split.Shard{Index: k + 1, Count: 3}
		CompareWith(newRecorder(t), s, data, never, perfect)
		shards = append(shards, s.Results.Out)
	}
	all, err := record.Open(shards...)
	require.NoError(t, err)
	union, err := record.Union(all.Blocks()...)
	require.NoError(t, err)
	requireSame(record.NewFile(union))

	// Of the baseline alone there is nothing to say.
	cfg.Results.Out = ""
	v = CompareWith(newRecorder(t), cfg, data, perfect, never).Judge(verdict.Claim{})
	assert.Empty(t, v.Warnings)
	v = CompareWith(newRecorder(t), cfg, data, constant("always", true), never).Judge(verdict.Claim{})
	assert.Contains(t, v.String(),
		"neither always nor never is better than always \"false\", which scores 70.00%")
}

// The header has no majority where a metric may favour one class, or where there are no classes.
func TestMajorityIsNotKnown(t *testing.T) {
	t.Parallel()
	own := metric.Accuracy()
	own.Doc = "my own"
	recall := metric.Accuracy()
	recall.Name = "recall"
	for _, m := range []metric.Metric{own, recall} {
		b := mustRun(t, numbers(20), Config{Protocol: split.CV(1, 2), Metrics: []metric.Metric{m}},
			constant("a", true))
		assert.Empty(t, b.Header.Majority)
	}
	b := mustRun(t, Examples("line", []int{1, 2, 3, 4}, []float64{1, 2, 3, 4}),
		Config{Protocol: split.CV(1, 2)}, Pretrained("one", func(int) float64 { return 1 }))
	assert.Empty(t, b.Header.Majority)
}

func TestLabelsThatAreAllTheSame(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(1, 2)}
	_, err := Run(t.Context(), []Data[int, bool]{Examples("payments", make([]int, 9),
		make([]bool, 9))}, []Learner[int, bool]{constant("a", true)}, cfg)
	require.ErrorIs(t, err, dataset.ErrUnusable)
	require.EqualError(t, err, `unusable data: data set "payments": the label of all 9 examples is false, so that there is nothing to learn: are the labels read from the right place?`)
	_, err = Run(t.Context(), []Data[int, float64]{Examples("prices", make([]int, 3),
		[]float64{2.5, 2.5, 2.5})}, []Learner[int,
		float64]{Pretrained("a", func(int) float64 { return 1 })}, cfg)
	require.ErrorIs(t, err, dataset.ErrUnusable)
	require.ErrorContains(t, err, `the label of all 3 examples is 2.5`)
	mustRun(t, Examples("two", make([]int, 4), []bool{true, true, false, true}), cfg,
		constant("a", true))
}
