package learnbench_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocumentedCommandsWrite checks that every command of the documentation that
// has go test write results forbids the cache, from which nothing is written.
func TestDocumentedCommandsWrite(t *testing.T) {
	t.Parallel()
	found := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		switch filepath.Ext(path) {
		case ".go", ".md":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if strings.Contains(line, "LEARNTEST_OUT=") && strings.Contains(line, "go test") {
				found++
				assert.Contains(t, line, "go test -count=1", "%s:%d", path, number)
			}
		}
		return nil
	}))
	assert.Positive(t, found)
}
