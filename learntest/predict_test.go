package learntest

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
)

func TestRegressionThatPredictsNaNFails(t *testing.T) {
	t.Parallel()
	d := Examples("line", []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4})
	s := mustRun(t, d, Config{Protocol: split.CV(1, 2)},
		Pretrained("nan", func(x float64) float64 { return math.Sqrt(2.5 - x) }),
		Pretrained("self", func(x float64) float64 { return x }))
	for _, tr := range trials(s) {
		if tr.Learner == "nan" {
			assert.Contains(t, tr.Err, "invalid prediction: example ")
			assert.Contains(t, tr.Err, "NaN")
		} else {
			assert.Equal(t, []float64{0}, tr.Values)
		}
	}
}

func TestPredictionThatIsNoClassFails(t *testing.T) {
	t.Parallel()
	for classes, names := range map[int]string{
		2:  `["a" "b"]`,
		10: `["a" "b" "c" "d" "e" "f" "g" "h" "i" "j"]`,
		12: `["a" "b" "c" "d" "e" "f" "g" "h" "i" "j"] and 2 more`,
	} {
		xs, ys := make([]int, 2*classes), make([]string, 2*classes)
		for i := range xs {
			xs[i], ys[i] = i, string(rune('a'+i%classes))
		}
		s := mustRun(t, Examples("letters", xs, ys), Config{Protocol: split.CV(1, 2)},
			Pretrained("label", func(int) string { return "green" }),
			Learner[int, string]{Name: "labels", Fit: func(context.Context, Sample[int, string],
				uint64,
			) (Model[int, string], error) {
				return LabelModel(func(_ context.Context, xs []int) ([]string, error) {
					return make([]string,
						len(xs)), nil
				}), nil
			}},
			Pretrained("right", func(x int) string { return ys[x] }))
		for _, tr := range trials(s) {
			if tr.Learner == "right" {
				assert.Equal(t, []float64{1}, tr.Values)
				continue
			}
			label := map[string]string{"label": "green", "labels": ""}[tr.Learner]
			assert.Regexp(t, fmt.Sprintf(`^predict: invalid prediction: example \d+: the label %q is no class; the classes are %s$`, label, regexp.QuoteMeta(names)), tr.Err)
		}
	}
}

// All zeros are no opinion: a wrong label wherever it is.
func TestNoOpinionIsAWrongLabel(t *testing.T) {
	t.Parallel()
	given := func(name string, write func(p []float64)) Learner[int, bool] {
		return ProbFunc(name, func(context.Context, Sample[int, bool], uint64) (func(int, []float64),
			error,
		) {
			return func(_ int, p []float64) { write(p) }, nil
		})
	}
	cfg := Config{Protocol: split.CV(1, 2), Metrics: []metric.Metric{
		metric.Accuracy(),
		metric.Brier(),
	}}
	b := mustRun(t, numbers(20), cfg, given("nothing", func([]float64) {}),
		given("odd", func(p []float64) { p[1] = 1 }))
	for i, tr := range trials(b) {
		assert.Empty(t, tr.Err)
		assert.Equal(t, [][]float64{{0, 1}, {0.5, 1}}[i%2], tr.Values)
	}
}

func TestProbabilitiesOfNumbersFail(t *testing.T) {
	t.Parallel()
	p := Learner[int, float64]{Name: "p", Fit: func(context.Context, Sample[int, float64],
		uint64,
	) (Model[int, float64], error) {
		return ProbabilityModel[int, float64](func(context.Context, []int,
			[]float64,
		) error {
			return nil
		}), nil
	}}
	for _, tr := range trials(mustRun(t, Examples("line", []int{1, 2, 3, 4}, []float64{1, 2, 3, 4}),
		Config{Protocol: split.CV(1, 2)}, p)) {
		assert.Equal(t, "predict: invalid prediction: class probabilities for labels of type float64",
			tr.Err)
	}
}
