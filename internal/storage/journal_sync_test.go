package storage

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJournalSyncsAllButNotEachTrial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
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
		pause := syncPause / 50
		for range trials {
			written.Add(1)
			select {
			case j.unsync <- struct{}{}:
			default:
			}
			time.Sleep(pause)
		}
		time.Sleep(syncPause)
		synctest.Wait()
		require.EqualValues(t, trials, synced.Load(), "the last trials are not synced before the end")
		assert.InDelta(t, trials/50, times.Load(), 1)

		// The end does not wait for the pause.
		before, begun := times.Load(), time.Now()
		written.Add(1)
		j.unsync <- struct{}{}
		close(j.finish)
		close(j.unsync)
		<-j.synced
		assert.EqualValues(t, trials+1, synced.Load())
		assert.Greater(t, times.Load(), before)
		assert.Equal(t, begun, time.Now())
	})
}
