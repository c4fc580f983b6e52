// Package entropy tabulates functions of counts that entropies are made of, and
// divides numeric attributes into intervals of little entropy.
package entropy

import (
	"math"
	"math/bits"
	"sync"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
)

// A Table holds functions of the integers k from 0 to its size. It must not be
// modified.
type Table struct {
	Ln    []float64 // k ln k
	Fixed []int64   // k log₂ k in units of Unit, rounded
	Step  []int64   // Fixed[k+1] - Fixed[k]; one shorter

	// Unit is so small that rounding to it does not matter beside the
	// differences that learners look at, and so great that n log₂ n for the
	// greatest k takes 61 bits. Sums of Fixed are exact, so that they do not
	// depend on the order of summation and can be kept up to date.
	Unit float64

	parts [1 << partBits]part
}

// A part is an interval of significands, with the inverse of its middle and
// the logarithm of that to base 2, which has been negated.
type part struct{ inverse, log float64 }

const partBits = 9

// XLog2 returns x log₂ x for x > 0, with an error of at most 1e-12 x besides the rounding of
// the result. It is faster than a precise logarithm.
//
// The logarithm of a significand s is log₂(1/t) + log₂(1+r), where t is the
// inverse of the middle of its interval, and r = st - 1, which is less than
// 2^-9.9, is put into a Taylor polynomial.
func (t *Table) XLog2(x float64) float64 {
	const (
		c1 = 1 / math.Ln2
		c2 = -1 / (2 * math.Ln2)
		c3 = 1 / (3 * math.Ln2)
	)
	b := math.Float64bits(x)
	p := &t.parts[b>>(52-partBits)&(1<<partBits-1)]
	s := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	r := float64(s*p.inverse) - 1
	// In one expression it is small enough to be inlined.
	return float64(x * (float64(int(b>>52)-1023) + (float64(r*(c1+float64(r*(c2+float64(r*c3))))) +
		p.log)))
}

// Tables makes a table of each size that is asked for. The zero value is
// ready. It may be used by several goroutines at once.
type Tables struct {
	mu     sync.Mutex
	tables [bits.UintSize]*Table
}

// minBits is the logarithm of the least size of a table.
const minBits = 8

// Get returns a table for integers up to n at least. Its size, and with it
// Unit, depends on n alone.
func (s *Tables) Get(n int) *Table {
	size := max(minBits, bits.Len(uint(n)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tables[size] == nil {
		s.tables[size] = newTable(1 << size)
	}
	return s.tables[size]
}

func newTable(n int) *Table {
	_, exp := math.Frexp(float64(n) * float64(bits.Len(uint(n))))
	t := &Table{
		Ln:    make([]float64, n+1),
		Fixed: make([]int64, n+1),
		Step:  make([]int64, n),
		Unit:  math.Ldexp(1, exp-61),
	}
	for i := range t.parts {
		inverse := 1 / (1 + float64((float64(i)+0.5)/(1<<partBits)))
		t.parts[i] = part{inverse, -detmath.Log(inverse) / math.Ln2}
	}
	for k := 1; k <= n; k++ {
		t.Ln[k] = float64(k) * detmath.Log(float64(k))
		t.Fixed[k] = int64(math.RoundToEven(t.Ln[k] / math.Ln2 / t.Unit))
		t.Step[k-1] = t.Fixed[k] - t.Fixed[k-1]
	}
	return t
}
