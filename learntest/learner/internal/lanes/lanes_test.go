package lanes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestDifferencesCountsLanes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b uint64
		want int
	}{
		{0, 0, 0},
		{0, 1, 1},
		{0, 0x80, 1},
		{0x0101010101010101, 0, 8},
		{0xFFFFFFFFFFFFFFFF, 0xFEFEFEFEFEFEFEFE, 8},
		{0x00FF00FF00FF00FF, 0x00FE00FF00FF007F, 2},
		{0x8000000000000000, 0x7F00000000000000, 1},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, Differences(test.a, test.b), "%x %x", test.a, test.b)
	}
}

func TestPackedCodesDifferWhereCodesDo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		most := rapid.SampledFrom([]int32{1, 3, Codes - 1}).Draw(t, "greatest code")
		code := rapid.Int32Range(-1, most)
		a, b := rapid.SliceOfN(code, n, n).Draw(t, "a"), rapid.SliceOfN(code, n, n).Draw(t, "b")
		x, y := make([]uint64, Words(n)), make([]uint64, Words(n))
		Pack(x, a, MissingA)
		Pack(y, b, MissingB)
		got, want := 0, 0
		for i := range x {
			got += Differences(x[i], y[i])
		}
		for i := range a {
			if a[i] != b[i] || a[i] < 0 {
				want++
			}
		}
		if got != want {
			t.Fatalf("%d differences, want %d", got, want)
		}
	})
}

func TestEqualCodesHaveEqualLanes(t *testing.T) {
	t.Parallel()
	a, b := make([]uint64, 1), make([]uint64, 1)
	Pack(a, []int32{1000, 0}, MissingA)
	Pack(b, []int32{1000, 1}, MissingB)
	assert.Equal(t, 1, Differences(a[0], b[0]))
}
