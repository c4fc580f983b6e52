package recipes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/require"
)

// root is the directory of the module that users require.
var root = filepath.Join("..", "..", "..")

// A project is a user's repository with a model and the recipes, and a remote.
type project struct {
	dir, remote string
	env         []string
	bin         string // on PATH
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	p := &project{dir: filepath.Join(t.TempDir(), "model"), remote: filepath.Join(t.TempDir(),
		"remote.git"), bin: t.TempDir()}
	env, err := usermod.Repeated(root, p.bin)
	require.NoError(t, err)
	p.env = append(append(os.Environ(), env...), "GOBIN="+p.bin,
		"PATH="+p.bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "CI=true")
	require.NoError(t, os.MkdirAll(p.dir, 0o777))
	require.NoError(t, usermod.Write(p.dir, "example.com/model", root))
	mod := filepath.Join(p.dir, "go.mod")
	require.NoError(t, os.WriteFile(mod, append([]byte(read(t, mod)),
		"\ntool (\n\tgithub.com/learnbench/learnbench/cmd/learnbench\n\tgithub.com/learnbench/learnbench/cmd/learnstat\n)\n"...), 0o666))
	for _, name := range []string{"model.go", "model_test.go"} {
		text, err := os.ReadFile(filepath.Join(root, "cmd", "learnbench", "testdata", "compare", name))
		require.NoError(t, err)
		files[name] = string(text)
	}
	files["testdata/README"] = "reference\n"
	for name, text := range files {
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	p.git(t, "init", "-q", "-b", "main")
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "a model")
	p.git(t, "init", "-q", "--bare", "-b", "main", p.remote)
	p.git(t, "remote", "add", "origin", p.remote)
	p.git(t, "push", "-q", "origin", "main")
	return p
}

func (p *project) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// plant makes the model worse in a commit.
func (p *project) plant(t *testing.T) {
	t.Helper()
	path := filepath.Join(p.dir, "model.go")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "= 50")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), "= 50", "= 0", 1)),
		0o666))
	p.git(t, "commit", "-q", "-a", "-m", "a worse model")
}
