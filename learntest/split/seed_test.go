package split

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTrialSeedIsAsSpecified(t *testing.T) {
	t.Parallel()
	// printf 'learnbench trial v1\0abc\0' followed by the three integers as
	// 64-bit big-endian, through sha256sum: the first 16 digits.
	assert.Equal(t, uint64(0x5b3a2ff4bb435251), TrialSeed(1, "abc", 2, 3))
}
