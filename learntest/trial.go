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
	examples     any       // a *[]X that is kept for the test examples
	scores       []float64 // of the metrics
	fit, predict time.Duration
	further      further // what else is to be predicted, if the trial is probed
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
		if model.close != nil {
			defer func() {
				if cerr := model.close(); cerr != nil && err == nil {
					err = fmt.Errorf("close: %w", cerr)
				}
			}()
		}
		if model.predictor == nil {
			return fmt.Errorf("fit: %w", errNoModel)
		}
		start = time.Now()
		s.prepare(a)
		err = model.predictor.predict(ctx, s, a)
		a.predict = time.Since(start)
		if err != nil {
			return fmt.Errorf("predict: %w", err)
		}
		if a.further.rows > 0 {
			s.predictFurther(ctx, model.predictor, a)
		}
		return nil
	}
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
