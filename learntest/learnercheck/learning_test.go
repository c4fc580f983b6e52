package learnercheck

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// A payment has its label in a field, as structs of production code have.
type payment struct {
	Amount float64 `csv:"amount"`
	Fraud  bool    `csv:"fraud,label"`
}

func payments(t *testing.T) learntest.Data[payment, bool] {
	t.Helper()
	path := filepath.Join(t.TempDir(), "payments.csv")
	require.NoError(t, os.WriteFile(path,
		[]byte("amount,fraud\n1,false\n2,false\n3,false\n4,false\n5,false\n6,true\n7,true\n8,true\n2.5,false\n"), 0o666))
	data, err := learntest.CSV[payment, bool](path)
	require.NoError(t, err)
	return data
}

// above predicts fraud from the least amount on that is fraud by what label says.
func above(label func(train learntest.Sample[payment, bool], i int) bool) learntest.Learner[payment,
	bool] {
	return learntest.Func("above", func(_ context.Context, train learntest.Sample[payment, bool],
		_ uint64,
	) (func(payment) bool, error) {
		least := math.Inf(1)
		for i := range train.Len() {
			if label(train, i) {
				least = min(least, train.Example(i).Amount)
			}
		}
		return func(p payment) bool { return p.Amount >= least }, nil
	})
}

// learntest.CSV leaves the label's field at zero: who learns from it learns nothing.
func TestCheckFindsWhoLearnsFromTheLabelsField(t *testing.T) {
	t.Parallel()
	data := payments(t)
	field := above(func(train learntest.Sample[payment, bool],
		i int,
	) bool {
		return train.Example(i).Fraud
	})
	found := flawsIn(t, check(t.Context(), data, field))
	require.Len(t, found, 1)
	assert.Equal(t, Learning, found[0].Rule)
	assert.EqualError(t, found[0].Err,
		"trained on the same 6 examples with other labels, in 3 ways, it predicts the very same for all 9")
	assert.Contains(t, found[0].Remedy(),
		"a field of the example that CSV takes for the label is zero there")
	require.NoError(t, check(t.Context(), data, field, Learning))
	require.NoError(t, check(t.Context(), data,
		above(func(train learntest.Sample[payment, bool], i int) bool { return train.Label(i) })))
}

// Numbers can be changed to what a learner cuts off; one that fails has looked at them, too.
func TestCheckFindsWhatIsLearnedOfNumbers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	xs, ys := make([]float64, 30), make([]float64, 30)
	for i := range xs {
		xs[i], ys[i] = r.Float64(), 1+4*r.Float64()
	}
	stars := learntest.Examples("stars", xs, ys)
	learner := func(learn func(ys []float64) float64) learntest.Learner[float64, float64] {
		return learntest.Func("mean", func(_ context.Context, train learntest.Sample[float64, float64],
			_ uint64,
		) (func(float64) float64, error) {
			y := learn(train.Labels())
			if math.IsNaN(y) {
				return nil, assert.AnError
			}
			return func(float64) float64 { return y }, nil
		})
	}
	highest := func(ys []float64) float64 { return min(5, max(ys[0], ys[1], ys[2], 4.9)) }
	for name, c := range map[string]struct {
		learn func(ys []float64) float64
		finds bool
	}{
		"first":    {func(ys []float64) float64 { return ys[0] }, false},
		"cut off":  {func(ys []float64) float64 { return highest(ys) }, false},
		"positive": {func(ys []float64) float64 { return math.Log(ys[0]) - math.Log(ys[0]) }, false}, // fails for less than 0
		"constant": {func([]float64) float64 { return 3 }, true},
		"range":    {func(ys []float64) float64 { return max(0, min(1, ys[0]-ys[0])) }, true},
	} {
		err := check(t.Context(), stars, learner(c.learn))
		if !c.finds {
			require.NoError(t, err, name)
			continue
		}
		found := flawsIn(t, err)
		require.Len(t, found, 1, name)
		assert.Equal(t, Learning, found[0].Rule, name)
		assert.ErrorContains(t, found[0].Err, "in 3 ways", name)
	}
}

// Run skips rules that cannot be tested, and says so.
func TestRunSkipsLabelsThatCannotBeChanged(t *testing.T) {
	t.Parallel()
	s := &recorder{T: t}
	Run(s, Learner(learntest.Examples("some", rows(uci.Iris(), 30), classesOf(uci.Iris(), 30)),
		learntest.Func("0", func(context.Context, learntest.Sample[dataset.Row, int],
			uint64,
		) (func(dataset.Row) int, error) {
			return func(dataset.Row) int { return 0 }, nil
		})))
	for i, c := range s.children {
		assert.Empty(t, c.errors, s.names[i])
		skipped := s.names[i] == "labels" || s.names[i] == "learning"
		assert.Equal(t, skipped, len(c.skips) == 1, s.names[i])
	}
}
