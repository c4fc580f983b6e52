package learnbench_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

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
