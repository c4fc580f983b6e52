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

func BenchmarkNewTable(b *testing.B) {
	for b.Loop() {
		newTable(1 << 12)
	}
}
