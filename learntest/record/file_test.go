package record

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/blockfile"
)

func TestFileIndex(t *testing.T) {
	t.Parallel()
	kappa := unit.Unit{Name: "kappa", Better: unit.Higher, Min: -1, Max: 1}
	one, two, three := sampleSet("iris", 1, 2, "b", "a"), sampleSet("vehicle", 1, 2, "a"),
		sampleSet("iris", 1, 2, "c", "a").clone()
	three.Header.Test, three.Units = "TestOther", []unit.Unit{kappa, accuracy}
	for i := range three.Trials {
		three.Trials[i].Values = append(three.Trials[i].Values, 0.5)
	}
	full := textOf(t, one, two, three)
	f := readText(t, full)
	require.Equal(t, []string{"iris", "vehicle"}, f.DataSets())
	require.Equal(t, []string{"b", "a", "c"}, f.Learners("iris"))
	require.Equal(t, []string{"a"}, f.Learners("vehicle"))
	require.Empty(t, f.Learners("glass"))
	require.Equal(t, []unit.Unit{accuracy}, f.Metrics("iris", "b"))
	require.Equal(t, []unit.Unit{accuracy, kappa}, f.Metrics("iris", "a"))
	require.Equal(t, []unit.Unit{kappa, accuracy}, f.Metrics("iris", "c"))
	require.Empty(t, f.Metrics("vehicle", "c"))
	require.Empty(t, f.Metrics("glass", "c"))
	require.Equal(t, []unit.Unit{accuracy, kappa}, f.Units())
	require.Equal(t, []unit.Unit{accuracy}, f.Blocks()[0].Units)
	require.True(t, f.HasData("vehicle") && f.HasLearner("vehicle", "a"))
	require.False(t, f.HasData("glass") || f.HasLearner("vehicle", "b") || f.HasLearner("glass", "a"))
	require.Equal(t, Pos{"f.txt", 1}, f.Pos("iris", "a"))
	require.Equal(t, Pos{"f.txt", lineOf(t, full, "Learners: c a") - 12}, f.Pos("iris", "c"))
	require.Zero(t, f.Pos("iris", "d"))
	require.Zero(t, fileOf(t, one).Pos("iris", "a"))
	require.Len(t, f.Blocks(), 3)
	require.Equal(t, f.Blocks(), f.Experiments())
}

// The index has what the blocks have, in the order in which they come.
func TestFileIndexAgainstTheBlocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var blocks []*Block
		var data []string
		learners := make(map[string][]string)
		experiments := make(map[Identity]bool)
		for range rapid.IntRange(0, 12).Draw(t, "blocks") {
			s := sampleSet(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "data"), 1, 1)
			s.Trials = nil
			s.Header.Test = rapid.SampledFrom([]string{"TestA", "TestB"}).Draw(t, "test")
			s.Learners = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3,
				rapid.ID[string]).Draw(t, "learners")
			b := s.block(t)
			blocks = append(blocks, b)
			experiments[b.Header.Identity()] = true
			if d := s.Header.Data; !slices.Contains(data, d) {
				data = append(data, d)
			}
			for _, name := range s.Learners {
				if have := learners[s.Header.Data]; !slices.Contains(have, name) {
					learners[s.Header.Data] = append(have, name)
				}
			}
		}
		f := NewFile(blocks...)
		require.Equal(t, data, f.DataSets())
		for _, d := range data {
			require.Equal(t, learners[d], f.Learners(d))
			for _, name := range learners[d] {
				of := f.learner(d, name).experiments
				require.LessOrEqual(t, len(of), 2)
				for _, e := range of {
					require.True(t, slices.ContainsFunc(e.blocks,
						func(b *Block) bool { return slices.Contains(b.Learners, name) }))
				}
			}
		}
		require.Len(t, f.Experiments(), len(experiments))
	})
}

