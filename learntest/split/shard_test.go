package split

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseShard(t *testing.T) {
	t.Parallel()
	slurm := func(id, least, most, step, count int) []string {
		return []string{
			fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", id), fmt.Sprintf("SLURM_ARRAY_TASK_MIN=%d", least),
			fmt.Sprintf("SLURM_ARRAY_TASK_MAX=%d", most),
			fmt.Sprintf("SLURM_ARRAY_TASK_STEP=%d", step), fmt.Sprintf("SLURM_ARRAY_TASK_COUNT=%d", count),
		}
	}
	for _, c := range []struct {
		text string
		env  []string
		want Shard
		err  string
	}{
		{text: "1/1", want: Shard{1, 1}},
		{text: "2/8", want: Shard{2, 8}},
		{text: "8/8", want: Shard{8, 8}},
		{text: "0/8", err: "there is no shard 0 of 8: they count from 1"},
		{text: "9/8", err: "there is no shard 9 of 8: they count from 1"},
		{text: "-1/8", err: "there is no shard -1 of 8: they count from 1"},
		{text: "1/0", err: `"0" is no number of shards: write 2/8 or auto`},
		{text: "1/x", err: `"x" is no number of shards: write 2/8 or auto`},
		{text: "2", err: `"2" is no shard: write 2/8 or auto`},
		{text: "", err: `"" is no shard: write 2/8 or auto`},
		{text: "x/8", err: `"x/8" is no shard: write 2/8 or auto`},
		{text: "2/8/3", err: `"8/3" is no number of shards: write 2/8 or auto`},
		{text: "auto", err: "nothing says which shard this is: none of TEST_TOTAL_SHARDS, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX is set; write 2/8"},
		{text: "auto", env: slurm(1, 1, 8, 1, 8), want: Shard{1, 8}},
		{text: "auto", env: slurm(7, 0, 7, 1, 8), want: Shard{8, 8}},
		{text: "auto", env: slurm(6, 0, 6, 2, 4), want: Shard{4, 4}},
		{text: "auto", env: slurm(4, 0, 5, 2, 3), want: Shard{3, 3}},
		{text: "auto/8", env: slurm(7, 0, 7, 1, 8), want: Shard{8, 8}},
		{text: "auto/9", env: slurm(7, 0, 7, 1, 8), err: "Slurm: there are 8 shards, not 9"},
		{
			text: "auto", env: slurm(3, 0, 3, 1, 2),
			err: "Slurm: the array of 2 tasks from 0 to 3 has gaps, so that task 3 does not say which shard it is: use an array such as 1-8",
		},
		{
			text: "auto", env: slurm(1, 0, 4, 2, 3),
			err: "Slurm: the array of 3 tasks from 0 to 4 has gaps, so that task 1 does not say which shard it is: use an array such as 1-8",
		},
		{
			text: "auto", env: slurm(1, 1, 8, 0, 8),
			err: "Slurm: the array of 8 tasks from 1 to 8 has gaps, so that task 1 does not say which shard it is: use an array such as 1-8",
		},
		{
			text: "auto", env: slurm(1, 1, 8, 1, 8)[:1],
			err: "Slurm: SLURM_ARRAY_TASK_MIN= is no number\nSLURM_ARRAY_TASK_MAX= is no number\nSLURM_ARRAY_TASK_STEP= is no number\nSLURM_ARRAY_TASK_COUNT= is no number",
		},
		{
			text: "auto", env: []string{"JOB_COMPLETION_INDEX=0"},
			err: "Kubernetes: an Indexed Job does not say how many completions it has: write auto/8",
		},
		{text: "auto/8", env: []string{"JOB_COMPLETION_INDEX=0"}, want: Shard{1, 8}},
		{text: "auto/8", env: []string{"JOB_COMPLETION_INDEX=7"}, want: Shard{8, 8}},
		{
			text: "auto/8", env: []string{"JOB_COMPLETION_INDEX=8"},
			err: "Kubernetes: there is no shard 9 of 8: they count from 1",
		},
		{text: "auto", env: []string{"CI_NODE_INDEX=4", "CI_NODE_TOTAL=4"}, want: Shard{4, 4}},
		{
			text: "auto/5", env: []string{"CI_NODE_INDEX=4", "CI_NODE_TOTAL=4"},
			err: "GitLab: there are 4 shards, not 5",
		},
		{text: "auto", env: []string{"CI_NODE_INDEX=4"}, err: "GitLab: CI_NODE_TOTAL= is no number"},
		{text: "auto", env: []string{"TEST_TOTAL_SHARDS=4", "TEST_SHARD_INDEX=1"}, want: Shard{}},
		{
			text: "auto", env: []string{"CI_NODE_INDEX=4", "CI_NODE_TOTAL=4", "JOB_COMPLETION_INDEX=1"},
			err: "both Kubernetes (JOB_COMPLETION_INDEX) and GitLab (CI_NODE_INDEX) say which shard this is: write 2/8",
		},
	} {
		lookup := func(name string) (string, bool) {
			for _, v := range c.env {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value, true
				}
			}
			return "", false
		}
		got, err := ParseShard(c.text, lookup)
		if c.err != "" {
			require.EqualError(t, err, c.err, "%s %v", c.text, c.env)
			continue
		}
		require.NoError(t, err, "%s %v", c.text, c.env)
		assert.Equal(t, c.want, got, "%s %v", c.text, c.env)
		if got != (Shard{}) {
			again, err := ParseShard(got.String(), lookup)
			require.NoError(t, err)
			assert.Equal(t, got, again)
		}
	}
}
