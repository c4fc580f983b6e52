package learnbench_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGatesAreClosedByTests checks that the tests which the list of open gates
// names are there, and the scripts.
func TestGatesAreClosedByTests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("docs", "gates.md"))
	require.NoError(t, err)
	var sources strings.Builder
	scripts := make(map[string]bool)
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, "_test.go"):
			b, err := os.ReadFile(path)
			sources.Write(b)
			return err
		case strings.HasSuffix(path, ".txtar"):
			scripts[d.Name()] = true
		}
		return nil
	}))
	names := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(text), -1)
	assert.Greater(t, len(names), 30)
	for _, name := range names {
		assert.Contains(t, sources.String(), "func "+name[1]+"(t *testing.T)", "docs/gates.md names it")
	}
	for _, name := range regexp.MustCompile(`\((\w+\.txtar)\)`).FindAllStringSubmatch(string(text), -1) {
		assert.True(t, scripts[name[1]], "docs/gates.md names the script %s", name[1])
	}
}
