package metric

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var abc = []string{"a", "b", "c"}

// expand returns truth and predictions with the given confusion matrix, whose
// last column counts predictions that are none of the classes.
func expand(m [][]int) *Predictions {
	p := &Predictions{Classes: abc[:len(m)]}
	for t, row := range m {
		for d, n := range row {
			if d == len(m) {
				d = -1
			}
			for range n {
				p.Truth = append(p.Truth, t)
				p.Predicted = append(p.Predicted, d)
			}
		}
	}
	return p
}

// The expected values are worked out by hand from the definitions; fractions
// are left as such.
func TestClassMetricsOfKnownConfusionMatrices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		matrix [][]int
		want   map[string]float64
	}{
		{"two classes", [][]int{{40, 10, 0}, {5, 45, 0}}, map[string]float64{
			"accuracy": 0.85, "error": 0.15,
			"kappa":             (0.85 - 0.5) / 0.5, // chance: .5*.45 + .5*.55
			"mcc":               (45*40 - 10*5) / math.Sqrt(55*50*50*45),
			"macro-f1":          (80./95 + 90./105) / 2,
			"balanced-accuracy": 0.85,
		}},
		{"three classes", [][]int{{3, 1, 0, 0}, {0, 2, 2, 0}, {1, 0, 1, 0}}, map[string]float64{
			"accuracy": 0.6, "error": 0.4,
			"kappa":             (0.6 - 0.34) / 0.66, // chance: (4*4+4*3+2*3)/100
			"mcc":               (6*10 - 34) / math.Sqrt((100-36)*(100-34)),
			"macro-f1":          (6./8 + 4./7 + 2./5) / 3,
			"balanced-accuracy": (3./4 + 2./4 + 1./2) / 3,
		}},
		{"predictions that are no class", [][]int{{2, 0, 2}, {0, 4, 0}}, map[string]float64{
			"accuracy": 0.75, "error": 0.25,
			"kappa":             (0.75 - 0.375) / 0.625, // chance: (4*2+4*4)/64
			"mcc":               (6*8 - 24) / math.Sqrt((64-32)*(64-24)),
			"macro-f1":          (4./6 + 1) / 2,
			"balanced-accuracy": 0.75,
		}},
		{"one class throughout", [][]int{{5, 0, 0}, {0, 0, 0}}, map[string]float64{
			"accuracy": 1, "error": 0, "kappa": 1, "mcc": 0, "macro-f1": 1, "balanced-accuracy": 1,
		}},
		{"constant prediction", [][]int{{5, 0, 0}, {5, 0, 0}}, map[string]float64{
			"accuracy": 0.5, "error": 0.5, "kappa": 0, "mcc": 0, "macro-f1": 1. / 3,
			"balanced-accuracy": 0.5,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assert.Len(t, c.want, len(classMetrics()), "each metric has an expected value")
			for name, want := range c.want {
				m, err := Lookup(name)
				require.NoError(t, err)
				got, err := m.Eval(expand(c.matrix))
				require.NoError(t, err)
				assert.True(t, floatcmp.Equal(got, want, 0, 1e-14), "%s = %v, want %v", name, got, want)
			}
		})
	}
}

func TestProbabilityMetricsOfKnownPredictions(t *testing.T) {
	t.Parallel()
	p := &Predictions{
		Classes: abc[:2], Truth: []int{0, 1, 1, 0}, Predicted: []int{0, 1, 0, -1},
		Probabilities: []float64{0.8, 0.2, 0.25, 0.75, 0.6, 0.4, 0, 0},
	}
	for name, want := range map[string]float64{
		"logloss": -(math.Log(0.8) + math.Log(0.75) + math.Log(0.4) + math.Log(0x1p-52)) / 4,
		"brier":   (0.08 + 0.125 + 0.72 + 1) / 4,
		"auc":     1, // class b: 0.75 and 0.4 against 0.2 and 0
	} {
		m, err := Lookup(name)
		require.NoError(t, err)
		got, err := m.Eval(p)
		require.NoError(t, err)
		assert.True(t, floatcmp.Equal(got, want, 0, 1e-14), "%s = %v, want %v", name, got, want)
	}
}

// Rounding may put a probability above 1, but a loss not below 0.
func TestLogLossOfMoreThanCertainty(t *testing.T) {
	t.Parallel()
	got, err := LogLoss().Eval(&Predictions{
		Classes: abc[:2], Truth: []int{0}, Predicted: []int{0},
		Probabilities: []float64{1 + 1e-7, 0},
	})
	require.NoError(t, err)
	assert.Zero(t, got)
}

