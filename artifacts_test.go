package learnbench_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestArtifactsAreDrawn runs a test that keeps its artifacts, and the command that its log names.
func TestArtifactsAreDrawn(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	run("go", "build", "-o", filepath.Join(dir, "learnstat"), "./cmd/learnstat")
	log := run("go", "test", "-v", "-count=1", "-artifacts", "-outputdir", dir, "-run",
		"^TestNearestBeatsBayes$", ".")
	command := regexp.MustCompile(`(?m)pictures: (learnstat .*)$`).FindStringSubmatch(log)
	require.NotNil(t, command, log)
	out := run("sh", "-c", `PATH="`+dir+`:$PATH" `+command[1])
	assert.Contains(t, out, "vehicle/")
	var pages []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == "report.html" {
			pages = append(pages, path)
		}
		return err
	}))
	require.Len(t, pages, 1, log)
	assert.FileExists(t, filepath.Join(filepath.Dir(pages[0]), "pictures", "accuracy-differences.svg"))
	text, err := os.ReadFile(pages[0])
	require.NoError(t, err)
	assert.Contains(t, string(text), "improved")
}
