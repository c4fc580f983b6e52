// Package scratch keeps the memory of one training for the next.
package scratch

import (
	"sync"
	"weak"
)

// A Pool lends workspaces of type T. The zero value is empty. It may be used by several goroutines
// at once. It forgets idle workspaces unless some is put back between two runs of the garbage
// collector.
//
// A [sync.Pool] alone hides a workspace from all processors but the one on which it was put back,
// so that a goroutine that moves to another one makes a second workspace, which may be large.
type Pool[T any] struct {
	mu   sync.Mutex
	idle weak.Pointer[[]*T]
	keep sync.Pool // keeps idle alive
}

// Get returns a workspace that was put back, unchanged, or a zero T.
func (p *Pool[T]) Get() *T {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle.Value()
	if idle == nil || len(*idle) == 0 {
		return new(T)
	}
	last := len(*idle) - 1
	x := (*idle)[last]
	(*idle)[last] = nil
	*idle = (*idle)[:last]
	return x
}

// Put takes a workspace back, which must not be used afterwards.
func (p *Pool[T]) Put(x *T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle.Value()
	if idle == nil {
		idle = new([]*T)
		p.idle = weak.Make(idle)
	}
	*idle = append(*idle, x)
	p.keep.Get() // an old reference, if it is at hand
	p.keep.Put(idle)
}

// A Loan is a workspace that a model has of a pool until it is closed.
type Loan[T any] struct {
	Space *T // nil once it has been given back
	pool  *Pool[T]
}

// Lend returns the loan of a workspace that comes from Get.
func (p *Pool[T]) Lend(x *T) Loan[T] { return Loan[T]{x, p} }

// Use returns the workspace. It panics, with the name of the user in front, once it has been given
// back.
func (l *Loan[T]) Use(user string) *T {
	if l.Space == nil {
		panic(user + " after Close")
	}
	return l.Space
}

// Close gives the workspace back after release, which lets go of what the pool should not keep
// alive. Closing twice does nothing. The error is nil.
func (l *Loan[T]) Close(release func(*T)) error {
	if x := l.Space; x != nil {
		l.Space = nil
		release(x)
		l.pool.Put(x)
	}
	return nil
}

// Resize returns s with length n. Elements that its memory has held before keep
// their values, and with them memory of their own; others are zero.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
