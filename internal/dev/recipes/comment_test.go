package recipes

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The recipe updates its own comment, whoever else has written one with its marker.
func TestCommentIsUpdated(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"jq", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	const marker = "<!-- learnbench compare -->"
	for _, c := range []struct{ name, comments, want string }{
		{"no comment", `[]`, "pr comment 42 --body-file body\n"},
		{
			"comments of others", `[{"id": 1, "user": {"login": "eve"}, "body": "` + marker +
				`"}, {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "coverage ` + marker + `"}]`,
			"pr comment 42 --body-file body\n",
		},
		{
			"its own", `[{"id": 1, "user": {"login": "eve"}, "body": "` + marker +
				`"}, {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "` + marker + `\nold"}]`,
			"api -X PATCH repos/example/model/issues/comments/2 -F body=@body\n",
		},
	} {
		dir, bin := t.TempDir(), t.TempDir()
		calls, comments := filepath.Join(dir, "calls"), filepath.Join(dir, "comments")
		require.NoError(t, os.WriteFile(filepath.Join(bin, "gh"), []byte(fakeGH), 0o777))
		require.NoError(t, os.WriteFile(comments, []byte(c.comments), 0o666))
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "comment"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "comment", "number"), []byte("42\n"), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "comment", "text"),
			[]byte("iris/nn regressed\n"), 0o666))
		steps := jobSteps(t, recipes(t, "ci.md")[".github/workflows/comment.yml"], "comment")
		cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c", steps[len(steps)-1].Run)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
			"GH_CALLS="+calls, "GH_COMMENTS="+comments, "GH_HEAD=c0ffee", "HEAD=c0ffee",
			"GH_REPO=example/model")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", c.name, out)
		require.Contains(t, read(t, calls), c.want+marker+"\n```\niris/nn regressed\n```\n", c.name)
	}
}
