package weka

import (
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

func BenchmarkSort(b *testing.B) {
	keys := make([]uint64, 1000)
	for b.Loop() {
		for i := range keys {
			keys[i] = uint64(i*7919%1009)<<32 | uint64(i)
		}
		Sort(keys)
	}
}
