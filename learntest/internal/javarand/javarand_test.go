package javarand

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Reference numbers: java.util.Random of OpenJDK 17.0.15, for each seed four
// calls of nextInt(), one of nextInt(n) for each n of bounds, three of
// nextDouble().
func TestSequenceEqualsJava(t *testing.T) {
	t.Parallel()
	bounds := []int{1, 2, 10, 16, 1000, 1073741824, 1610612737, 2147483647}
	tests := []struct {
		seed    int64
		ints    []int32
		bounded []int
		doubles []float64
	}{
		{
			1,
			[]int32{-1155869325, 431529176, 1761283695, 1749940626},
			[]int{0, 0, 4, 10, 978, 763150874, 13136569, 327998473},
			[]float64{0.9637047970232077, 0.9398653887819098, 0.9471949176631939},
		},
		{
			0,
			[]int32{-1155484576, -723955400, 1033096058, -1690734402},
			[]int{0, 0, 1, 1, 719, 839166427, 715581077, 542832677},
			[]float64{0.3851891847407185, 0.984841540199809, 0.8791825178724801},
		},
		{
			-7,
			[]int32{1155869324, -423064701, -1403676116, -232591881},
			[]int{0, 0, 1, 5, 245, 212737472, 988357177, 1094888921},
			[]float64{0.8997581597647245, 0.17232327979194384, 0.5869074035715927},
		},
		{
			4294967296123,
			[]int32{-756420131, -421264235, 1622379729, -1482952534},
			[]int{0, 1, 6, 13, 441, 429844258, 1309771439, 1711499902},
			[]float64{0.1507408951399538, 0.5271172148903317, 0.9047814873440397},
		},
	}
	for _, test := range tests {
		r := New(test.seed)
		for i, want := range test.ints {
			assert.Equal(t, want, r.Int32(), "seed %d: nextInt() number %d", test.seed, i)
		}
		for i, n := range bounds {
			assert.Equal(t, test.bounded[i], r.Intn(n), "seed %d: nextInt(%d)", test.seed, n)
		}
		for i, want := range test.doubles {
			assert.Equal(t, want, r.Float64(), "seed %d: nextDouble() number %d", test.seed, i)
		}
	}
}

// The same Java runtime's 100,000 draws from seed 42, folded by h = 31h + x in
// 64-bit arithmetic. The first bound rejects a quarter of the numbers drawn.
func TestLongSequencesEqualJava(t *testing.T) {
	t.Parallel()
	var h int64
	r := New(42)
	for range 100000 {
		h = h*31 + int64(r.Intn(1610612737))
	}
	assert.Equal(t, int64(-1920185726620759179), h, "nextInt(1610612737)")
	h, r = 0, New(42)
	for i := range 100000 {
		h = h*31 + int64(r.Intn(i%1000+1))
	}
	assert.Equal(t, int64(-5925811076542551482), h, "nextInt(i%1000+1)")
}

func TestIntnRejectsBoundsOutOfRange(t *testing.T) {
	t.Parallel()
	assert.Panics(t, func() { New(1).Intn(0) })
	assert.Panics(t, func() { New(1).Intn(-1) })
	bit := 31 // a variable, since the constant 1<<31 overflows a 32-bit int
	assert.Panics(t, func() { New(1).Intn(1 << bit) })
}

func TestShuffleIsAPermutation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		x := make([]int, n)
		for i := range x {
			x[i] = i
		}
		r := New(rapid.Int64().Draw(t, "seed"))
		r.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
		seen := make([]bool, n)
		for _, v := range x {
			if seen[v] {
				t.Fatalf("%d occurs twice", v)
			}
			seen[v] = true
		}
	})
}
