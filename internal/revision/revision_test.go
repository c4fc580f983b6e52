package revision

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A repository is a directory with git in it.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	r := repository{t, t.TempDir()}
	r.git("init", "-q", "--template=") // hooks are none of it
	for file, text := range committedFiles {
		r.write(file, text)
	}
	return r
}

var committedFiles = map[string]string{
	"model/go.mod":       "module example.com/model\n",
	"model/sub/model.go": "package sub\n",
	".gitignore":         "*_gen.go\nbuild/\n",
}

func (r repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_COMMITTER_DATE=2026-11-20T16:02:11Z")
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "%s", out)
}

func (r repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(r.t, os.WriteFile(path, []byte(text), 0o666))
}

// A file that differs from the commit makes the revision dirty, if it can be part of the code under
// test.
func TestAt(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("tools/README", "x\n")
	r.git("add", ".")
	r.git("commit", "-q", "-m", "a model")
	for name, c := range map[string]struct {
		files map[string]string
		from  string
		dirty bool
	}{
		"nothing": {nil, "model/sub", false},
		"a change": {
			map[string]string{"model/sub/model.go": "package sub // changed\n"},
			"model/sub", true,
		},
		"a change, and a new file": {map[string]string{
			"model/sub/model.go":  "package sub // changed\n",
			"model/sub/forest.go": "package sub\n",
		}, "model/sub", true},
		"a change elsewhere": {
			map[string]string{".gitignore": "*_gen.go\n"},
			"model/sub",
			true,
		},
		"a new file of the package": {
			map[string]string{"model/sub/forest.go": "package sub\n"},
			"model/sub", true,
		},
		"a new file of another package": {
			map[string]string{"model/other/forest.go": "package other\n"},
			"model/sub", true,
		},
		"one that is ignored": {
			map[string]string{"model/sub/forest_gen.go": "package sub\n"},
			"model/sub", false,
		},
		"one in a directory that is": {
			map[string]string{"model/build/forest.go": "package build\n"},
			"model/sub", false,
		},
		"no Go file": {
			map[string]string{"model/sub/notes.txt": "x\n"},
			"model/sub", false,
		},
		"one that no package has": {
			map[string]string{"model/sub/testdata/x/x.go": "package x\n"},
			"model/sub", false,
		},
		"one of another module": {
			map[string]string{"tools/x.go": "package tools\n"},
			"model/sub", false,
		},
		"one of a directory without module": {
			map[string]string{"tools/x.go": "package tools\n"},
			"tools", false,
		},
	} {
		for file, text := range c.files {
			r.write(file, text)
		}
		commit, committed := At(filepath.Join(r.dir, c.from))
		want := `^[0-9a-f]{12}$`
		if c.dirty {
			want = `^[0-9a-f]{12}-dirty$`
		}
		require.Regexp(t, want, commit, name)
		require.Contains(t, []string{"2026-11-20T16:02:11Z", "2026-11-20T16:02:11+00:00"}, committed)
		for file := range c.files {
			if text, ok := committedFiles[file]; ok {
				r.write(file, text)
			} else {
				require.NoError(t, os.Remove(filepath.Join(r.dir, file)))
			}
		}
	}
	commit, _ := At(r.dir)
	require.Regexp(t, `^[0-9a-f]{12}$`, commit)
}

func TestAtWhereThereIsNoRevision(t *testing.T) {
	for name, dir := range map[string]string{
		"no repository": t.TempDir(),
		"no commit":     newRepository(t).dir,
		"no directory":  filepath.Join(t.TempDir(), "none"),
	} {
		commit, committed := At(dir)
		require.Empty(t, commit, name)
		require.Empty(t, committed, name)
	}
	r := newRepository(t)
	r.git("add", ".")
	r.git("commit", "-q", "-m", "a model")
	t.Setenv("PATH", t.TempDir())
	commit, committed := At(r.dir)
	require.Empty(t, commit, "no git")
	require.Empty(t, committed, "no git")
}

// Lost finds a commit that a squash or a rebase has left, and nothing where nobody can look for it.
func TestLost(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.git("add", ".")
	r.git("commit", "-q", "-m", "a model")
	first, _ := At(r.dir)
	r.write("model/sub/model.go", "package sub // squashed\n")
	r.git("commit", "-q", "-a", "-m", "on a branch")
	branch, _ := At(r.dir)
	require.Empty(t, Lost(r.dir, branch))
	r.git("reset", "-q", "--hard", first)
	r.write("model/sub/model.go", "package sub // all\n")
	r.git("commit", "-q", "-a", "-m", "a squash")
	now, _ := At(r.dir)
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.git("clone", "-q", "--depth=1", "file://"+r.dir, shallow)
	const gone = "0123456789ab"
	for _, c := range []struct{ dir, commit, want string }{
		{r.dir, first, ""},
		{r.dir, now, ""},
		{r.dir, now + "-dirty", ""},
		{r.dir, branch, "is not in the history of HEAD"},
		{r.dir, branch + "-dirty", "is not in the history of HEAD"},
		{r.dir, gone, "is gone"},
		{r.dir, "", ""},
		{r.dir, "v1.2", ""},
		{r.dir, "--all", ""},
		{shallow, gone, ""},
		{shallow, first, ""},
		{t.TempDir(), gone, ""},
	} {
		require.Equal(t, c.want, Lost(c.dir, c.commit), "%+v", c)
	}
}
