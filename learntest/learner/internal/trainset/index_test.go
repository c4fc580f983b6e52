package trainset

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"golang.org/x/sync/errgroup"
)

func TestLearnersShareAnIndex(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := varied(rng, 100000, 1e6, 0.1), varied(rng, 100000, 10, 0)
	tb := numbers(t, x, y, x, y, x)
	got := make([]*Index, 8)
	var g errgroup.Group
	for i := range got {
		g.Go(func() error {
			got[i] = IndexOf(tb)
			for j, c := range [][]float64{x, y, x, y, x} {
				assert.Len(t, got[i].Column(j).Codes, len(c), "ranked, whoever does it")
			}
			return nil
		})
	}
	assert.NoError(t, g.Wait())
	for _, x := range got {
		assert.Same(t, got[0], x)
	}
	for j, c := range [][]float64{x, y, x, y, x} {
		assert.Equal(t, Rank(c), got[0].Column(j))
	}
	assert.NotSame(t, got[0], IndexOf(numbers(t, x)))
	runtime.KeepAlive(tb)
}

// TestOrdersComeBeforeRanks asks for the orders of a table, and later for the ranks.
func TestOrdersComeBeforeRanks(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, rows := range []int{100, 5000} {
		x, y := varied(rng, rows, 1e6, 0.1), varied(rng, rows, 10, 0)
		tb := numbers(t, x, y)
		ordered := OrdersOf(tb)
		var orders [2][]int32
		for j, c := range [][]float64{x, y} {
			orders[j] = ordered.Order(j)
			assert.Equal(t, Rank(c).Order, orders[j])
			if rows >= leastRadix {
				assert.Empty(t, ordered.Column(j), "nobody wants the ranks")
			}
		}
		ranked := IndexOf(tb)
		assert.Same(t, ordered, ranked)
		assert.Same(t, ordered, OrdersOf(tb))
		for j, c := range [][]float64{x, y} {
			assert.Equal(t, Rank(c), ranked.Column(j))
			assert.Same(t, &orders[j][0], &ranked.Column(j).Order[0], "they share one order")
		}
		runtime.KeepAlive(tb)
	}
}

// TestOrdersAndRanksAtOnce has learners of both kinds ask for one table at once.
func TestOrdersAndRanksAtOnce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := varied(rng, 20000, 1e6, 0.1), varied(rng, 20000, 10, 0)
	columns := [][]float64{x, y, x, y, x, y, x}
	tb := numbers(t, columns...)
	var g errgroup.Group
	for i := range 8 {
		g.Go(func() error {
			if i%2 == 0 {
				for j, index := 0, OrdersOf(tb); j < len(columns); j++ {
					assert.Len(t, index.Order(j), len(x))
				}
				return nil
			}
			for j, index := 0, IndexOf(tb); j < len(columns); j++ {
				assert.Len(t, index.Column(j).Codes, len(x))
				assert.Len(t, index.Order(j), len(x))
			}
			return nil
		})
	}
	assert.NoError(t, g.Wait())
	index := IndexOf(tb)
	for j, c := range columns {
		assert.Equal(t, Rank(c), index.Column(j))
	}
	runtime.KeepAlive(tb)
}

func TestIndicesAreNotKept(t *testing.T) {
	t.Parallel()
	tb := numbers(t, []float64{3, 1, 2})
	IndexOf(tb)
	// A look at the index while memory is being marked keeps it until the next collection.
	assert.Eventually(t, func() bool {
		runtime.GC()
		indices.Lock()
		defer indices.Unlock()
		return indices.of[weak.Make(tb)].Value() == nil
	}, 20*time.Second, 10*time.Millisecond, "no learner holds the index")
	runtime.KeepAlive(tb)
}

// Indices of tables that are gone leave no trace: many small tables cost as much each as few.
func TestIndicesAreSwept(t *testing.T) {
	t.Parallel()
	for range 50 * leastSweep {
		IndexOf(numbers(t, []float64{3, 1, 2}))
		if rand.IntN(200) == 0 {
			runtime.GC()
		}
	}
	assert.Eventually(t, func() bool {
		runtime.GC()
		indices.Lock()
		indices.sweep = 0
		indices.Unlock()
		IndexOf(numbers(t, []float64{1}))
		indices.Lock()
		defer indices.Unlock()
		return len(indices.of) < leastSweep
	}, 20*time.Second, 10*time.Millisecond)
}
