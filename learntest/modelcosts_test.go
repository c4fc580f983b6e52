package learntest

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sized is a learner whose models have a size.
func sized(name string, size func(train int) float64) Learner[int, bool] {
	return Learner[int, bool]{Name: name, Fit: func(_ context.Context, train Sample[int, bool],
		_ uint64,
	) (Model[int, bool], error) {
		return LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
			ys := make([]bool, len(xs))
			for i, x := range xs {
				ys[i] = x%2 == 1
			}
			return ys, nil
		}).WithCost("nodes", 3).WithCost("bytes", 1).WithCost("bytes", size(train.Len())), nil
	}}
}

func times(factor float64) func(int) float64 {
	return func(train int) float64 { return factor * float64(train) }
}

func sizeOf(limit float64) verdict.Claim {
	return verdict.Claim{Kind: verdict.RatioAtMost, Threshold: limit, Metric: "bytes"}
}

func costConfig() Config {
	return Config{Protocol: split.CV(2, 5), Metrics: []metric.Metric{
		metric.Accuracy(),
		metric.Cost("bytes"), metric.Cost("nodes"),
	}}
}

// Sizes of models are stored beside the scores, compared exactly, and in files and stored
// baselines, too.
func TestSizesOfModels(t *testing.T) {
	cfg := costConfig()
	cfg.Results.Out = filepath.Join(t.TempDir(), "r.txt")
	c := CompareWith(newRecorder(t), cfg, numbers(60), sized("new", times(12)),
		sized("old", times(10)))
	v := c.Judge(sizeOf(1.2))
	require.NoError(t, v.Err)
	assert.True(t, v.Holds, v.String())
	assert.Equal(t, 1.2, v.Totals.Ratio)
	assert.Equal(t, 12*48., v.CandidateMean)
	assert.False(t, c.Judge(sizeOf(1.19)).Holds)
	nodes := sizeOf(1)
	nodes.Metric = "nodes"
	assert.True(t, c.Judge(nodes).Holds)

	f := open(t, cfg.Results.Out)
	stored := judged(f, "numbers", "new", "old", sizeOf(1.2))
	assert.Equal(t, v.String(), stored.String())
	assert.Equal(t, metric.Cost("bytes").Unit, f.Blocks()[0].Units[1])
	rewrite(t, cfg.Results.Out, func(h *record.Header) { h.Determinism = "" })
	stored = judged(open(t, cfg.Results.Out), "numbers", "new", "old", sizeOf(1.2))
	assert.Nil(t, stored.Totals, "nobody knows whether the seeds fix the learners")

	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg = costConfig()
	cfg.Results = Results{Pkg: "example.com/p", Test: "TestForest"}
	update(t, cfg, numbers(60), sized("forest", times(10)), path)
	for limit, holds := range map[float64]bool{1.5: true, 1.49: false} {
		v := AgainstWith(newRecorder(t), cfg, numbers(60), sized("forest", times(15)),
			path).Judge(sizeOf(limit))
		require.NoError(t, v.Err)
		assert.Equal(t, holds, v.Holds)
		require.NotNil(t, v.Totals)
	}
}

// Sizes are no times: a busy machine is no excuse.
func TestSizesAreNotSkippedWithTimes(t *testing.T) {
	for _, name := range []string{
		"CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION",
		"CODEBUILD_BUILD_ID",
	} {
		t.Setenv(name, "")
	}
	t.Setenv("LEARNTEST_RATIO", "off")
	v := CompareWith(newRecorder(t), costConfig(), numbers(60), sized("new", times(2)),
		sized("old", times(1))).Judge(sizeOf(1.5))
	require.NoError(t, v.Err)
	require.False(t, v.Holds)
}

// A claim on sizes alone says nothing of scores.
func TestSizesAreNotAllThatIsClaimed(t *testing.T) {
	r := newRecorder(t)
	CompareWith(r, costConfig(), numbers(60), sized("new", times(1)),
		sized("old", times(1))).Judge(sizeOf(1))
	r.end()
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0], "it passes whatever the scores are")
}

// A model without the cost, or with one that cannot be, is never taken for free.
func TestModelsWithoutTheirCost(t *testing.T) {
	old := sized("old", times(1))
	none := Pretrained("new", func(x int) bool { return x%2 == 1 })
	r := newRecorder(t)
	CompareWith(r, costConfig(), numbers(60), none, old)
	require.Contains(t, strings.Join(append(r.errors, r.fatal), "\n"),
		"new on data set numbers: bytes: metric does not apply to these predictions: the model has no such cost (Model.WithCost)")
	_, err := Run(t.Context(), []Data[int, bool]{numbers(60)}, []Learner[int, bool]{none, old},
		costConfig())
	require.ErrorIs(t, err, ErrConfig)

	r = newRecorder(t)
	v := CompareWith(r, costConfig(), numbers(60), sized("new", times(-1)), old).Judge(sizeOf(100))
	require.Contains(t, r.errors[0], "metric bytes is -48, outside its range 0 to +Inf")
	require.Equal(t, verdict.Invalid, v.Outcome)
}

// Sizes that a seed does not fix are no exact ones.
func TestSizesThatVaryAreNotExact(t *testing.T) {
	var n atomic.Int64
	cfg := costConfig()
	cfg.AllowNondeterminism = true
	varied := sized("new", func(train int) float64 { return float64(train) + float64(n.Add(1))/100 })
	v := CompareWith(newRecorder(t), cfg, numbers(60), varied,
		sized("old", times(1))).Judge(sizeOf(1.2))
	require.NoError(t, v.Err)
	require.Nil(t, v.Totals)
	require.True(t, v.Holds)
	require.Equal(t, 10, v.Ratio.N)
}

// Costs have no slices: they are no means over examples.
func TestCostsHaveNoSlices(t *testing.T) {
	data := numbers(60).WithSlice("small", func(x int) bool { return x < 40 })
	f, err := Run(t.Context(), []Data[int, bool]{data}, []Learner[int, bool]{
		sized("new", times(1)),
		sized("old", times(1)),
	}, costConfig())
	require.NoError(t, err)
	require.Empty(t, f.Failures())
	var names []string
	for _, u := range f.Blocks()[0].Columns {
		names = append(names, unit.Unit(u).Name)
	}
	require.Equal(t, []string{"accuracy", "bytes", "nodes", "n{small}", "accuracy{small}"}, names)
}