func TestFileOfNothing(t *testing.T) {
	t.Parallel()
	f := NewFile()
	require.Empty(t, f.Blocks())
	require.Empty(t, f.DataSets())
	require.Empty(t, f.Experiments())
	require.Empty(t, f.Failures())
	require.Empty(t, f.Units())
	require.EqualError(t, f.Check(), "not found: no results")
}

func TestFailuresAreInTheOrderOfExperiments(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("a", 2, 2, "x"), sampleSet("b", 2, 2, "x")
	a.fail(3, "last")
	b.fail(0, "other")
	first, second := a, a
	first.Trials, second.Trials = a.Trials[2:], a.Trials[:2]
	second.fail(0, "first")
	f := readText(t, textOf(t, first, b, second))
	var got []string
	for _, tr := range f.Failures() {
		got = append(got, fmt.Sprint(tr.Data, " ", tr.Err, " ", tr.Pos.Line > 0))
	}
	require.Equal(t, []string{"a first true", "a last true", "b other true"}, got)
}

func TestOpenIsConcatenation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	var all strings.Builder
	for i, s := range []set{
		sampleSet("a", 1, 2, "x"), sampleSet("b", 2, 2, "x", "y"),
		sampleSet("a", 2, 3, "y"),
	} {
		path := filepath.Join(dir, fmt.Sprintf("shard%d.txt", i))
		require.NoError(t, os.WriteFile(path, []byte(textOf(t, s)), 0o600))
		paths = append(paths, path)
		all.WriteString(textOf(t, s))
	}
	want := readText(t, all.String())
	for name, paths := range map[string][]string{"files": paths, "directory": {dir}} {
		got, err := Open(paths...)
		require.NoError(t, err, name)
		require.Equal(t, contents(want.Blocks()...), contents(got.Blocks()...))
		for tr := range got.Blocks()[1].Trials() {
			require.Equal(t, Pos{filepath.Join(dir, "shard1.txt"), 16}, tr.Pos)
			break
		}
		require.Equal(t, []string{"a", "b"}, got.DataSets())
		require.Equal(t, []string{"x", "y"}, got.Learners("a"))
	}
}

func TestOpenOfDirectoriesTakesResultFilesOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Open(dir)
	require.EqualError(t, err, fmt.Sprintf("not found: no result files (*.txt) in the directory %s",
		dir))
	require.ErrorIs(t, err, ErrNotFound)
	for _, name := range []string{"b.txt", "a.txt", "c.txt.partial-1", "d.txt.lock", "e.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name),
			[]byte(textOf(t, sampleSet(name, 1, 1, "x"))), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "f.txt"), 0o700))
	f, err := Open(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt", "b.txt"}, f.DataSets())
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Open()
	require.EqualError(t, err, "not found: no result files given")
	_, err = Open(filepath.Join(dir, "none.txt"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	a, b, c := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt"), filepath.Join(dir, "c.txt")
	s := sampleSet("a", 1, 1, "x")
	require.NoError(t, os.WriteFile(a, []byte(textOf(t, s)), 0o600))
	s.Units = []unit.Unit{{Name: "accuracy", Better: unit.Lower, Min: 0, Max: 1}}
	require.NoError(t, os.WriteFile(b, []byte(textOf(t, s)), 0o600))
	require.NoError(t, os.WriteFile(c, nil, 0o600))
	_, err = Open(a, b)
	e := requireError[*SyntaxError](t, err)
	require.Equal(t, b, e.File)
	require.Contains(t, e.Msg, a+":15")
	_, err = Open(a, c)
	require.EqualError(t, err, c+`:1: there is no result: a block begins with "learnbench-format: 2"`)
	// The files are closed: they can be written to again.
	one := blockfile.Format{Marker: Marker, Key: func([]byte) (string, error) { return "", nil }}
	file, err := blockfile.New(b, one)
	require.NoError(t, err)
	_, err = file.Put(blockfile.Block{Text: []byte(textOf(t, sampleSet("b", 1, 1, "x")))})
	require.NoError(t, err)
}
