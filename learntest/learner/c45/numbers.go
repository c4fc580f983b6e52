package c45

import (
	"math"
	"math/bits"
	"sync"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
)

// eps is the difference below which the algorithm takes two numbers to be
// equal.
const eps = 1e-6

func eq(a, b float64) bool   { return a-b < eps && b-a < eps }
func gr(a, b float64) bool   { return a-b > eps }
func sm(a, b float64) bool   { return b-a > eps }
func grEq(a, b float64) bool { return b-a < eps }
func smEq(a, b float64) bool { return a-b < eps }

// xlog2 returns x log₂ x, 0 for x below eps.
func xlog2(x float64) float64 {
	if x < eps {
		return 0
	}
	return x * detmath.Log(x) / math.Ln2
}

// minTable is the least n of a table.
const minTable = 1 << 8

// A table holds functions of the integers up to n, and of x = n log₂ n as
// fixed-point numbers, whose sums are exact and do not depend on the order.
type table struct {
	unit  float64   // value of one unit of the fixed-point numbers
	fixed []int64   // x(k)/unit, rounded
	step  []int64   // x(k+1)/unit - x(k)/unit
	log2  []float64 // log₂ k
	xlog  []float64 // x(k)
}

// tables holds the table of each size that was asked for, by its logarithm.
type tables struct {
	mu sync.Mutex
	t  [32]*table
}

// get returns the table for integers up to n.
func (s *tables) get(n int) *table {
	size := bits.Len(uint(max(n, minTable)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.t[size] == nil {
		s.t[size] = newTable(1 << size)
	}
	return s.t[size]
}

func newTable(n int) *table {
	t := &table{
		fixed: make([]int64, n+1),
		step:  make([]int64, n),
		log2:  make([]float64, n+1),
		xlog:  make([]float64, n+1),
	}
	// The greatest number takes at most 61 bits.
	_, exp := math.Frexp(float64(n) * math.Log2(float64(n)))
	scale := math.Ldexp(1, 61-exp)
	t.unit = 1 / scale
	t.log2[0] = math.Inf(-1)
	for k := 1; k <= n; k++ {
		l := detmath.Log(float64(k))
		t.log2[k] = l / math.Ln2
		t.xlog[k] = float64(k) * l / math.Ln2
		t.fixed[k] = int64(math.RoundToEven(t.xlog[k] * scale))
		t.step[k-1] = t.fixed[k] - t.fixed[k-1]
	}
	return t
}