// The best and the worst value of a metric decide which claims about it could fail.
func TestRangesOfMetrics(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	want := map[string][2]float64{ // worst, best
		"accuracy": {0, 1}, "error": {1, 0}, "kappa": {-1, 1}, "mcc": {-1, 1}, "macro-f1": {0, 1},
		"balanced-accuracy": {0, 1},
		"logloss":           {inf, 0}, "brier": {2, 0}, "auc": {0, 1}, "rmse": {inf, 0}, "mae": {inf, 0},
		"r2": {-inf, 1},
	}
	perfect := map[bool]*Predictions{
		true: {
			Classes: abc[:2], Truth: []int{0, 1}, Predicted: []int{0, 1},
			Probabilities: []float64{1, 0, 0, 1},
		},
		false: {TrueValues: []float64{1, 2}, PredictedValues: []float64{1, 2}},
	}
	for _, m := range Metrics() {
		lo, hi := want[m.Name][0], want[m.Name][1]
		if lo > hi {
			lo, hi = hi, lo
			assert.Equal(t, unit.Lower, m.Better, m.Name)
		} else {
			assert.Equal(t, unit.Higher, m.Better, m.Name)
		}
		assert.Equal(t, [2]float64{lo, hi}, [2]float64{m.Min, m.Max}, m.Name)
		got, err := m.Eval(perfect[true])
		if err != nil {
			got, err = m.Eval(perfect[false])
		}
		require.NoError(t, err)
		assert.Equal(t, want[m.Name][1], got, m.Name)
	}
	assert.Len(t, Metrics(), len(want))
}

func TestValueMetricsOfKnownPredictions(t *testing.T) {
	t.Parallel()
	p := &Predictions{TrueValues: []float64{1, 2, 3, 6}, PredictedValues: []float64{2, 2, 1, 6}}
	for name, want := range map[string]float64{"rmse": math.Sqrt(1.25), "mae": 0.75, "r2": 1 - 5./14} {
		m, err := Lookup(name)
		require.NoError(t, err)
		got, err := m.Eval(p)
		require.NoError(t, err)
		assert.True(t, floatcmp.Equal(got, want, 0, 1e-14), "%s = %v, want %v", name, got, want)
	}
}

func TestMetricsRefuseWhatTheyDoNotApplyTo(t *testing.T) {
	t.Parallel()
	labels := &Predictions{Classes: abc, Truth: []int{0}, Predicted: []int{0}}
	values := &Predictions{TrueValues: []float64{1}, PredictedValues: []float64{1}}
	for _, c := range []struct {
		metric Metric
		p      *Predictions
		want   error
	}{
		{Accuracy(), values, ErrPredictions},
		{RMSE(), labels, ErrPredictions},
		{LogLoss(), labels, ErrPredictions},
		{Accuracy(), &Predictions{Classes: abc}, ErrUndefined},
		{MAE(), &Predictions{}, ErrUndefined},
		{R2(), &Predictions{TrueValues: []float64{2, 2}, PredictedValues: []float64{1, 3}}, ErrUndefined},
		{AUC(), &Predictions{
			Classes: abc, Truth: []int{1}, Predicted: []int{1},
			Probabilities: []float64{0, 1, 0},
		}, ErrUndefined},
	} {
		v, err := c.metric.Eval(c.p)
		require.ErrorIs(t, err, c.want, c.metric.Name)
		assert.True(t, math.IsNaN(v), c.metric.Name)
		assert.True(t, strings.HasPrefix(err.Error(), c.metric.Name), err)
	}
}

func TestLookupOfUnknownMetricListsAll(t *testing.T) {
	t.Parallel()
	_, err := Lookup("accuray")
	for _, m := range Metrics() {
		assert.ErrorContains(t, err, m.Name)
		assert.NotEmpty(t, m.Doc)
	}
}

// drawPredictions returns random predictions for two to three classes.
func drawPredictions(t *rapid.T) *Predictions {
	k := rapid.IntRange(2, 3).Draw(t, "classes")
	n := rapid.IntRange(1, 30).Draw(t, "n")
	p := &Predictions{Classes: abc[:k]}
	for range n {
		p.Truth = append(p.Truth, rapid.IntRange(0, k-1).Draw(t, "truth"))
		row := make([]float64, k)
		left := 4
		for c := range k - 1 { // quarters, so that ties are common
			q := rapid.IntRange(0, left).Draw(t, "quarters")
			row[c] = float64(q) / 4
			left -= q
		}
		row[k-1] = float64(left) / 4
		p.Predicted = append(p.Predicted, slices.Index(row, slices.Max(row)))
		p.Probabilities = append(p.Probabilities, row...)
	}
	return p
}

