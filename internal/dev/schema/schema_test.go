package schema

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

var learnstat = filepath.Join("..", "..", "..", "cmd", "learnstat")

// The schema is one, and every layout of learnstat is as it says.
func TestOutputsOfLearnstat(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	compiled, err := jsonschema.NewCompiler().Compile(filepath.Join(learnstat,
		"learnstat-1.schema.json"))
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "learnstat")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, ".")
	build.Dir = learnstat
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, line := range []string{
		"old.txt new.txt",
		"-fail-on regressed -margin accuracy=2pp before.txt after.txt",
		"-require non-inferior -margin 50pp -allow-majority -metric accuracy before.txt after.txt",
		"-bayes -margin accuracy=2pp,logloss=0.1 -over quade before.txt after.txt again=before.txt",
		"-baseline nn -replicability 0.9 after.txt",
		"-history before.txt after.txt new.txt",
		"-history -reference old.txt before.txt after.txt",
		"-table /data -row /learner before.txt after.txt",
		"-col /learner old.txt",
	} {
		run := exec.CommandContext(t.Context(), program, append([]string{"-format", "json"},
			strings.Fields(line)...)...)
		run.Dir = filepath.Join(learnstat, "testdata")
		text, _ := run.Output() // any status
		require.True(t, bytes.HasPrefix(text, []byte("{")), "%s: %s", line, text)
		x, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err, line)
		require.NoError(t, compiled.Validate(x), line)

		wrong, ok := x.(map[string]any)
		require.True(t, ok)
		wrong["status"] = "0"
		require.Error(t, compiled.Validate(wrong), line)
		delete(wrong, "status")
		require.Error(t, compiled.Validate(wrong), line)
	}
	_, err = os.Stat(filepath.Join(learnstat, "testdata", "old.txt")) // tells the cache of test results what this depends on
	require.NoError(t, err)
}
