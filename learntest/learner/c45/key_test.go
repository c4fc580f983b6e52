package c45

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

func TestKeysHoldRowsAndClasses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rows, classes int
		want          bool
	}{
		{1, 1, true},
		{maxRows, 64, true},
		{maxRows, 65, false},
		{maxRows + 1, 2, false},
		{1 << 20, maxClasses, true},
		{1<<20 + 1, maxClasses, false},
		{2, maxClasses + 1, false},
	} {
		assert.Equal(t, test.want, fits(test.rows, test.classes), test)
		if !test.want {
			continue
		}
		l := newLayout(test.rows, test.classes)
		for _, code := range []int32{0, 1, math.MaxInt32} {
			k := l.keyOf(code, int32(test.classes-1), int32(test.rows-1))
			assert.Equal(t, test.rows-1, int(l.rowOf(k)), test)
			assert.Equal(t, test.classes-1, l.classOf(k), test)
		}
	}
}

// TestKeysTellWhereThresholdsMayLie has keys with room for all codes of a column, for some, and for
// none, of values which are closer than thresholds may lie or not.
func TestKeysTellWhereThresholdsMayLie(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		n := rapid.IntRange(1, 600).Draw(t, "rows")
		step := rapid.SampledFrom([]float64{1, 1e-4, 2e-5, 9e-6, 3e-6, 1e-7}).Draw(t, "step")
		distinct := rapid.SampledFrom([]int{1, 2, 6, 12, 40, 3000}).Draw(t, "distinct")
		x, y := make([]float64, n), make([]int32, n)
		for i := range x {
			x[i] = step * float64(rng.IntN(distinct))
		}
		f := newFrame(fixture.Table(t, nil, fixture.Numeric("x", x...),
			fixture.Nominal("class", []string{"a", "b"}, y...)), nil)
		f.layout = newLayout(1<<rapid.SampledFrom([]int{10, 22, 24, 26, 26}).Draw(t, "row bits"),
			1<<rapid.IntRange(1, 6).Draw(t, "class bits"))
		c := &f.cols[0]
		f.noteOrder(c)
		p := problem{}
		var rows []int32
		for i := range x {
			rows = append(rows, int32(i))
		}
		p.load(f, rows, nil)
		keys := make([]key, n)
		p.sort(c, keys)
		kept := rapid.SampledFrom([]int{1, 6, 9}).Draw(t, "tenths in the node")
		keys = slices.DeleteFunc(keys, func(key) bool { return rng.IntN(10) >= kept })
		if len(keys) == 0 {
			return
		}
		want := 0
		for i, k := range keys[1:] {
			a, b := x[f.rowOf(keys[i])], x[f.rowOf(k)]
			parts := a < b && (c.minGap >= tightGap || a+tight < b)
			if parts {
				want++
			}
			if got := f.parts(c, keys[i], k); got != parts {
				t.Fatalf("%v and %v: %v", a, b, got)
			}
		}
		if got := f.cuts(c, keys, new(doubts)); got != want {
			t.Fatalf("%d cuts, want %d", got, want)
		}
	})
}

// TestCodesMayComeTwice has two values whose codes have equal bits in keys with room for few.
func TestCodesMayComeTwice(t *testing.T) {
	t.Parallel()
	x := make([]float64, 9)
	for i := range x {
		x[i] = 2e-5 * float64(i)
	}
	f := newFrame(fixture.Table(t, nil, fixture.Numeric("x", x...),
		fixture.Nominal("class", []string{"a", "b"}, make([]int32, 9)...)), nil)
	f.layout = newLayout(maxRows, 8) // 8 codes
	c := &f.cols[0]
	f.noteOrder(c)
	keys := []key{f.keyOf(0, 0, 0), f.keyOf(8, 0, 8)}
	assert.Equal(t, f.codeOf(keys[0]), f.codeOf(keys[1]))
	assert.Equal(t, 1, f.cuts(c, keys, new(doubts)))
	assert.True(t, f.parts(c, keys[0], keys[1]))
}
