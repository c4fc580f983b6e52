// Package scratch keeps the memory of one training for the next.
package scratch

import "sync"

// A Pool lends workspaces of type T. The zero value is empty. It may be used by
// several goroutines at once.
type Pool[T any] struct{ pool sync.Pool }

// Get returns a workspace that has been put back, as it was then, or a zero T.
func (p *Pool[T]) Get() *T {
	if x, ok := p.pool.Get().(*T); ok {
		return x
	}
	return new(T)
}

// Put takes a workspace back, which must not be used afterwards.
func (p *Pool[T]) Put(x *T) { p.pool.Put(x) }

// Resize returns s with length n. Elements that its memory has held before keep
// their values, and with them memory of their own; others are zero.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
