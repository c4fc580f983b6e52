package learnbench_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// toolchain is what differs from machine to machine.
var toolchain = regexp.MustCompile(`go1\.\S+ \w+/\w+`)

// TestImportsPage runs the commands of the page about imports and compares their
// outputs.
func TestImportsPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("docs", "imports.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 150)
	dir := t.TempDir() + string(filepath.Separator)
	ran := 0
	got := block.ReplaceAllStringFunc(string(text), func(b string) string {
		m := block.FindStringSubmatch(b)
		if m[1] != "console" {
			return b
		}
		ran++
		// Each block has a file of its own.
		_ = os.Remove(dir + "results.txt")
		body := strings.NewReplacer("$ learnbench ", "$ go run ./cmd/learnbench ", "$ learnstat ", "$ go run ./cmd/learnstat ").Replace(m[2])
		out := strings.NewReplacer("$ go run ./cmd/learnbench ", "$ learnbench ", "$ go run ./cmd/learnstat ", "$ learnstat ").Replace(session(t, dir, body))
		return "```console\n" + toolchain.ReplaceAllString(out, "go1.26 linux/amd64") + "```\n"
	})
	require.Equal(t, 6, ran, "console blocks")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(normal(got)), 0o644))
		return
	}
	assert.Equal(t, normal(string(text)), normal(got))
}
