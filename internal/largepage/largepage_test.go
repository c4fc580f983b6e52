package largepage_test

import (
	"testing"

	"github.com/learnbench/learnbench/internal/largepage"
	"github.com/stretchr/testify/require"
)

func TestMakeIsMake(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 1000, 1 << 20} {
		s := largepage.Make[int32](n, n+3)
		require.Equal(t, make([]int32, n), s)
		require.Equal(t, n+3, cap(s))
		require.Equal(t, make([]int32, n+3), s[:n+3])
	}
	require.Len(t, largepage.Make[struct{}](5, 5), 5)
	require.Panics(t, func() { largepage.Make[int](2, 1) })
	p := largepage.Make[*int](1<<18, 1<<18)
	for i := range p {
		p[i] = new(i)
	}
	require.Equal(t, len(p)-1, *p[len(p)-1])
}
