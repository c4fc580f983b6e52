package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAbbreviatedCommits(t *testing.T) {
	t.Parallel()
	for commit, want := range map[string]string{
		"3f2a9c1d5e6f":       "3f2a9c1",
		"3f2a9c1d5e6f-dirty": "3f2a9c1-dirty",
		"3f2a9c1d5e6f3f2a9c1d5e6f3f2a9c1d5e6f3f2a9c1d": "3f2a9c1",
		"3f2a9c1":      "3f2a9c1",
		"v1.2.3":       "v1.2.3",
		"r4711":        "r4711",
		"release-2026": "release-2026",
	} {
		assert.Equal(t, want, abbreviated(commit))
	}
}
