package learntest

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/discretize"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/learner/ridge"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

// proven returns the proof that all predictions in a file are of the results in another.
func proven(t *testing.T, out, kept string) []*predictions.Proof {
	t.Helper()
	among, err := predictions.Open(kept)
	require.NoError(t, err)
	var proofs []*predictions.Proof
	for _, b := range open(t, out).Experiments() {
		_, proof, err := predictions.Of(b, among)
		require.NoError(t, err)
		proofs = append(proofs, proof)
	}
	return proofs
}

// scoredAgain checks that the scores of all proven metrics, also on the slices of the data, are the
// stored ones to the last bit if they are computed again.
func scoredAgain(t *testing.T, data interface {
	Digest() (string, error)
	Slices() []dataset.Slice
}, cfg Config,
) {
	t.Helper()
	among, err := predictions.Open(cfg.Results.Predictions)
	require.NoError(t, err)
	stored := open(t, cfg.Results.Out).Blocks()[0]
	kept, proof, err := predictions.Of(stored, among)
	require.NoError(t, err)
	var metrics []metric.Metric
	for _, name := range proof.Metrics {
		m, err := kept.Metric(name)
		require.NoError(t, err)
		metrics = append(metrics, m)
	}
	var of predictions.Slices
	of.DataDigest, err = data.Digest()
	require.NoError(t, err)
	for _, s := range data.Slices() {
		of.Of = append(of.Of, predictions.Slice(s))
	}
	again, err := predictions.Score(kept, metrics, of)
	require.NoError(t, err)
	require.Equal(t, stored.Header.Slices, again.Header.Slices)
	scores := make(map[record.Cell][]float64)
	for x := range stored.Trials() {
		scores[x.Cell()] = slices.Clone(x.Values)
	}
	require.Equal(t, len(scores), again.Len())
	for x := range again.Trials() {
		for i, u := range again.Columns {
			at := slices.Index(stored.Columns, u)
			require.GreaterOrEqual(t, at, 0, u.Name)
			require.Equal(t, math.Float64bits(scores[x.Cell()][at]), math.Float64bits(x.Values[i]), "%v, %s",
				x.Cell(), u.Name)
		}
	}
}

// All metrics of labels and probabilities, computed again from the predictions of five learners,
// equal the stored scores to the last bit, also on slices.
func TestKeptPredictionsProveTheirResults(t *testing.T) {
	t.Parallel()
	sets := []*dataset.Table{uci.Zoo(), uci.Labor()}
	if citest.Has(citest.Slow) {
		sets = append(sets, uci.Iris(), uci.Vehicle(), uci.Glass(), uci.Vote(), uci.Sonar(), uci.GermanCredit(),
			uci.BalanceScale(), uci.Soybean())
	}
	var learners []Learner[dataset.Row, int]
	for _, c := range []learner.Classifier{
		baseline.Majority(), naivebayes.New(naivebayes.Config{}),
		c45.New(c45.Config{}), neighbor.New(neighbor.Config{}),
		discretize.New(naivebayes.New(naivebayes.Config{})),
	} {
		learners = append(learners, FromClassifier(c))
	}
	for _, data := range sets {
		data, err := data.WithSlice(data.Attribute(data.ClassIndex()).Name)
		require.NoError(t, err)
		for _, probabilities := range []string{predictions.OfAll, predictions.OfTruth, ""} {
			cfg := Config{Protocol: split.CV(2, 5), Results: Results{
				Out: filepath.Join(t.TempDir(), "new.txt"), Predictions: filepath.Join(t.TempDir(),
					"new.pred.gz"), Probabilities: probabilities,
			}}
			others := 0
			for _, m := range metric.Metrics() {
				if m.Name != "auc" || data.Name() != "zoo" && data.Name() != "soybean" { // where folds may have one class of a pair alone
					if m.Better == metric.RMSE().Better && m.Min == 0 && (m.Name == "rmse" || m.Name == "mae") ||
						m.Name == "r2" {
						continue
					}
					cfg.Metrics = append(cfg.Metrics, m)
					if m.Name == "brier" || m.Name == "auc" {
						others++
					}
				}
			}
			require.Empty(t, record.NewFile(mustRun(t, data, cfg, learners...)).Failures())
			proof := proven(t, cfg.Results.Out, cfg.Results.Predictions)[0]
			require.Equal(t, 50, proof.Trials)
			require.Empty(t, proof.Without)
			scoredAgain(t, data, cfg)
			switch probabilities {
			case predictions.OfAll:
				require.Empty(t, proof.Others, data.Name())
			case predictions.OfTruth:
				require.Len(t, proof.Others, others)
			default:
				require.Len(t, proof.Others, others+1) // and the log loss
			}
		}
	}
}

