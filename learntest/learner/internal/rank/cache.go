package rank

import (
	"sync"
	"weak"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// cached is the number of tables that a Cache remembers.
const cached = 4

// A Cache holds the indices of the few tables that were used last, without
// keeping the tables alive. The zero value is empty. It may be used by
// several goroutines at once.
type Cache struct {
	mu      sync.Mutex
	entries [cached]entry // the one used last comes first
}

type entry struct {
	table weak.Pointer[dataset.Table]
	index *Index
}

// Get returns the index of t, which it makes if it does not have it.
func (c *Cache) Get(t *dataset.Table) *Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x := c.find(t); x != nil {
		return x
	}
	copy(c.entries[1:], c.entries[:])
	c.entries[0] = entry{weak.Make(t), New(t)}
	return c.entries[0].index
}

// Lookup returns the index of t if the cache has it, and nil otherwise.
func (c *Cache) Lookup(t *dataset.Table) *Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(t)
}

// find moves the entry of t to the front. It drops the indices of tables that
// are gone.
func (c *Cache) find(t *dataset.Table) *Index {
	found := -1
	for i := range c.entries {
		switch c.entries[i].table.Value() {
		case nil:
			c.entries[i] = entry{}
		case t:
			found = i
		}
	}
	if found < 0 {
		return nil
	}
	e := c.entries[found]
	copy(c.entries[1:found+1], c.entries[:found])
	c.entries[0] = e
	return e.index
}
