package learntest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"github.com/learnbench/learnbench/learntest/metric"
)

// ErrPrediction is wrapped by the error of a trial whose model returned what
// is not a prediction.
var ErrPrediction = errors.New("invalid prediction")

// TrialSeed returns the seed of the trials of one fold of one run, both
// counted from 1, on the data set with the given digest. All learners get the same.
//
// It is the first 8 bytes, big-endian, of the SHA-256 of
//
//	learnbench trial v1, a zero byte, digest, a zero byte, seed, run, fold
//
// where seed, run and fold are 64-bit and big-endian.
func TrialSeed(seed uint64, digest string, run, fold int) uint64 {
	buf := make([]byte, 0, 128)
	buf = append(buf, "learnbench trial v1\x00"...)
	buf = append(buf, digest...)
	buf = append(buf, 0)
	buf = binary.BigEndian.AppendUint64(buf, seed)
	buf = binary.BigEndian.AppendUint64(buf, uint64(run))
	buf = binary.BigEndian.AppendUint64(buf, uint64(fold))
	sum := sha256.Sum256(buf)
	return binary.BigEndian.Uint64(sum[:])
}

// An attempt is the running of one trial: where its predictions and times go.
// A worker reuses it.
type attempt struct {
	train, test  []int
	predictions  metric.Predictions
	buffer       []float64 // kept for predictions.Probabilities
	scores       []float64 // of the metrics
	fit, predict time.Duration
}

// A trialFunc trains a learner on a.train and has it predict a.test.
type trialFunc func(ctx context.Context, a *attempt, seed uint64) error

// trial returns the trialFunc of a learner on a data set.
func trial[X any, Y comparable](s *source[X, Y], l Learner[X, Y]) trialFunc {
	return func(ctx context.Context, a *attempt, seed uint64) (err error) {
		a.fit, a.predict = 0, 0
		start := time.Now()
		model, err := l.Fit(ctx, Sample[X, Y]{s, a.train}, seed)
		a.fit = time.Since(start)
		if err != nil {
			return fmt.Errorf("fit: %w", err)
		}
		if model.Close != nil {
			defer func() {
				if cerr := model.Close(); cerr != nil && err == nil {
					err = fmt.Errorf("close: %w", cerr)
				}
			}()
		}
		if err := model.check(); err != nil {
			return fmt.Errorf("fit: %w", err)
		}
		start = time.Now()
		if s.classification() {
			err = s.predictClasses(&model, a)
		} else {
			err = s.predictValues(&model, a)
		}
		a.predict = time.Since(start)
		if err != nil {
			return fmt.Errorf("predict: %w", err)
		}
		return nil
	}
}

func (s *source[X, Y]) testExamples(a *attempt) []X {
	xs := make([]X, len(a.test))
	for i, row := range a.test {
		xs[i] = s.data.Example(row)
	}
	return xs
}

func (s *source[X, Y]) predictClasses(m *Model[X, Y], a *attempt) error {
	p := &a.predictions
	p.Classes = s.classNames
	p.Truth, p.Predicted, p.Probabilities = resize(p.Truth, len(a.test)), resize(p.Predicted, len(a.test)), nil
	for i, row := range a.test {
		p.Truth[i] = s.truth[row]
	}
	switch {
	case m.Label != nil:
		for i, row := range a.test {
			y := m.Label(s.data.Example(row))
			if p.Predicted[i] = s.class(y); p.Predicted[i] < 0 {
				return s.noClass(row, y)
			}
		}
		return nil
	case m.Labels != nil:
		ys, err := m.Labels(s.testExamples(a))
		if err != nil {
			return err
		}
		if err := checkCount(len(ys), len(a.test)); err != nil {
			return err
		}
		for i, y := range ys {
			if p.Predicted[i] = s.class(y); p.Predicted[i] < 0 {
				return s.noClass(a.test[i], y)
			}
		}
		return nil
	}
	return s.predictProbabilities(m, a)
}

// noClass is the error of a prediction that is no class.
func (s *source[X, Y]) noClass(row int, y Y) error {
	const most = 10
	names := s.classNames
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Errorf("%w: example %d: the label %q is no class; the classes are %q%s", ErrPrediction, row, fmt.Sprint(y), names, more)
}

func (s *source[X, Y]) predictProbabilities(m *Model[X, Y], a *attempt) error {
	p, k := &a.predictions, len(s.classes)
	a.buffer = resize(a.buffer, len(a.test)*k)
	p.Probabilities = a.buffer
	if m.AllProbabilities != nil {
		rows, err := m.AllProbabilities(s.testExamples(a))
		if err != nil {
			return err
		}
		if err := checkCount(len(rows), len(a.test)); err != nil {
			return err
		}
		for i, row := range rows {
			if len(row) != k {
				return fmt.Errorf("%w: example %d: %d probabilities for %d classes", ErrPrediction, a.test[i], len(row), k)
			}
			copy(p.Probabilities[i*k:], row)
		}
	} else {
		clear(p.Probabilities)
		for i, row := range a.test {
			m.Probabilities(s.data.Example(row), p.Probabilities[i*k:(i+1)*k:(i+1)*k])
		}
	}
	for i := range a.test {
		row := p.Probabilities[i*k : (i+1)*k]
		if err := checkProbabilities(row); err != nil {
			return fmt.Errorf("%w: example %d: %w", ErrPrediction, a.test[i], err)
		}
		p.Predicted[i] = best(row)
	}
	return nil
}

func (s *source[X, Y]) predictValues(m *Model[X, Y], a *attempt) error {
	p := &a.predictions
	p.Classes = nil
	p.TrueValues, p.PredictedValues = resize(p.TrueValues, len(a.test)), resize(p.PredictedValues, len(a.test))
	for i, row := range a.test {
		p.TrueValues[i] = s.values[row]
	}
	switch {
	case m.Label != nil:
		for i, row := range a.test {
			p.PredictedValues[i] = toFloat(m.Label(s.data.Example(row)))
		}
	case m.Labels != nil:
		ys, err := m.Labels(s.testExamples(a))
		if err != nil {
			return err
		}
		if err := checkCount(len(ys), len(a.test)); err != nil {
			return err
		}
		for i, y := range ys {
			p.PredictedValues[i] = toFloat(y)
		}
	default:
		return fmt.Errorf("%w: class probabilities for labels of type %T", ErrPrediction, *new(Y))
	}
	for i, y := range p.PredictedValues {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return fmt.Errorf("%w: example %d: %v", ErrPrediction, a.test[i], y)
		}
	}
	return nil
}

func checkCount(got, want int) error {
	if got != want {
		return fmt.Errorf("%w: %d predictions for %d test examples", ErrPrediction, got, want)
	}
	return nil
}

// best returns the first class of greatest positive probability, or -1.
func best(p []float64) int {
	c, most := -1, 0.0
	for i, q := range p {
		if q > most {
			c, most = i, q
		}
	}
	return c
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// fingerprint hashes the predictions, bit for bit.
func fingerprint(p *metric.Predictions) *uint64 {
	h := fnv.New64a()
	var buf [8]byte
	put := func(x uint64) {
		binary.BigEndian.PutUint64(buf[:], x)
		h.Write(buf[:])
	}
	if p.Classification() {
		for _, c := range p.Predicted {
			put(uint64(c))
		}
		for _, q := range p.Probabilities {
			put(math.Float64bits(q))
		}
	} else {
		for _, y := range p.PredictedValues {
			put(math.Float64bits(y))
		}
	}
	sum := h.Sum64()
	return &sum
}
