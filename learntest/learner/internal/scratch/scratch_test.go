package scratch

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPoolLendsAWorkspaceToOneAtATime(t *testing.T) {
	t.Parallel()
	type workspace struct{ users int }
	var p Pool[workspace]
	assert.Equal(t, &workspace{}, p.Get())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				w := p.Get()
				w.users++
				assert.Equal(t, 1, w.users)
				w.users--
				p.Put(w)
			}
		})
	}
	wg.Wait()
}

func TestResizeKeepsElementsAndTheirMemory(t *testing.T) {
	t.Parallel()
	s := Resize[[]int](nil, 2)
	assert.Equal(t, [][]int{nil, nil}, s)
	s[0], s[1] = []int{1}, []int{2}
	short := Resize(s, 1)
	assert.Equal(t, [][]int{{1}}, short)
	assert.Same(t, &s[0], &short[0])
	assert.Equal(t, [][]int{{1}, {2}}, Resize(short, 2))
	long := Resize(short, cap(short)+3)
	assert.Len(t, long, cap(short)+3)
	assert.Equal(t, [][]int{{1}, {2}, nil}, long[:3])
	assert.Empty(t, Resize(long, 0))
}
