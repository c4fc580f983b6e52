package trainset

import (
	"sync"
	"weak"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// cacheSize is the number of tables that a Cache remembers.
const cacheSize = 4

// A Cache holds values derived from the few tables that were used last. It does not keep the
// tables alive, provided that the values do not. The zero value is empty. It may be used by
// several goroutines at once.
type Cache[T any] struct {
	mu      sync.Mutex
	entries [cacheSize]*entry[T] // the one used last comes first
}

type entry[T any] struct {
	table weak.Pointer[dataset.Table]
	once  sync.Once
	value T
}

// Get returns derive(t), which is called only if the cache does not hold its result. Several
// goroutines that ask for one table at once wait for a single call; goroutines that ask for
// other tables do not wait.
func (c *Cache[T]) Get(t *dataset.Table, derive func(*dataset.Table) T) T {
	e := c.entry(t)
	e.once.Do(func() { e.value = derive(t) })
	return e.value
}

// entry returns the entry of t, which it moves to the front, after dropping the entries of
// collected tables.
func (c *Cache[T]) entry(t *dataset.Table) *entry[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := cacheSize - 1 // the place to use: the place of t, else a free one, else the last
	var e *entry[T]
	for i, x := range c.entries {
		if x != nil && x.table.Value() == nil {
			c.entries[i], x = nil, nil
		}
		switch {
		case x == nil && e == nil:
			at = min(at, i)
		case x != nil && x.table.Value() == t:
			at, e = i, x
		}
	}
	if e == nil {
		e = &entry[T]{table: weak.Make(t)}
	}
	copy(c.entries[1:at+1], c.entries[:at])
	c.entries[0] = e
	return e
}
