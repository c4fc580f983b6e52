package trainset

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func rows(t *testing.T, n int) *dataset.Table {
	t.Helper()
	tb, err := dataset.New("t", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "a"},
		Numbers:   make([]float64, n),
	}}, -1, nil)
	require.NoError(t, err)
	return tb
}

func TestGetDerivesOnceForTheTablesUsedLast(t *testing.T) {
	t.Parallel()
	var c Cache[int]
	calls := 0
	get := func(tb *dataset.Table) int {
		return c.Get(tb, func(tb *dataset.Table) int { calls++; return tb.Len() })
	}
	var tables []*dataset.Table
	for n := range cacheSize + 1 {
		tables = append(tables, rows(t, n))
	}
	for range 3 {
		for n, tb := range tables[:cacheSize] {
			assert.Equal(t, n, get(tb))
		}
	}
	assert.Equal(t, cacheSize, calls)
	get(tables[1]) // tables[0] is now the one used longest ago
	assert.Equal(t, cacheSize, get(tables[cacheSize]))
	assert.Equal(t, cacheSize+1, calls)
	for _, tb := range tables[1:] {
		get(tb)
	}
	assert.Equal(t, cacheSize+1, calls)
	assert.Equal(t, 0, get(tables[0]))
	assert.Equal(t, cacheSize+2, calls)
}

func TestGetOfOneTableByManyDerivesOnce(t *testing.T) {
	t.Parallel()
	var c Cache[int]
	var calls atomic.Int32
	tb := rows(t, 7)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			assert.Equal(t, 7, c.Get(tb, func(tb *dataset.Table) int { calls.Add(1); return tb.Len() }))
		})
	}
	wg.Wait()
	assert.Equal(t, int32(1), calls.Load())
}

func TestCacheDoesNotKeepTablesAlive(t *testing.T) {
	t.Parallel()
	var c Cache[int]
	gone := make(chan struct{})
	func() {
		tb := rows(t, 3)
		runtime.AddCleanup(tb, func(ch chan struct{}) { close(ch) }, gone)
		assert.Equal(t, 3, c.Get(tb, (*dataset.Table).Len))
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			assert.Equal(t, 4, c.Get(rows(t, 4), (*dataset.Table).Len))
			assert.Nil(t, c.entries[1], "the entry of the table that is gone")
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatal("the table is still alive")
}
