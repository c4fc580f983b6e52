package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// A gitDir is a repository with a result file.
type gitDir struct {
	t    *testing.T
	path string // of the file
}

func newGitDir(t *testing.T) *gitDir {
	t.Helper()
	g := newDir(t)
	g.git("init", "-q", "-b", "main")
	return g
}

// newDir returns a directory that is no repository yet.
func newDir(t *testing.T) *gitDir {
	t.Helper()
	g := &gitDir{t, filepath.Join(t.TempDir(), "testdata", "baseline.txt")}
	require.NoError(t, os.MkdirAll(filepath.Dir(g.path), 0o777))
	return g
}

// git runs git and returns its output.
func (g *gitDir) git(args ...string) string {
	g.t.Helper()
	cmd := exec.CommandContext(g.t.Context(), "git", args...)
	cmd.Dir = filepath.Dir(g.path)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	require.NoError(g.t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// write writes one of the result files in testdata, as results of a commit.
func (g *gitDir) write(name, commit string) {
	g.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(g.t, err)
	text = regexp.MustCompile(`(?m)^commit:.*`).ReplaceAll(text, []byte("commit: "+commit))
	text = regexp.MustCompile(`(?m)^Checksum:.*\n`).ReplaceAll(text, nil)
	require.NoError(g.t, os.WriteFile(g.path, text, 0o666))
}

// store commits the file and returns the first digits of the commit.
func (g *gitDir) store() string {
	g.t.Helper()
	g.git("add", "-A")
	// It prints [main (root-commit) 0123456789ab] results, or [main 0123456789ab] results.
	line, _, _ := strings.Cut(g.git("-c", "core.abbrev=12", "commit", "-m", "results"), "]")
	return line[strings.LastIndex(line, " ")+1:]
}

// The versions of a file in git are its history, from the oldest commit to the working tree.
func TestHistoryOfAFileInGit(t *testing.T) {
	t.Parallel()
	g := newGitDir(t)
	g.write("before.txt", "0123456789ab")
	first := g.store()
	g.write("after.txt", first)
	second := g.store()
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(g.path), "notes"), nil, 0o666))
	g.store() // has nothing to do with the file

	r, text := historyOf(t, "-git", "-metric", "logloss", "-data", "iris", "-learner", "nn", g.path)
	require.Len(t, r.Columns, 2)
	segments := r.History.Tables[0].Tracks[0].Segments
	require.Len(t, segments, 2)
	require.Equal(t, []string{first, second}, []string{r.Columns[0].Label, r.Columns[1].Label})
	require.Equal(t, first, segments[0].FromCommit[:12],
		"the commit of the results is gone, and the commit that stores them is there")
	require.Equal(t, first, segments[1].FromCommit[:12], "the commit of the results is there")
	require.Equal(t, "improved", segments[1].Previous.Outcome)
	require.Contains(t, text, first+": the results are of commit 0123456789ab, which is gone: named by the commit that stores them")
	require.NotContains(t, text, second+": the results")

	// The same as of the files themselves.
	files := filepath.Join(t.TempDir(), "first.txt")
	require.NoError(t, os.WriteFile(files, []byte(g.git("show", first+":./baseline.txt")+"\n"), 0o666))
	same, _ := historyOf(t, "-metric", "logloss", "-data", "iris", "-learner", "nn", files, g.path)
	want, got := same.History.Tables[0].Tracks[0].Segments[1].Previous, segments[1].Previous
	require.Equal(t, []unit.Number{want.Difference, want.Lo, want.Hi, want.P},
		[]unit.Number{got.Difference, got.Lo, got.Hi, got.P})

	// A change that is not committed yet comes last, and a reference may be any file.
	g.write("before.txt", first)
	r, _ = historyOf(t, "-git", "-metric", "logloss", "-data", "iris", "-learner", "nn", "-reference",
		"pin="+files, g.path)
	require.Len(t, r.Columns, 4)
	require.Equal(t, []string{"pin", "working-tree"}, []string{r.Columns[0].Label, r.Columns[3].Label})
	require.True(t, r.History.Pinned)

	// A file that was removed has a history.
	require.NoError(t, os.Remove(g.path))
	g.store()
	r, _ = historyOf(t, "-git", "-metric", "logloss", "-data", "iris", "-learner", "nn", g.path)
	require.Len(t, r.Columns, 2)
}

