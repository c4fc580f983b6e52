package items

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLateAnswers has answers that come when their time is over, in the same moment: all have
// failed, whichever is seen first.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	const n = 2000
	r := &recorder{T: t}
	Compare(r, Config{Timeout: time.Nanosecond}, questions(n), upTo("agent", n, nil),
		upTo("before", n, nil)).Verdicts(noRegression)
	require.Contains(t, r.errors[len(r.errors)-1], "and 3995 more answers failed")
}
