package mistakes

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

// A nearest is a nearest neighbour.
type nearest struct {
	mu sync.Mutex
	xs []point
	ys []bool
}

func (k *nearest) learn(x point, y bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.xs, k.ys = append(k.xs, x), append(k.ys, y)
}

func (k *nearest) predict(x point) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	least, y := 9.0, false
	for i, o := range k.xs {
		if d := (o[0]-x[0])*(o[0]-x[0]) + (o[1]-x[1])*(o[1]-x[1]); d < least {
			least, y = d, k.ys[i]
		}
	}
	return y
}

// The model is made outside of the function that trains it, so that each training appends.
//
//	FAIL learntest.Compare: unusable learner: nearest keeps something between trainings: trained again on data set points, learner nearest, run 1, fold 1 after its other trials, its predictions differed from the first ones, and not from each other since; let Fit make anew all that it changes, or set Config.AllowNondeterminism and bear with reruns that differ
func TestModelOutsideOfFit(t *testing.T) {
	k := new(nearest)
	l := learntest.Func("nearest", func(_ context.Context, train sample, _ uint64) (func(point) bool, error) {
		for x, y := range train.All() {
			k.learn(x, y)
		}
		return k.predict, nil
	})
	assert.Improves(t, learntest.Compare(t, points(100, 1), l, always[point]("never", false)))
}

// The training examples are drawn by the random numbers of the whole program.
//
//	FAIL learntest.Compare: unusable learner: its seed does not fix bagging: trained again on data set points, learner bagging, run 1, fold 1, it predicted differently each time; draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism and bear with reruns that differ
func TestGlobalRandomness(t *testing.T) {
	l := learntest.Func("bagging", func(_ context.Context, train sample, _ uint64) (func(point) bool, error) {
		k := new(nearest)
		for range train.Len() {
			i := rand.IntN(train.Len())
			k.learn(train.Example(i), train.Label(i))
		}
		return k.predict, nil
	})
	assert.Improves(t, learntest.Compare(t, points(100, 1), l, always[point]("never", false)))
}

// A model is drawn by them in one of four trainings. Of six trainings that are repeated this is one
// (with a probability of 82%; the seed decides which six).
//
//	FAIL learntest.Compare: unusable learner: its seed does not fix drawn: trained again on data set numbers, learner drawn, run 2, fold 8, it predicted differently each time; draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism and bear with reruns that differ
func TestGlobalRandomnessInSomeCells(t *testing.T) {
	fit := func(_ context.Context, _ ints, seed uint64) (func(int) bool, error) {
		drawn := seed
		if seed%4 == 1 {
			drawn = rand.Uint64()
		}
		return func(x int) bool { return rand.New(rand.NewPCG(drawn, uint64(x))).IntN(2) == 0 }, nil
	}
	never := always[int]("never", false)
	assert.Improves(t, learntest.Compare(t, numbers(400), learntest.Func("drawn", fit), never))
}

// A training leaves something behind that keeps the same training from succeeding again.
//
//	FAIL learntest.Compare: unusable learner: saved failed when it was trained again on data set points, learner saved, run 1, fold 1, where it had not failed: fit: the model's file is there already; let Fit make anew all that it changes, and draw its random numbers from the seed that it gets
func TestTrainingThatCannotBeRepeated(t *testing.T) {
	var mu sync.Mutex
	made := make(map[uint64]bool)
	l := learntest.Func("saved", func(_ context.Context, _ sample, seed uint64) (func(point) bool, error) {
		mu.Lock()
		defer mu.Unlock()
		if made[seed] {
			return nil, errors.New("the model's file is there already")
		}
		made[seed] = true
		return func(x point) bool { return x[0] < 0.5 }, nil
	})
	assert.Improves(t, learntest.Compare(t, points(100, 1), l, always[point]("never", false)))
}
