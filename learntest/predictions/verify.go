package predictions

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// ErrMismatch is wrapped by errors about predictions that do not belong to a result.
var ErrMismatch = errors.New("the predictions do not belong to the result")

// A Proof says what shows that predictions belong to a result.
type Proof struct {
	Trials  int      // that have predictions
	Metrics []string // whose scores were computed again, and are the stored ones
	Others  []string // that nobody can compute again: metrics of the user, or of probabilities that are not kept
	Without []string // learners of the result that have no predictions at all
}

// Metric returns the metric of this module that has a name, if its scores can be computed of the
// predictions of a block.
func (b *Block) Metric(name string) (metric.Metric, error) {
	m, err := metric.Lookup(name)
	if err != nil {
		return m, err
	}
	if b.Probabilities == OfTruth && m.Name != metric.LogLoss().Name {
		eval := m.Eval
		m.Eval = func(p *metric.Predictions) (float64, error) {
			labels := *p
			labels.Probabilities = nil
			return eval(&labels)
		}
	}
	return m, nil
}

// Verify returns an error unless the predictions are of the result: the result names their
// checksum, all digests agree, each trial of a learner has predictions unless it failed, the
// learner is right on the examples that the result says, and all scores that can be computed again
// equal the stored ones, to the last bit. The error wraps ErrMismatch. Predictions that the result
// has no trials for are left out.
func (b *Block) Verify(of *record.Block) (*Proof, error) {
	proof, err := (&verification{b, of}).verify()
	if err != nil {
		return nil, fmt.Errorf("%w on data set %s: %w", ErrMismatch, of.Header.Data, err)
	}
	return proof, nil
}

// A verification compares predictions with a result.
type verification struct {
	*Block
	of *record.Block
}

func (v *verification) verify() (*Proof, error) {
	b, of := v.Block, v.of
	if err := v.sameHead(); err != nil {
		return nil, err
	}
	p, err := b.Partition()
	if err != nil {
		return nil, err
	}
	proof := new(Proof)
	metrics := make([]*metric.Metric, len(of.Units)) // nil for the others
	for i, u := range of.Units {
		m, err := b.Metric(u.Name)
		u.Mean = m.Mean // which may be left out
		if err == nil && u == m.Unit && v.sameFormula(m) {
			metrics[i] = &m
		}
	}
	var predicted metric.Predictions
	for t := range of.Trials() {
		if !slices.Contains(b.learners, t.Learner) {
			if !slices.Contains(proof.Without, t.Learner) {
				proof.Without = append(proof.Without, t.Learner)
			}
			continue
		}
		there := p.Trial(t.Learner, t.Run, t.Fold, &predicted)
		switch {
		case there != (t.Err == ""):
			return nil, fmt.Errorf("%v: a trial has predictions if it did not fail: one of the two files has another trial", t.Cell())
		case !there:
			continue
		case predicted.Len() != t.TestN:
			return nil, fmt.Errorf("%v: %d predictions of %d test examples", t.Cell(), predicted.Len(),
				t.TestN)
		}
		proof.Trials++
		for i, m := range metrics {
			if m == nil {
				continue
			}
			score, err := m.Eval(&predicted)
			if errors.Is(err, metric.ErrPredictions) {
				metrics[i] = nil
				continue
			}
			if err != nil || math.Float64bits(score) != math.Float64bits(t.Values[i]) {
				return nil, otherScore(t, m, score, t.Values[i], &predicted)
			}
		}
	}
	if err := v.sameRight(); err != nil {
		return nil, err
	}
	for i, u := range of.Units {
		if metrics[i] != nil && proof.Trials > 0 {
			proof.Metrics = append(proof.Metrics, u.Name)
		} else {
			proof.Others = append(proof.Others, u.Name)
		}
	}
	return proof, nil
}

// sameFormula reports whether the scores of a result are by this formula, as far as the result
// says.
func (v *verification) sameFormula(m metric.Metric) bool {
	was := v.of.Header.FormulaOf(m.Name)
	return was == "" || was == m.Fingerprint(v.Classes)
}

// sameHead returns an error unless the heads belong together.
func (v *verification) sameHead() error {
	b, h := v.Block, &v.of.Header
	own, err := Sums(b)
	if err != nil {
		return err
	}
	for _, sum := range own {
		if sums := h.PredictionSums(); !slices.Contains(sums, sum) {
			return fmt.Errorf("the result names the predictions %s, and the checksum of these is %.12s: they are of another run", shortened(sums), sum)
		}
	}
	for _, f := range []struct{ name, own, stored string }{
		{"the package", b.Pkg, h.Pkg},
		{"the test", b.Test, h.Test},
		{"the data set", b.Data, h.Data},
		{"the protocol", b.Protocol, h.Protocol},
		{keyDataDigest, b.DataDigest, h.DataDigest},
		{keySplitDigest, b.SplitDigest, h.SplitDigest},
	} {
		if f.own != f.stored {
			return fmt.Errorf("%s differs: %q in the predictions, %q in the result", f.name, f.own, f.stored)
		}
	}
	return nil
}

func shortened(sums []string) string {
	if len(sums) == 0 {
		return "of no file"
	}
	var short []string
	for _, s := range sums {
		short = append(short, s[:min(len(s), 12)])
	}
	return strings.Join(short, ", ")
}

// otherScore is the error of a score that is not the stored one.
func otherScore(t record.Trial, m *metric.Metric, score, stored float64,
	p *metric.Predictions,
) error {
	swapped := *p
	swapped.Truth, swapped.Predicted = p.Predicted, p.Truth
	swapped.TrueValues, swapped.PredictedValues = p.PredictedValues, p.TrueValues
	hint := ""
	if !slices.Contains(swapped.Truth, None) {
		if other, err := m.Eval(&swapped); err == nil && other == stored {
			hint = "; it is the stored one if truth and predictions are exchanged"
		}
	}
	return fmt.Errorf("%v: %s is %v by the predictions and %v in the result%s", t.Cell(), m.Name,
		score, stored, hint)
}
