package record

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func TestSaveReplacesTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, Save(path, fileOf(sampleSet("vehicle", 2, 3, "c45"))))
	s := sampleSet("iris", 1, 1, "nb")
	require.NoError(t, Save(path, fileOf(s)))
	require.Equal(t, text(t, fileOf(s)), readText(t, path))
	require.ErrorIs(t, Save(path, fileOf()), ErrInvalid)
	require.Equal(t, text(t, fileOf(s)), readText(t, path))
}

func TestMergeAppendsAndReplaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a, b, c := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("iris", 1, 2, "c45", "nb"), sampleSet("vehicle", 2, 3, "knn", "nb")
	require.NoError(t, Merge(path, a))
	require.Equal(t, text(t, fileOf(a)), readText(t, path))
	require.NoError(t, Merge(path, b, c))
	require.Equal(t, text(t, fileOf(a, b, c)), readText(t, path))

	// A rerun, with the learners the other way around.
	b.Learners = []string{"nb", "c45"}
	b.Header.Commit = "new"
	b.Trials[0].Values = []Value{{"accuracy", 0.25}}
	require.NoError(t, Merge(path, b))
	require.Equal(t, text(t, fileOf(a, b, c)), readText(t, path))
	c.Header.Commit = "new"
	a.Header.Commit = "new"
	require.NoError(t, Merge(path, a, c))
	require.Equal(t, text(t, fileOf(a, b, c)), readText(t, path))

	// Another protocol and another package are other experiments.
	d, e := a, a
	d.Header.Protocol, e.Header.Pkg = "loo", "example.com/other"
	require.NoError(t, Merge(path, d, e))
	require.Equal(t, text(t, fileOf(a, b, c, d, e)), readText(t, path))
}

func TestMergeKeepsTheRest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a, b, c := sampleSet("a", 1, 2, "x"), sampleSet("b", 1, 2, "x"), sampleSet("c", 1, 2, "x")
	odd := func(s Set) string {
		return strings.ReplaceAll(text(t, fileOf(s)), " 1 0.", "  1  0.") + "\n\nPASS\n"
	}
	shard1, shard2 := b, b
	shard1.Trials, shard2.Trials = b.Trials[:1], b.Trials[1:]
	before := "goos: linux\n\n" + odd(a) + text(t, fileOf(shard1)) + "\n\n" + odd(c) + text(t, fileOf(shard2))
	require.NoError(t, os.WriteFile(path, []byte(before), 0o600))
	require.NoError(t, Merge(path, b))
	require.Equal(t, "goos: linux\n\n"+odd(a)+text(t, fileOf(b))+"\n\n"+odd(c), readText(t, path))
}

func TestMergeLeavesTheFileOnError(t *testing.T) {
	t.Parallel()
	good := sampleSet("vehicle", 2, 3, "c45")
	full := text(t, fileOf(good))
	invalid := sampleSet("vehicle", 2, 3, "c45")
	invalid.Units = nil
	otherUnit := sampleSet("iris", 2, 3, "c45")
	otherUnit.Units = []Unit{{"accuracy", Lower, 0, 1}}
	for name, c := range map[string]struct {
		content string
		sets    []Set
		kind    error
	}{
		"not a result file":     {"hello\n", []Set{good}, nil},
		"truncated":             {full[:len(full)-1], []Set{good}, nil},
		"invalid set":           {full, []Set{invalid}, ErrInvalid},
		"no sets":               {full, nil, ErrInvalid},
		"unit declared twice":   {full, []Set{otherUnit}, ErrInvalid},
		"one experiment twice":  {full, []Set{good, good}, ErrInvalid},
		"invalid set, no file":  {"", []Set{invalid}, ErrInvalid},
		"one of two is invalid": {full, []Set{good, invalid}, ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f.txt")
			if c.content != "" {
				require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
			}
			err := Merge(path, c.sets...)
			if c.kind != nil {
				require.ErrorIs(t, err, c.kind)
			} else {
				require.Equal(t, path, requireError[*SyntaxError](t, err).File)
			}
			if c.content != "" {
				require.Equal(t, c.content, readText(t, path))
			} else {
				require.NoFileExists(t, path)
			}
		})
	}
}

func TestMergeByManyAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	const n = 16
	var wg sync.WaitGroup
	errs := make([]error, 2*n)
	for i := range errs {
		wg.Go(func() {
			s := sampleSet(fmt.Sprintf("data%d", i%n), 2, 3, "c45")
			errs[i] = Merge(path, s)
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	f, err := Open(path)
	require.NoError(t, err)
	require.Len(t, f.Sets, n)
	require.NoError(t, f.Check())
}
