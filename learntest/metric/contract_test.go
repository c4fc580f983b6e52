package metric

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// labels returns predictions that hold the truth alone: of numbers if there are no classes.
func labels(n, classes int) *Predictions {
	p := &Predictions{}
	for c := range classes {
		p.Classes = append(p.Classes, fmt.Sprint("c", c))
	}
	for i := range n {
		if classes > 0 {
			p.Truth = append(p.Truth, i*i%classes)
		} else {
			p.TrueValues = append(p.TrueValues, float64(i*i%17)/3)
		}
	}
	return p
}

func TestMetricsOfThisPackageKeepTheContract(t *testing.T) {
	t.Parallel()
	for _, m := range Metrics() {
		for _, p := range []*Predictions{labels(60, 2), labels(61, 3), labels(50, 0)} {
			before := p.clone()
			if err := m.Check(p); err != nil {
				require.ErrorIs(t, err, ErrPredictions, m.Name)
				continue
			}
			require.Empty(t, before.changed(p), m.Name)
		}
	}
}

func TestCheckFindsMetricsThatBreakTheContract(t *testing.T) {
	t.Parallel()
	own := func(better unit.Direction, eval func(p *Predictions) (float64, error)) Metric {
		return Metric{Unit: unit.Unit{Name: "own", Better: better, Min: 0, Max: 100}, Eval: eval}
	}
	for name, c := range map[string]struct {
		m    Metric
		of   *Predictions
		want error
		text string
	}{
		"truth": {own(unit.Higher, func(p *Predictions) (float64,
			error,
		) {
			p.Truth[0] = 1 - p.Truth[0]
			return accuracy(p), nil
		}), labels(20, 2), ErrContract, "changes the true labels"},
		"sorted": {own(unit.Higher, func(p *Predictions) (float64, error) {
			a := accuracy(p)
			slices.Sort(p.Predicted)
			return a, nil
		}), labels(20, 2), ErrContract, "changes the predicted labels"},
		"probabilities": {own(unit.Higher, func(p *Predictions) (float64, error) {
			a := accuracy(p)
			p.Probabilities[3] += 1e-9
			return a, nil
		}), labels(20, 2), ErrContract, "changes the probabilities"},
		"classes": {own(unit.Higher, func(p *Predictions) (float64,
			error,
		) {
			p.Classes[0] = ""
			return accuracy(p), nil
		}), labels(20, 2), ErrContract, "changes the classes"},
		"values": {own(unit.Lower, func(p *Predictions) (float64,
			error,
		) {
			slices.Sort(p.TrueValues)
			return 0, nil
		}), labels(20, 0), ErrContract, "changes the true values"},
		"predicted values": {own(unit.Lower, func(p *Predictions) (float64, error) {
			slices.Sort(p.PredictedValues)
			return 0, nil
		}), labels(20, 0), ErrContract, "changes the predicted values"},
		"direction": {
			own(unit.Lower, func(p *Predictions) (float64, error) { return accuracy(p), nil }),
			labels(20, 2), ErrContract, "turn its direction round",
		},
		"loss, higher": {own(unit.Higher, func(p *Predictions) (float64, error) {
			return float64(p.Len() - correct(p)), nil
		}), labels(20, 2), ErrContract, "turn its direction round"},
		"rate": {own(unit.Higher, func(p *Predictions) (float64, error) {
			return float64(len(p.Predicted)), nil
		}), labels(20, 2), ErrIndifferent, "scores both 20"},
		"one class": {
			own(unit.Higher, func(p *Predictions) (float64, error) { return accuracy(p), nil }),
			&Predictions{Classes: []string{"a", "b"}, Truth: make([]int, 9)}, nil, "",
		},
		"undefined": {own(unit.Lower, func(*Predictions) (float64, error) {
			return 0,
				fmt.Errorf("own: %w", ErrUndefined)
		}), labels(20, 2), nil, ""},
		"other": {own(unit.Lower, func(*Predictions) (float64, error) {
			return 0,
				errors.ErrUnsupported
		}), labels(20, 2), errors.ErrUnsupported, ""},
	} {
		err := c.m.Check(c.of)
		if c.want == nil {
			assert.NoError(t, err, name)
			continue
		}
		if assert.ErrorIs(t, err, c.want, name) {
			assert.Contains(t, err.Error(), c.text, name)
		}
	}
}

func TestFingerprintsTellFormulasApart(t *testing.T) {
	t.Parallel()
	for _, classes := range [][]string{nil, {"no", "yes"}, strings.Fields("a b c d e f g")} {
		seen := make(map[string]string)
		undefined := Metric{Eval: func(*Predictions) (float64, error) { return 0, ErrUndefined }}
		for _, m := range Metrics() {
			f := m.Fingerprint(classes)
			require.Len(t, f, 12)
			require.Equal(t, f, m.Fingerprint(slices.Clone(classes)), m.Name)
			undefined.Better, undefined.Min, undefined.Max = m.Better, m.Min, m.Max
			if f == undefined.Fingerprint(classes) {
				continue // it is of other labels
			}
			require.Empty(t, seen[f], "%s has the fingerprint of another metric", m.Name)
			seen[f] = m.Name
		}
		require.NotEmpty(t, seen)
	}
	a := Accuracy()
	classes := []string{"no", "yes"}
	for name, eval := range map[string]func(p *Predictions) (float64, error){
		"scaled": func(p *Predictions) (float64, error) { return accuracy(p) * (1 + 1e-8), nil },
		"class weight": func(p *Predictions) (float64, error) {
			return accuracy(p) +
				float64(p.Predicted[9])*0.01, nil
		},
		"errs": func(p *Predictions) (float64, error) { return 0, ErrUndefined },
		"probabilities too": func(p *Predictions) (float64, error) {
			if p.Probabilities != nil {
				return p.Probabilities[0], nil
			}
			return accuracy(p), nil
		},
	} {
		other := a
		other.Eval = eval
		require.NotEqual(t, a.Fingerprint(classes), other.Fingerprint(classes), name)
	}
	other := a
	other.Better = unit.Lower
	require.NotEqual(t, a.Fingerprint(classes), other.Fingerprint(classes))
	// Rounding, as another order of the same sum has it, does not show.
	other = a
	other.Eval = func(p *Predictions) (float64, error) { return accuracy(p) * (1 + 1e-14), nil }
	require.Equal(t, a.Fingerprint(classes), other.Fingerprint(classes))
}

// Accuracy with any rewards for pairs of truth and prediction is checked in full.
func TestCheckGoesByTheDirection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		right, wrong := rapid.IntRange(-5, 5).Draw(t, "right"), rapid.IntRange(-5, 5).Draw(t, "wrong")
		m := Metric{
			Unit: unit.Unit{Name: "reward", Better: unit.Higher},
			Eval: func(p *Predictions) (float64, error) {
				c := correct(p)
				return float64(c*right + (p.Len()-c)*wrong), nil
			},
		}
		err := m.Check(labels(40, rapid.IntRange(2, 4).Draw(t, "classes")))
		switch {
		case right > wrong:
			require.NoError(t, err)
		case right < wrong:
			require.ErrorIs(t, err, ErrContract)
		default:
			require.ErrorIs(t, err, ErrIndifferent)
		}
	})
}
