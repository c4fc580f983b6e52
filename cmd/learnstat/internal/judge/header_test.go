package judge

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/assert"
)

// Results of a command outside of a repository, or of another tool, have no time of a commit, or no
// commit.
func TestCommitsHaveTheirTimes(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]record.Header{
		"c0ffee of 2027-02-28T23:59:59Z": {Commit: "c0ffee", CommitTime: committedAt},
		"c0ffee":                         {Commit: "c0ffee"},
		"":                               {CommitTime: committedAt},
	} {
		assert.Equal(t, want, committed(&h))
	}
}

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
