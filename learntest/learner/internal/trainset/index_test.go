package trainset

import (
	"math/rand/v2"
	"runtime"
	"testing"

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

func TestIndicesAreNotKept(t *testing.T) {
	t.Parallel()
	tb := numbers(t, []float64{3, 1, 2})
	IndexOf(tb)
	runtime.GC()
	indices.Lock()
	defer indices.Unlock()
	for _, o := range indices.of {
		assert.False(t, o.table.Value() == tb && o.index.Value() != nil, "nobody holds it")
	}
}
