package replicate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// J. P. Bradford and C. E. Brodley (2001), "The effect of instance-space partition on
// significance", section 4, whose sufficiency test takes its first critical value from the wrong
// t. That is not followed here.
//
// With 200 partitions of mean t about 2.2 the printed degrees of freedom, one less than the
// number of partitions, call a difference established that one partition's test does not see.
func TestBradfordBrodley2001SufficiencyNeedsTheTestsOwnDF(t *testing.T) {
	t.Parallel()
	ts := make([]float64, 200)
	for i := range ts {
		ts[i] = 2.14 + 0.6*math.Sin(float64(i))
	}
	s, err := PartitionSufficiency(ts, 9, 0.025, 0.05)
	require.NoError(t, err)
	require.Equal(t, NotSignificant, s.Conclusion)
	asPrinted, err := PartitionSufficiency(ts, 199, 0.025, 0.05)
	require.NoError(t, err)
	require.Equal(t, CandidateBetter, asPrinted.Conclusion)
}
