package learnbench_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestModuleAsksUsersForNoTools checks that go.mod, whose requirements are
// minimums for all users, has no tools and replaces nothing.
func TestModuleAsksUsersForNoTools(t *testing.T) {
	t.Parallel()
	_, err := os.Stat("go.mod") // tells the cache of test results what this depends on
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "go.mod").Output()
	require.NoError(t, err)
	var mod struct {
		Module  struct{ Path string }
		Require []json.RawMessage
		Tool    []json.RawMessage
		Replace []json.RawMessage
	}
	require.NoError(t, json.Unmarshal(out, &mod))
	assert.Equal(t, module, mod.Module.Path)
	assert.NotEmpty(t, mod.Require)
	assert.Empty(t, mod.Tool, "tools belong into .ci/tools/go.mod")
	assert.Empty(t, mod.Replace)
}

// TestModulesThatComeWithItAreListed compares docs/SECURITY.md with what packages import.
func TestModulesThatComeWithItAreListed(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	users := make(map[string][]string)
	for _, of := range []string{"assert", "cmd/learnstat", "cmd/learnbench"} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
			"{{with .Module}}{{.Path}}{{end}}", "./"+of).Output()
		require.NoError(t, err)
		modules := strings.Fields(string(out))
		slices.Sort(modules)
		for _, path := range slices.Compact(modules) {
			if path != module {
				users[path] = append(users[path], strings.TrimPrefix(of, "cmd/"))
			}
		}
	}
	page, err := os.ReadFile("docs/SECURITY.md")
	require.NoError(t, err)
	listed := make(map[string][]string)
	for _, row := range regexp.MustCompile("(?m)^\\| `(.+?)` \\| (.+?) \\| .+ \\|$").FindAllStringSubmatch(string(page), -1) {
		listed[row[1]] = strings.Split(row[2], ", ")
	}
	assert.Equal(t, users, listed)
}