// A history that git cannot give, or not as a whole, is an error.
func TestHistoryInGitThatIsNotThere(t *testing.T) {
	t.Parallel()
	g := newGitDir(t)
	g.write("before.txt", "")
	refused := func(want string, args ...string) {
		t.Helper()
		status, stdout, stderr := runText(args...)
		require.Equal(t, cli.Unjudged, status, stdout)
		require.Empty(t, stdout)
		require.Contains(t, stderr, want)
	}
	refused("-git "+g.path+": git log: ", "-history", "-git", g.path) // no commit at all
	g.store()
	g.write("after.txt", "")
	g.store()
	none := filepath.Join(filepath.Dir(g.path), "none.txt")
	refused("-git "+none+": no commit of HEAD's history has this file: git add and git commit it, or leave -git out", "-history", "-git", none)
	refused("-git takes the versions of one file, not of 2 arguments", "-history", "-git",
		g.path, g.path)
	refused("-git takes the versions of one file, not of 1 arguments", "-history", "-git", "-")
	refused("-git is for the history of a file: add -history", "-git", g.path)
	refused("-git is for result files", "-history", "-git", "-from", "weka", g.path)
	shallow := filepath.Join(t.TempDir(), "shallow")
	g.git("clone", "-q", "--depth=1", "file://"+filepath.Dir(g.path), shallow)
	refused("this clone is shallow, and lacks older commits: git fetch --unshallow", "-history",
		"-git", filepath.Join(shallow, "baseline.txt"))
	outside := filepath.Join(t.TempDir(), "x.txt")
	require.NoError(t, os.WriteFile(outside, nil, 0o666))
	refused("-git "+outside+": git rev-parse: ", "-history", "-git", outside)

	require.NoError(t, os.WriteFile(g.path, []byte("hello\n"), 0o666))
	broken := g.store()
	refused(broken+":"+g.path+`:1: a block begins with "learnbench-format: 2"`, "-history",
		"-git", g.path)
}

// git diff shows a line for each learner that has changed, and none else.
func TestTextconv(t *testing.T) {
	t.Parallel()
	g := newDir(t)
	g.write("before.txt", "")
	lines := func(name string) []string {
		g.write(name, "")
		status, stdout, stderr := runText("-textconv", g.path)
		require.Equal(t, cli.Clean, status, stderr)
		return strings.Split(stdout, "\n")
	}
	before, after := lines("before.txt"), lines("after.txt")
	require.Len(t, before, 10) // two data sets with two lines and two learners, an empty line between them
	require.NotRegexp(t, `(?m)""|, ?$`, strings.Join(before, "\n"),
		"what a header does not say is left out")
	require.Regexp(t, `^iris/nn: accuracy 0\.953177 logloss 0\.238879, 12 trials, scores [0-9a-f]{12}$`, before[2])
	var differ []string
	for i := range before {
		if before[i] != after[i] {
			differ = append(differ, before[i][:strings.IndexByte(before[i], ':')])
		}
	}
	require.Equal(t, []string{"iris/nn", "glass/nn"}, differ)

	// A score that leaves the means alone differs, too: two folds that were exchanged.
	text, err := os.ReadFile(g.path)
	require.NoError(t, err)
	exchanged := strings.NewReplacer("data=iris/learner=nn/run=1/fold=1 ",
		"data=iris/learner=nn/run=1/fold=2 ", "data=iris/learner=nn/run=1/fold=2 ",
		"data=iris/learner=nn/run=1/fold=1 ")
	require.NoError(t, os.WriteFile(g.path, []byte(exchanged.Replace(string(text))), 0o666))
	_, stdout, _ := runText("-textconv", g.path)
	require.NotEqual(t, strings.Join(after, "\n"), stdout)

	// Files that cannot be read, or not as a whole, differ if their texts do; a file that is not
	// there is an error.
	seen := make(map[string]bool)
	dropped := regexp.MustCompile(`(?m)^BenchmarkCV/data=iris/learner=nn/run=1/fold=2 .*\n`).ReplaceAll(text, nil)
	for _, text := range []string{
		"", "hello\n", "hello\nagain\n", string(text[:len(text)*2/3]),
		string(dropped),
	} {
		require.NoError(t, os.WriteFile(g.path, []byte(text), 0o666))
		status, stdout, stderr := runText("-textconv", g.path)
		require.Equal(t, cli.Clean, status, stderr)
		require.True(t, strings.HasPrefix(stdout, "not to be read: sha256 "), stdout)
		require.NotContains(t, stdout, filepath.Dir(g.path), "git makes up the path")
		require.False(t, seen[stdout])
		seen[stdout] = true
	}
	status, _, stderr := runText("-textconv", filepath.Join(t.TempDir(), "none"))
	require.Equal(t, cli.Unjudged, status)
	require.Contains(t, stderr, "no such file")
}
