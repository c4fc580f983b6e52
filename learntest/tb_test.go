package learntest

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Trials that cannot end in time say so while there is time to do something.
func TestTooLong(t *testing.T) {
	t.Parallel()
	require.Empty(t, tooLong(time.Minute, 8*time.Minute, 8*time.Minute))
	require.Equal(t, "it takes about 14m0s more, and the deadline is in 8m0s: give go test -timeout 20m, or run 2 shards, as in LEARNTEST_SHARD=1/2", tooLong(time.Minute, 14*time.Minute, 8*time.Minute))
	require.Equal(t, "it takes about 29m0s more, and the deadline is in 8m0s: give go test -timeout 39m, or run 4 shards, as in LEARNTEST_SHARD=1/4", tooLong(time.Minute, 29*time.Minute, 8*time.Minute))
}

func TestProgressWarnsOfTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder(t)
		r.deadline = time.Now().Add(8 * time.Second)
		progress := logProgress(r, "forest on churn")
		progress(1, 100)
		require.Empty(t, r.logs, "too early to know")
		time.Sleep(3100 * time.Millisecond)
		progress(2, 100)
		require.Len(t, r.logs, 2)
		require.Regexp(t, `^forest on churn: it takes about 2m3\ds more, and the deadline is in 5s: give go test -timeout \dm, or run \d+ shards, as in LEARNTEST_SHARD=1/\d+$`, r.logs[1])
	})
}