func TestClassMetricsStayInRangeAndDoNotModify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPredictions(t)
		before := Predictions{
			Truth: slices.Clone(p.Truth), Predicted: slices.Clone(p.Predicted),
			Probabilities: slices.Clone(p.Probabilities),
		}
		for _, m := range slices.Concat(classMetrics(), probabilityMetrics()) {
			v, err := m.Eval(p)
			if errors.Is(err, ErrUndefined) && m.Name == "auc" {
				continue
			}
			if err != nil || !(v >= m.Min && v <= m.Max) {
				t.Fatalf("%s = %v, %v", m.Name, v, err)
			}
		}
		if !slices.Equal(before.Truth, p.Truth) || !slices.Equal(before.Predicted, p.Predicted) ||
			!slices.Equal(before.Probabilities, p.Probabilities) {
			t.Fatal("predictions were modified")
		}
	})
}

// No metric favours a class: learntest holds models against what always predicting the most
// frequent one scores, which in the recall of that class would be perfect.
func TestMetricsFavourNoClass(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPredictions(t)
		k := len(p.Classes)
		names := rapid.Permutation(everyClass(k)).Draw(t, "names")
		q := &Predictions{Classes: p.Classes, Probabilities: make([]float64, len(p.Probabilities))}
		for i, truth := range p.Truth {
			q.Truth, q.Predicted = append(q.Truth, names[truth]), append(q.Predicted, names[p.Predicted[i]])
			for c := range k {
				q.Probabilities[i*k+names[c]] = p.Probabilities[i*k+c]
			}
		}
		for _, m := range slices.Concat(classMetrics(), probabilityMetrics()) {
			x, errX := m.Eval(p)
			y, errY := m.Eval(q)
			if errors.Is(errX, ErrUndefined) && errors.Is(errY, ErrUndefined) {
				continue
			}
			if errX != nil || errY != nil || !floatcmp.Equal(x, y, 1e-12, 1e-12) {
				t.Fatalf("%s: %v, %v, with the classes renamed %v, %v", m.Name, x, errX, y, errY)
			}
		}
	})
}

func everyClass(k int) []int {
	all := make([]int, k)
	for c := range all {
		all[c] = c
	}
	return all
}

// A metric's [unit.Unit.IsMean] decides whether scores that are all equal show
// anything: a metric is a mean if the score of two sets of examples is the mean of theirs.
func TestMetricsThatAreMeansSaySo(t *testing.T) {
	t.Parallel()
	p := &Predictions{
		Classes: abc[:2], Truth: []int{0, 0, 1}, Predicted: []int{0, 1, 1},
		Probabilities: []float64{0.8, 0.2, 0.4, 0.6, 0.25, 0.75},
	}
	q := &Predictions{
		Classes: abc[:2], Truth: []int{0, 1, 1, 1}, Predicted: []int{0, 0, 0, 0},
		Probabilities: []float64{0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.8, 0.2},
	}
	both := &Predictions{
		Classes: p.Classes, Truth: slices.Concat(p.Truth, q.Truth), Predicted: slices.Concat(p.Predicted,
			q.Predicted),
		Probabilities: slices.Concat(p.Probabilities, q.Probabilities),
	}
	for _, m := range slices.Concat(classMetrics(), probabilityMetrics()) {
		var scores [3]float64
		for i, x := range []*Predictions{p, q, both} {
			var err error
			scores[i], err = m.Eval(x)
			require.NoError(t, err)
		}
		mean := (3*scores[0] + 4*scores[1]) / 7
		bounded := !math.IsInf(m.Min, 0) && !math.IsInf(m.Max, 0)
		assert.Equal(t, bounded && floatcmp.Equal(scores[2], mean, 0, 1e-12), m.IsMean(), m.Name)
	}
}

// TestAUCIsTheShareOfOrderedPairs compares AUC with its definition, pair by
// pair of examples.
func TestAUCIsTheShareOfOrderedPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPredictions(t)
		k := len(p.Classes)
		share := func(c, other int) (won, pairs float64) {
			for i, ti := range p.Truth {
				for j, tj := range p.Truth {
					if ti == c && tj == other {
						pairs++
						switch a, b := p.Probabilities[i*k+c], p.Probabilities[j*k+c]; {
						case a > b:
							won++
						case a == b:
							won += 0.5
						}
					}
				}
			}
			return won, pairs
		}
		want, n := 0.0, 0
		for a := range k {
			for b := a + 1; b < k; b++ {
				w1, m := share(a, b)
				w2, _ := share(b, a)
				if m > 0 {
					want += (w1 + w2) / (2 * m)
					n++
				}
			}
		}
		got, err := AUC().Eval(p)
		if n == 0 {
			if !errors.Is(err, ErrUndefined) {
				t.Fatalf("%v, %v without two classes", got, err)
			}
			return
		}
		if err != nil || !floatcmp.Equal(got, want/float64(n), 1e-14, 1e-14) {
			t.Fatalf("%v, %v, want %v", got, err, want/float64(n))
		}
	})
}
