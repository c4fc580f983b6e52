package scratch

import (
	"runtime"
	"sync"
	"testing"
	"weak"

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

func TestPoolLendsOneWorkspaceToAllProcessors(t *testing.T) {
	t.Parallel()
	type workspace struct{ uses int }
	var p Pool[workspace]
	var before, after runtime.MemStats
	for range 100 { // until the collector has not run meanwhile
		runtime.ReadMemStats(&before)
		p.Put(new(workspace))
		uses := 0
		for range 100 {
			var wg sync.WaitGroup
			wg.Go(func() {
				w := p.Get()
				w.uses++
				uses = w.uses
				p.Put(w)
			})
			wg.Wait()
		}
		p.Get()
		if runtime.ReadMemStats(&after); before.NumGC == after.NumGC {
			assert.Equal(t, 100, uses)
			return
		}
	}
	t.Skip("the collector runs too often")
}

func TestPoolForgetsIdleWorkspaces(t *testing.T) {
	t.Parallel()
	type workspace [1 << 10]int
	var p Pool[workspace]
	w := new(workspace)
	idle := weak.Make(w)
	p.Put(w)
	assert.Same(t, w, p.Get())
	p.Put(w)
	w = nil
	for range 10 {
		runtime.GC()
	}
	assert.Nil(t, idle.Value())
	assert.NotNil(t, p.Get())
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