// So do the metrics of regression, with the first column of numbers for a target.
func TestKeptPredictionsOfNumbers(t *testing.T) {
	t.Parallel()
	sets := []*dataset.Table{uci.Iris(), uci.Glass()}
	if citest.Has(citest.Slow) {
		sets = append(sets, uci.Vehicle(), uci.Sonar(), uci.BalanceScale(), uci.Wine(),
			uci.PimaDiabetes(), uci.Ionosphere(), uci.WisconsinBreastCancer(), uci.GermanCredit())
	}
	var learners []Learner[dataset.Row, float64]
	for _, r := range []learner.Regressor{
		baseline.Mean(), baseline.Median(),
		ols.New(ols.Config{Missing: dataset.MissingIndicator}), ridge.New(ridge.Config{}),
		ridge.New(ridge.Config{Alpha: 20}),
	} {
		learners = append(learners, FromRegressor(r))
	}
	for _, set := range sets {
		var columns []dataset.Column
		target := -1
		for i := range set.NumAttributes() {
			c := dataset.Column{Attribute: set.Attribute(i)}
			if c.Kind == dataset.Nominal {
				c.Codes = set.Codes(i)
			} else if c.Numbers = set.Numbers(i); target < 0 && !slices.ContainsFunc(c.Numbers, math.IsNaN) {
				target = i
			}
			columns = append(columns, c)
		}
		data, err := dataset.New(set.Name(), columns, target, nil)
		require.NoError(t, err)
		data, err = data.WithSlice(set.Attribute(set.ClassIndex()).Name)
		require.NoError(t, err)
		numbers, err := data.Regression()
		require.NoError(t, err)
		cfg := Config{Protocol: split.CV(2, 5), Metrics: []metric.Metric{
			metric.RMSE(), metric.MAE(),
			metric.R2(),
		}, Results: Results{
			Out: filepath.Join(t.TempDir(), "new.txt"), Predictions: filepath.Join(t.TempDir(),
				"new.pred.gz"),
		}}
		require.Empty(t, record.NewFile(mustRun(t, numbers, cfg, learners...)).Failures(), set.Name())
		require.Equal(t, []string{"rmse", "mae", "r2"}, proven(t, cfg.Results.Out,
			cfg.Results.Predictions)[0].Metrics)
		scoredAgain(t, data, cfg)
	}
}

// So do they under other protocols.
func TestKeptPredictionsOfRegression(t *testing.T) {
	t.Parallel()
	var xs [][]float64
	var ys []float64
	for i := range 60 {
		xs, ys = append(xs, []float64{float64(i % 7), float64(i * i % 11)}),
			append(ys, float64(i%7)+0.1*float64(i%5))
	}
	for _, p := range []split.Protocol{
		split.CV(2, 5), split.Weka(2, 5),
		split.TimeSeries(4, split.Window{}), split.Subsample(5, 0.7),
	} {
		cfg := Config{
			Protocol: p, Metrics: []metric.Metric{metric.RMSE(), metric.MAE(), metric.R2()},
			Results: Results{
				Out: filepath.Join(t.TempDir(), "new.txt"), Predictions: filepath.Join(t.TempDir(), "new.pred"),
			},
		}
		mean := Func("mean", func(_ context.Context, train Sample[[]float64, float64],
			_ uint64,
		) (func([]float64) float64, error) {
			sum := 0.0
			for i := range train.Len() {
				sum += train.Label(i)
			}
			return func([]float64) float64 { return sum / float64(train.Len()) }, nil
		})
		data := Examples("made up", xs, ys).WithSlice("even",
			func(x []float64) bool { return int(x[0])%2 == 0 })
		mustRun(t, data, cfg, mean)
		proof := proven(t, cfg.Results.Out, cfg.Results.Predictions)[0]
		require.Equal(t, []string{"rmse", "mae", "r2"}, proof.Metrics, p.String())
		if shape, err := split.ParseShape(p.String()); err == nil && shape.Covers() {
			scoredAgain(t, data, cfg) // with the slice of the struct
		}
	}
}
