package storage

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJournalSyncsAllButNotEachTrial(t *testing.T) {
	t.Parallel()
	j := &Journal{
		unsync: make(chan struct{}, 1), finish: make(chan struct{}),
		synced: make(chan struct{}),
	}
	var written, synced, times atomic.Int64
	go j.sync(func() error {
		synced.Store(written.Load())
		times.Add(1)
		return nil
	})
	const trials = 1000
	for range trials {
		written.Add(1)
		select {
		case j.unsync <- struct{}{}:
		default:
		}
		time.Sleep(10 * time.Microsecond)
	}
	require.Eventually(t, func() bool { return synced.Load() == trials }, 10*time.Second,
		time.Millisecond, "the last trials are not synced before the end")
	assert.Less(t, times.Load(), int64(trials/2))

	before := times.Load()
	written.Add(1)
	j.unsync <- struct{}{}
	close(j.finish)
	close(j.unsync)
	<-j.synced
	assert.EqualValues(t, trials+1, synced.Load())
	assert.Greater(t, times.Load(), before)
}
