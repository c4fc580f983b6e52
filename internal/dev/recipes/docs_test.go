package recipes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWorkflowsPassActionlint checks the workflows of docs/ci.md and docs/cache.md, where there is
// actionlint.
func TestWorkflowsPassActionlint(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("actionlint")
	if err != nil {
		t.Skip("actionlint is not there")
	}
	dir := t.TempDir()
	var paths []string
	files := recipes(t, "ci.md")
	maps.Copy(files, recipes(t, "cache.md"))
	for name, text := range files {
		if strings.HasPrefix(name, ".github/") {
			paths = append(paths, filepath.Join(dir, filepath.Base(name)))
			require.NoError(t, os.WriteFile(paths[len(paths)-1], []byte(text), 0o666))
		}
	}
	require.Len(t, paths, 8)
	out, err := exec.CommandContext(t.Context(), program, append([]string{"-no-color"},
		paths...)...).CombinedOutput()
	assert.NoError(t, err, "%s", out)
}

// TestShardLines evaluates the lines of docs/shards.md in the first and in the last
// of four jobs.
func TestShardLines(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile("(?m)^\\| .* \\| `LEARNTEST_SHARD=(.*)` \\|$")
	variable := regexp.MustCompile(`[A-Z][A-Z_]+`)
	matches := line.FindAllStringSubmatch(read(t, filepath.Join(root, "docs", "shards.md")), -1)
	require.Len(t, matches, 6)
	for _, m := range matches {
		names := variable.FindAllString(m[1], -1)
		require.Len(t, names, 2)
		from := 1
		if strings.Contains(m[1], "+ 1") {
			from = 0
		}
		for i := range 4 {
			cmd := exec.CommandContext(t.Context(), "sh", "-c", `printf %s "`+m[1]+`"`)
			cmd.Env = []string{
				fmt.Sprintf("%s=%d", names[0], i+from), names[1] + "=4",
				"PATH=" + os.Getenv("PATH"),
			}
			out, err := cmd.Output()
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprintf("%d/4", i+1), string(out), m[1])
		}
	}
}

// TestAttributesAreDocumented compares the attributes that a comparison sets with
// docs/ci.md.
func TestAttributesAreDocumented(t *testing.T) {
	t.Parallel()
	documented := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^\\| `learntest\\.N\\.(\\w+)` \\|").FindAllStringSubmatch(read(t, filepath.Join(root, "docs", "ci.md")), -1) {
		documented[m[1]] = true
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-json", "-count=1",
		"./learntest/testdata/cached", "./assert/testdata/failing", "-run", "TestCached|TestRegression")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		require.ErrorContains(t, err, "exit status 1") // those tests are meant to fail
	}
	set := make(map[string]bool)
	for line := range bytes.Lines(out) {
		var e struct{ Action, Key, Value string }
		require.NoError(t, json.Unmarshal(line, &e))
		if key, ok := strings.CutPrefix(e.Key, "learntest.1."); ok && e.Action == "attr" {
			set[key] = true
			if key == "verdict" {
				assert.Contains(t, read(t, filepath.Join(root, "docs", "ci.md")), "`"+e.Value+"`")
			}
		}
	}
	assert.Equal(t, slices.Sorted(maps.Keys(documented)), slices.Sorted(maps.Keys(set)))
}
