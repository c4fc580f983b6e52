package learntest

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// loss is a number that counts errors.
func loss(better unit.Direction, each float64) metric.Metric {
	return metric.Metric{
		Unit: unit.Unit{Name: "loss", Better: better, Min: 0, Max: 1000},
		Eval: func(p *metric.Predictions) (float64, error) {
			sum := 0.0
			for i, c := range p.Predicted {
				if c != p.Truth[i] {
					sum += each
				}
			}
			return 100 * sum / float64(p.Len()), nil
		},
	}
}

// A formula that has changed under one name is not compared with the old one.
func TestFormulasThatHaveChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	t.Setenv(envUpdate, "1")
	t.Setenv("CI", "")
	r := newRecorder(t)
	AgainstWith(r, Config{Metrics: []metric.Metric{loss(unit.Lower, 1)}}, numbers(60),
		mostly("m", 0.9), path)
	require.Empty(t, r.fatal)
	t.Setenv(envUpdate, "")
	r = newRecorder(t)
	AgainstWith(r, Config{Metrics: []metric.Metric{loss(unit.Lower, 0.5)}}, numbers(60),
		mostly("m", 0.6), path)
	assert.Regexp(t, `^learntest.Against: invalid configuration: baseline .*: metric loss has changed: it is another formula now; its fingerprint is [0-9a-f]{12} and was [0-9a-f]{12}; `+
		`with the learner before any change to it, LEARNTEST_UPDATE=1 go test .* writes it anew: results of a changed learner are compared with nothing$`, r.fatal)
	r = newRecorder(t)
	v := AgainstWith(r, Config{Metrics: []metric.Metric{loss(unit.Lower, 1)}}, numbers(60),
		mostly("m", 0.9), path).Judge(verdict.Claim{})
	require.NoError(t, v.Err)
	assert.Equal(t, verdict.Same, v.Outcome)
	r.end()
	assert.Empty(t, r.fatal)
	assert.Empty(t, r.errors)

	// The same holds for two files. Files from before there were fingerprints can still be
	// compared.
	now, was := mustRun(t, numbers(60), Config{Metrics: []metric.Metric{loss(unit.Lower, 0.5)}},
		mostly("m", 0.6)), mustRun(t, numbers(60), Config{Metrics: []metric.Metric{loss(unit.Lower, 1)}},
		mostly("m", 0.9))
	pair := func() error {
		_, err := record.Pair(record.NewFile(now).Of("numbers", "m"),
			record.NewFile(was).Of("numbers", "m"), "loss")
		return err
	}
	require.ErrorIs(t, pair(), record.ErrMismatch)
	assert.Regexp(t, `metric loss is another formula now: its fingerprint is "[0-9a-f]{12}" for candidate m but "[0-9a-f]{12}" for baseline m$`, pair().Error())
	was.Header.Metrics = ""
	assert.NoError(t, pair())
}

// Metrics that tell nothing apart may be meant so, and metrics that panic without probabilities are
// metrics.
func TestMetricsThatAreNoted(t *testing.T) {
	rate := metric.Metric{
		Unit: unit.Unit{Name: "rate", Better: unit.Lower, Min: 0, Max: 1},
		Eval: func(p *metric.Predictions) (float64, error) {
			n := 0.0
			for _, c := range p.Predicted {
				n += float64(c)
			}
			return n / float64(p.Len()), nil
		},
	}
	r := newRecorder(t)
	CompareWith(r, Config{Metrics: []metric.Metric{rate}}, numbers(60), constant("even", false),
		constant("odd", true)).Judge(verdict.Claim{})
	assert.Empty(t, r.errors)
	require.NotEmpty(t, r.logs)
	assert.Equal(t, "note: data set numbers: metric does not tell perfect predictions from shuffled ones: rate scores both 0.5: is it the metric that is meant?", r.logs[0])

	s, err := newSource(numbers(60))
	require.NoError(t, err)
	rate.Eval = func(p *metric.Predictions) (float64, error) { return p.Probabilities[1], nil }
	_, err = s.scoring([]metric.Metric{rate}).check()
	require.NoError(t, err)
	h := record.Header{Metrics: s.scoring([]metric.Metric{rate, metric.Accuracy()}).fingerprints()}
	assert.Len(t, h.FormulaOf("rate"), 12)
	rate.Eval = func(p *metric.Predictions) (float64, error) { return rand.Float64(), nil }
	assert.Empty(t, s.scoring([]metric.Metric{rate}).fingerprints())
}
