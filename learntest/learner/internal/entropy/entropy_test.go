package entropy

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

func TestTable(t *testing.T) {
	t.Parallel()
	var s Tables
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1<<16).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		x := s.Get(n)
		if s.Get(n) != x {
			t.Fatal("the table was made again")
		}
		want := 0.0
		if k > 0 {
			want = float64(k) * math.Log2(float64(k))
		}
		for name, got := range map[string]float64{
			"Ln": x.Ln[k] / math.Ln2, "Fixed": float64(x.Fixed[k]) * x.Unit,
			"Step": float64(x.Fixed[k]+x.Step[k])*x.Unit - float64(k+1)*math.Log2(float64(k+1)) + want,
		} {
			if !floatcmp.Equal(got, want, 1e-9, 1e-13) {
				t.Fatalf("%s[%d] = %v, want %v", name, k, got, want)
			}
		}
	})
}

func TestUnitLeavesRoom(t *testing.T) {
	t.Parallel()
	var s Tables
	for _, n := range []int{1, 255, 256, 1 << 16, 1 << 20} {
		x := s.Get(n)
		last := x.Fixed[len(x.Fixed)-1]
		assert.Less(t, last, int64(1)<<61, "n = %d", n)
		assert.Greater(t, last, int64(1)<<58, "n = %d", n)
	}
}

func TestXLog2(t *testing.T) {
	t.Parallel()
	var s Tables
	table := s.Get(1)
	for _, x := range []float64{
		1e-6, 0.5, 1, math.Nextafter(1, 0), math.Nextafter(2, 0), 1 + 1.0/512,
		3, 1e6,
	} {
		assert.True(t, floatcmp.Equal(table.XLog2(x), x*math.Log2(x), 1e-12*x, 3e-16), "x = %v", x)
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-6, 1e7).Draw(t, "x")
		if got, want := table.XLog2(x), x*math.Log2(x); !floatcmp.Equal(got, want, 1e-12*x, 3e-16) {
			t.Fatalf("XLog2(%v) = %v, want %v", x, got, want)
		}
	})
}

func BenchmarkXLog2(b *testing.B) {
	var s Tables
	table := s.Get(1)
	x, sum := 3.7, 0.0
	for b.Loop() {
		sum += table.XLog2(x)
		x += 0.01
	}
	_ = sum
}

func BenchmarkNewTable(b *testing.B) {
	for b.Loop() {
		newTable(1 << 12)
	}
}
