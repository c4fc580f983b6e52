package learntest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Stored results name their revision.
func TestCommitOfStoredResults(t *testing.T) {
	header := func(cfg Config) record.Header {
		cfg.Protocol = split.CV(1, 2)
		r := newRecorder(t)
		c := CompareWith(r, cfg, numbers(60), guesser("a"), constant("odd", true))
		require.Empty(t, r.fatal)
		return c.Records().Blocks()[0].Header
	}
	out := filepath.Join(t.TempDir(), "r.txt")
	assert.Empty(t, header(Config{}).Commit, "nothing is stored")
	assert.Equal(t, "mine", header(Config{Results: Results{Commit: "mine"}}).Commit)
	assert.Equal(t, "mine", header(Config{Results: Results{Commit: "mine", Out: out}}).Commit)
	h := header(Config{Results: Results{Out: out}})
	full, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("the working directory is under no version control")
	}
	commit := strings.TrimSuffix(h.Commit, "-dirty")
	assert.GreaterOrEqual(t, len(commit), 12)
	assert.Equal(t, commit, string(full[:len(commit)]))
	_, err = time.Parse(time.RFC3339, h.CommitTime)
	assert.NoError(t, err)
}

// setFlag sets a flag of go test for the time of a test.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	require.NoError(t, flag.Set(name, value))
	t.Cleanup(func() { require.NoError(t, flag.Set(name, before)) })
}

func TestRunsThatMayBeCachedWriteNoFile(t *testing.T) {
	setFlag(t, "test.testlogfile", filepath.Join(t.TempDir(), "log"))
	out := filepath.Join(t.TempDir(), "r.txt")
	r := newRecorder(t)
	c := CompareWith(r, Config{Results: Results{Out: out}}, numbers(60), constant("a", true),
		constant("b", true))
	assert.Equal(t, "learntest.CompareWith: invalid configuration: results are to be written to "+out+": add -count=1: a cached run writes no file", r.fatal)
	assert.Empty(t, c.Records().Blocks())
	assert.NoFileExists(t, out)
	r = newRecorder(t)
	Compare(r, numbers(60), constant("a", true), constant("b", false))
	assert.Empty(t, r.fatal)
}

// withArtifacts is a test that keeps artifacts, as one does under go test -artifacts.
type withArtifacts struct {
	*recorder
	dir string
}

func (a withArtifacts) ArtifactDir() string { return a.dir }

func TestResultsAreAmongTheArtifacts(t *testing.T) {
	cfg := Config{Protocol: split.CV(2, 5)}
	a := withArtifacts{newRecorder(t), t.TempDir()}
	path := filepath.Join(a.dir, "learntest.txt")
	CompareWith(a, cfg, numbers(60), guesser("a"), constant("odd", true))
	assert.NoFileExists(t, path, "they are not wanted")
	assert.NotContains(t, strings.Join(a.logs, "\n"), "learnstat")

	setFlag(t, "test.artifacts", "true")
	a = withArtifacts{newRecorder(t), a.dir}
	c := CompareWith(a, cfg, numbers(60), guesser("a"), constant("odd", true))
	CompareWith(a, cfg, numbers(60), guesser("b"), constant("odd", true))
	require.Empty(t, a.errors)
	f := open(t, path)
	require.Equal(t, []string{"a", "odd", "b"}, f.Experiments()[0].Learners)
	command := "pictures: learnstat -plot " + a.dir + "/pictures -html " + a.dir +
		"/report.html -baseline odd " + path
	assert.Equal(t, []string{command, command}, drawings(a.logs))
	assert.Equal(t, c.Judge(verdict.Claim{}).String(), judged(f, "numbers", "a", "odd",
		verdict.Claim{}).String())

	a = withArtifacts{newRecorder(t), filepath.Join(a.dir, "missing")}
	c = CompareWith(a, cfg, numbers(60), guesser("a"), constant("odd", true))
	require.Len(t, a.errors, 1)
	assert.Contains(t, a.errors[0], "learntest.CompareWith: artifacts: ")
	assert.Equal(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome)
}

// drawings returns the logs that say how to draw.
func drawings(logs []string) []string {
	return slices.DeleteFunc(slices.Clone(logs), func(l string) bool {
		return !strings.HasPrefix(l,
			"pictures: ")
	})
}

func TestDrawingOfArtifactsIsLogged(t *testing.T) {
	cfg := Config{Protocol: split.CV(2, 5)}
	baseline := filepath.Join(t.TempDir(), "baseline.txt")
	update(t, cfg, numbers(60), guesser("forest"), baseline)
	setFlag(t, "test.artifacts", "true")

	a := withArtifacts{newRecorder(t), filepath.Join(t.TempDir(), "it's mine")}
	require.NoError(t, os.Mkdir(a.dir, 0o777))
	CompareAll(a, cfg, numbers(60), guesser("the base (k=3)"), guesser("a"), guesser("b"))
	quoted := strings.ReplaceAll(a.dir, "'", `'\''`)
	assert.Equal(t, []string{"pictures: learnstat -plot '" + quoted + "/pictures' -html '" + quoted +
		"/report.html' -baseline 'the base (k=3)' '" + quoted + "/learntest.txt'"},
		drawings(a.logs), "once for all candidates")

	a = withArtifacts{newRecorder(t), t.TempDir()}
	AgainstWith(a, cfg, numbers(60), guesser("forest"), baseline)
	assert.Equal(t, []string{"pictures: learnstat -plot " + a.dir + "/pictures -html " + a.dir +
		"/report.html " + baseline + " " + a.dir + "/learntest.txt"}, drawings(a.logs))

	a = withArtifacts{newRecorder(t), filepath.Join(t.TempDir(), "missing")}
	CompareWith(a, cfg, numbers(60), guesser("a"), constant("odd", true))
	assert.Empty(t, drawings(a.logs), "nothing was stored")

	inShort(func() {
		a = withArtifacts{newRecorder(t), t.TempDir()}
		AgainstWith(a, cfg, numbers(60), guesser("forest"), baseline)
		assert.Empty(t, drawings(a.logs), "one run is not comparable with two")
	})
}
