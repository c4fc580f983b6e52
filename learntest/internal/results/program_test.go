package results

import (
	"compress/gzip"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A learner of a test that reads a file of its directory is another one when the file has changed.
func TestProgramOfATestHasItsFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	out, err := filepath.Abs("out.txt")
	require.NoError(t, err)
	write("model/weights.json", "[1]")
	files, ok := digestOfTest(sha256.New(), "")
	require.True(t, ok)
	require.Equal(t, 1, files, "the limit is of files, each counted once")
	before := program(true, out)
	require.Len(t, before, 64)
	require.Equal(t, executable(), program(false, out),
		"the command reads only the files that its arguments name")
	for path, text := range map[string]string{
		"out.txt": "x", "out.txt.partial-1": "x", "results.txt": "learnbench-format: 2\n",
		"learner.go":    "package p",
		"refresh.txt":   "How baselines were taken over to new data, by learnbench refresh: x",
		"pinned.ledger": "How pinned.txt was moved, by learnbench pin: x\n", "NOTES.md": "x",
		"new.pred": "learnbench-predictions: 1\n", "new.pred.gz": zipped("learnbench-predictions: 1\n"),
		".git/index": "x", "__pycache__/m.pyc": "x", "model/.swp": "x",
	} {
		write(path, text)
		require.Equal(t, before, program(true, out), path)
	}
	for _, path := range []string{"testdata/prompt.md", "testdata/corpus/main.go"} {
		before := program(true, out)
		write(path, "x")
		require.NotEqual(t, before, program(true, out), path)
		require.NoError(t, os.Remove(path))
	}
	write("model/weights.json", "[2]")
	changed := program(true, out)
	require.NotEqual(t, before, changed)
	write("model/weights.json", "[1]")
	require.Equal(t, before, program(true, out))
	require.NoError(t, os.Rename("model/weights.json", "model/w.json"))
	require.NotEqual(t, before, program(true, out))

	// A link to a file elsewhere is read, too, and one to a directory; one to nothing is not.
	shared := filepath.Join(t.TempDir(), "shared.json")
	write(shared, "[1]")
	before = program(true, out)
	if err := os.Symlink(shared, "model/link.json"); err != nil {
		t.Skip(err)
	}
	linked := program(true, out)
	require.NotEqual(t, before, linked)
	write(shared, "[2]")
	require.NotEqual(t, linked, program(true, out))
	require.NoError(t, os.Remove(shared))
	require.Equal(t, before, program(true, out))
	require.NoError(t, os.Mkdir(shared, 0o777))
	require.Equal(t, before, program(true, out))
	write(filepath.Join(shared, "w.json"), "[1]")
	linked = program(true, out)
	require.NotEqual(t, before, linked)
	write(filepath.Join(shared, "w.json"), "[2]")
	require.NotEqual(t, linked, program(true, out))
}

// zipped compresses a text.
func zipped(text string) string {
	var out strings.Builder
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text)) // a Builder does not fail
	_ = w.Close()
	return out.String()
}

// The digest covers declared files by content, and a program that names no file is never known.
func TestProgramHasDeclaredFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.py")
	require.NoError(t, os.WriteFile(path, []byte("1"), 0o666))
	describe := func(c Settings) string {
		text, err := c.describeProgram(new(Registry))
		require.NoError(t, err)
		return text
	}
	before := describe(Settings{Files: []string{path}})
	require.Equal(t, before, describe(Settings{Files: []string{path}}))
	require.Regexp(t, `^[0-9a-f]{64}\+[0-9a-f]{64}$`, before)
	require.NotEqual(t, before, describe(Settings{Files: []string{dir}}), "under another name")
	require.NoError(t, os.WriteFile(path, []byte("2"), 0o666))
	require.NotEqual(t, before, describe(Settings{Files: []string{path}}))
	if link := filepath.Join(t.TempDir(), "link"); os.Symlink(dir, link) == nil {
		before := describe(Settings{Files: []string{link}})
		require.NoError(t, os.WriteFile(path, []byte("3"), 0o666))
		require.NotEqual(t, before, describe(Settings{Files: []string{link}}), "a link to a directory")
	}
	require.Equal(t, "unknown", describe(Settings{Files: []string{path}, Unknown: true}))
	_, err := (&Settings{Files: []string{path + "c"}}).describeProgram(new(Registry))
	require.ErrorIs(t, err, ErrConfig)
}

// A merge of equal programs' results is of a dirty commit if any part is: nobody could reproduce
// that part.
func TestMergesOfDirtyResultsStayDirty(t *testing.T) {
	t.Parallel()
	of := func(run, commit string) *record.Block {
		h := record.Header{
			Data: "numbers", Commit: commit, Protocol: "cv runs=2 folds=2 stratified seed=1 v1",
			Binary:     strings.Repeat("b", 64),
			DataDigest: strings.Repeat("d", 64), SplitDigest: strings.Repeat("e", 64), Reproduce: run,
		}
		b, err := record.NewBlock(h, []string{"a"}, []unit.Unit{metric.Accuracy().Unit}, 4)
		require.NoError(t, err)
		return b
	}
	for _, commits := range [][]string{
		{"c1", "c1-dirty"},
		{"c1-dirty", "c1"},
		{"c1", "c2", "c1-dirty"},
		{"c1", ""},
	} {
		var blocks []*record.Block
		for _, c := range commits {
			blocks = append(blocks, of(c, c))
		}
		noted := 0
		merged, err := ofOne(blocks, func(string, ...any) { noted++ })
		require.NoError(t, err)
		assert.NotZero(t, noted)
		for i, b := range merged {
			assert.False(t, isClean(b.Header.Commit), "%v", commits)
			assert.Equal(t, commits[i], blocks[i].Header.Commit, "arguments are unchanged")
		}
	}
	merged, err := ofOne([]*record.Block{of("1", "c1"), of("2", "c2")}, func(string, ...any) {})
	require.NoError(t, err)
	assert.Equal(t, "c1", merged[1].Header.Commit)
}
