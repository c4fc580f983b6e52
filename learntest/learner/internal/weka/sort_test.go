package weka

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSortLeavesEqualKeysInWekasOrder(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/order.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimRight(string(file), "\n"), "\n")[1:]
	require.Len(t, lines, 44)
	for _, line := range lines {
		values, order, ok := strings.Cut(line, "|")
		require.True(t, ok)
		var keys []uint64
		for i, f := range strings.Fields(values) {
			v, err := strconv.ParseUint(f, 10, 32)
			require.NoError(t, err)
			keys = append(keys, v<<32|uint64(i))
		}
		Sort(keys)
		var got []string
		for _, k := range keys {
			got = append(got, strconv.FormatUint(k&0xffffffff, 10))
		}
		assert.Equal(t, order, strings.Join(got, " "), "values %s", values)
	}
}

func TestSortSorts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Uint32Range(0, 20), 0, 300).Draw(t, "x")
		keys := make([]uint64, len(x))
		for i, v := range x {
			keys[i] = uint64(v)<<32 | uint64(i)
		}
		Sort(keys)
		for i, k := range keys {
			if i > 0 && keys[i-1]>>32 > k>>32 {
				t.Fatalf("%x", keys)
			}
			if uint64(x[uint32(k)]) != k>>32 {
				t.Fatalf("key %x is none of those given", k)
			}
		}
		slices.Sort(keys)
		if len(slices.Compact(keys)) != len(x) {
			t.Fatal("a key is missing")
		}
	})
}

// plain is the sort of Weka, statement by statement.
func plain(keys []uint64) {
	order := func(i, j int) {
		if keys[i]>>32 > keys[j]>>32 {
			keys[i], keys[j] = keys[j], keys[i]
		}
	}
	n := len(keys)
	if n < 2 {
		return
	}
	mid := (n - 1) / 2
	order(0, mid)
	order(0, n-1)
	order(mid, n-1)
	if n < 4 {
		return
	}
	keys[mid], keys[n-2] = keys[n-2], keys[mid]
	pivot := keys[n-2] >> 32
	i, j := 0, n-2
	for {
		for i++; keys[i]>>32 < pivot; i++ {
		}
		for j--; keys[j]>>32 > pivot; j-- {
		}
		if i >= j {
			break
		}
		keys[i], keys[j] = keys[j], keys[i]
	}
	keys[i], keys[n-2] = keys[n-2], keys[i]
	plain(keys[:i])
	plain(keys[i+1:])
}

func TestSortIsWekasLoop(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 16), rapid.IntRange(0, 600)).Draw(t, "n")
		most := rapid.SampledFrom([]uint32{0, 1, 2, 5, 30, 1000, math.MaxInt32}).Draw(t, "most")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = rng.Uint64N(uint64(most)+1)<<32 | uint64(i)
		}
		switch rapid.SampledFrom([]string{
			"random", "ascending", "descending", "mostly equal",
			"twice",
		}).Draw(t, "order") {
		case "ascending":
			slices.Sort(keys)
		case "descending":
			slices.Sort(keys)
			slices.Reverse(keys)
		case "mostly equal":
			for i := range keys {
				if rng.IntN(10) > 0 {
					keys[i] = uint64(most/2)<<32 | uint64(i)
				}
			}
		case "twice":
			plain(keys) // as if by another attribute
			for i := range keys {
				keys[i] = keys[i]>>33<<32 | uint64(i)
			}
		}
		want := slices.Clone(keys)
		plain(want)
		Sort(keys)
		if !slices.Equal(want, keys) {
			t.Fatalf("%x, want %x", keys, want)
		}
	})
}

func TestSortOfFewKeysIsWekasLoop(t *testing.T) {
	t.Parallel()
	for n := range 9 {
		keys, digits := make([]uint64, n), make([]uint64, n)
		for more := true; more; {
			for i, d := range digits {
				keys[i] = d<<32 | uint64(i)
			}
			want := slices.Clone(keys)
			plain(want)
			Sort(keys)
			require.Equal(t, want, keys, "of %d", digits)
			more = false
			for i := range digits { // the next number of n digits
				if digits[i]++; digits[i] < 4 {
					more = true
					break
				}
				digits[i] = 0
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	for _, values := range []int{1, 20, 1009} {
		for _, n := range []int{10, 100, 1000} {
			for _, f := range []struct {
				name string
				sort func([]uint64)
			}{{"plain", plain}, {"sort", Sort}} {
				b.Run(fmt.Sprintf("values=%d/n=%d/%s", values, n, f.name), func(b *testing.B) {
					keys, rng := make([]uint64, n), rand.New(rand.NewPCG(1, 1))
					given := make([]uint64, 100000+n)
					for i := range given {
						given[i] = rng.Uint64N(uint64(values))<<32 | uint64(i)
					}
					at := 0
					for b.Loop() {
						at = (at + n) % 100000
						copy(keys, given[at:])
						f.sort(keys)
					}
				})
			}
		}
	}
}
