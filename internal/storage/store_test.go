package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/blockfile"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

func newStore(t *testing.T, path string) *Store {
	t.Helper()
	s, err := NewStore(path)
	require.NoError(t, err)
	return s
}

// put stores blocks and returns the receipt.
func put(t *testing.T, s *Store, blocks ...*record.Block) Receipt {
	t.Helper()
	r, err := s.Put(blocks...)
	require.NoError(t, err)
	return r
}

// load returns what a store holds, and checks that it is what Open reads.
func load(t *testing.T, s *Store) []set {
	t.Helper()
	f, err := s.load()
	require.NoError(t, err)
	opened, err := record.Open(s.path)
	require.NoError(t, err)
	require.Equal(t, contents(opened.Blocks()...), contents(f.Blocks()...))
	return contents(f.Blocks()...)
}

func TestPutAppendsAndReplaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a, b, c := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("iris", 1, 2, "c45", "nb").clone(),
		sampleSet("glass", 2, 3, "knn", "nb")
	require.NoError(t, Merge(path, a.block(t)))
	require.Equal(t, textOf(t, a), fileText(t, path))
	require.NoError(t, Merge(path, blocksOf(t, b, c)...))
	s := newStore(t, path)
	require.Equal(t, contents(blocksOf(t, a, b, c)...), load(t, s))

	// A rerun, with the learners the other way around, takes the place of the first.
	b.Learners = []string{"nb", "c45"}
	b.Header.Commit = "new"
	b.Trials[0].Values = []float64{0.25}
	put(t, s, b.block(t))
	require.Equal(t, contents(blocksOf(t, a, b, c)...), load(t, s))

	// Several blocks of one identity go together, and are replaced together.
	first, second := a, a
	first.Trials, second.Trials = a.Trials[:5], a.Trials[5:]
	put(t, s, blocksOf(t, first, second)...)
	require.Equal(t, contents(blocksOf(t, first, second, b, c)...), load(t, s))
	put(t, s, a.block(t))
	require.Equal(t, contents(blocksOf(t, a, b, c)...), load(t, s))

	// Another protocol, test or package is another experiment.
	d, e, f := a, a, a
	d.Header.Protocol, e.Header.Pkg, f.Header.Test = "cv runs=2 folds=3 stratified seed=2 v1",
		"example.com/other", "TestOther"
	put(t, s, blocksOf(t, d, e, f)...)
	require.Equal(t, contents(blocksOf(t, a, b, c, d, e, f)...), load(t, s))
}

func TestPutKeepsTheRest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a, b, c := sampleSet("a", 1, 2, "x"), sampleSet("b", 1, 2, "x"), sampleSet("c", 1, 2, "x")
	odd := func(s set) string {
		return strings.ReplaceAll(textOf(t, s), " 1 0.", "  1  0.") + "\n\nPASS\n"
	}
	before := "goos: linux\n\n" + odd(a) + textOf(t, b) + "\n\n" + odd(c)
	require.NoError(t, os.WriteFile(path, []byte(before), 0o600))
	require.NoError(t, Merge(path, b.block(t)))
	got := fileText(t, path)
	for _, kept := range []string{"goos: linux\n\n" + odd(a), odd(c), textOf(t, b)} {
		require.Equal(t, 1, strings.Count(got, kept))
	}
	require.Equal(t, 3, strings.Count(got, "learnbench-format"))
}

func TestPutIntoADirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("iris/x y", 1, 2, "c45", "nb").clone()
	s := newStore(t, dir)
	require.NoError(t, s.CheckDestination())
	f, err := s.load()
	require.NoError(t, err)
	require.Empty(t, f.Blocks())
	first, second := a, a
	first.Trials, second.Trials = a.Trials[:5], a.Trials[5:]
	r := put(t, s, first.block(t), b.block(t), second.block(t))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	require.Regexp(t, `^iris-x-y\.TestForest\.[0-9a-f]{12}\.txt$`, entries[0].Name())
	require.Regexp(t, `^vehicle\.TestForest\.[0-9a-f]{12}\.txt$`, entries[1].Name())
	require.Equal(t, textOf(t, first, second), fileText(t, filepath.Join(dir, entries[1].Name())))
	require.Equal(t, contents(blocksOf(t, b, first, second)...), load(t, s))
	// There is nothing to extend: the file of the experiment is written anew.
	_, ok, err := s.Extend(r, a.block(t))
	require.NoError(t, err)
	require.False(t, ok)
	b.Trials[0].Values[0] = 0.25
	before := fileText(t, filepath.Join(dir, entries[1].Name()))
	put(t, s, b.block(t))
	require.Equal(t, before, fileText(t, filepath.Join(dir, entries[1].Name())))
	require.Equal(t, contents(blocksOf(t, b, first, second)...), load(t, s))
	_, err = s.Put()
	require.ErrorIs(t, err, record.ErrInvalid)
	missing := newStore(t, dir)
	missing.path = filepath.Join(dir, "none")
	_, err = missing.Put(a.block(t))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = missing.load()
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// Identities that differ only in characters that are replaced, or behind where a
// name is cut, have files of their own.
func TestFileNamesAreUnique(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 60)
	seen := make(map[string]record.Identity)
	for _, id := range []record.Identity{
		{Data: "a b"},
		{Data: "a-b"},
		{Data: "a/b"},
		{Data: "a\xffb"},
		{Data: "a\ufffdb"},
		{Data: `a\xffb`},
		{Data: "a", Test: "b"},
		{Test: "b", Data: "a."},
		{Pkg: "a"},
		{Pkg: "b"},
		{Protocol: "a"},
		{},
		{Data: long},
		{Data: long + "y"},
		{Data: `a" "b`},
		{Data: "A b"},
	} {
		name := fileName(id)
		require.NotContains(t, seen, strings.ToLower(name), "%v and %v", id, seen[name])
		seen[strings.ToLower(name)] = id
		require.Regexp(t, `^[A-Za-z0-9-]{0,40}\.?[A-Za-z0-9-]{0,40}\.?[0-9a-f]{12}\.txt$`, name)
		require.Equal(t, name, fileName(id))
	}
	require.Regexp(t, `^[0-9a-f]{12}\.txt$`, fileName(record.Identity{}))
	require.Regexp(t, `^azAZ09-\.[0-9a-f]{12}\.txt$`, fileName(record.Identity{Data: "azAZ09_"}))
	require.Regexp(t, `^-------\.[0-9a-f]{12}\.txt$`, fileName(record.Identity{Data: "`{@[/:é"}))
}

func TestExtend(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a, other := sampleSet("vehicle", 4, 3, "c45"), sampleSet("iris", 1, 2, "c45")
	part := func(from, to int) *record.Block {
		s := a
		s.Trials = a.Trials[from:to]
		return s.block(t)
	}
	s := newStore(t, path)
	_, ok, err := s.Extend(Receipt{}, part(0, 3))
	require.NoError(t, err)
	require.False(t, ok, "nothing is stored")
	require.NoFileExists(t, path)
	r := put(t, s, part(0, 3))
	put(t, s, other.block(t))
	r, ok, err = s.Extend(r, part(3, 6))
	require.NoError(t, err)
	require.True(t, ok)
	next, ok, err := s.Extend(r, part(6, 9))
	require.NoError(t, err)
	require.True(t, ok)
	want := contents(part(0, 3), other.block(t), part(3, 6), part(6, 9))
	require.Equal(t, want, load(t, s))
	_, ok, err = s.Extend(r, part(9, 12)) // which is not of all that is there
	require.NoError(t, err)
	require.False(t, ok)
	_, ok, err = s.Extend(Receipt{}, part(9, 12))
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, want, load(t, s))
	// Another process has replaced it.
	put(t, newStore(t, path), part(0, 12))
	_, ok, err = s.Extend(next, part(9, 12))
	require.NoError(t, err)
	require.False(t, ok)
	bad := part(0, 3)
	bad.Header.Protocol = ""
	_, ok, err = s.Extend(next, bad)
	require.ErrorIs(t, err, record.ErrInvalid)
	require.False(t, ok)
	require.Equal(t, contents(part(0, 12), other.block(t)), load(t, s))
}

func TestPutLeavesTheFileOnError(t *testing.T) {
	t.Parallel()
	good := sampleSet("vehicle", 2, 3, "c45")
	full := textOf(t, good)
	invalid := good.block(t)
	invalid.Header.DataDigest = "x"
	otherUnit := sampleSet("iris", 2, 3, "c45").clone()
	otherUnit.Units = []unit.Unit{{Name: "accuracy", Better: unit.Lower, Max: 1}}
	for name, c := range map[string]struct {
		content string
		blocks  []*record.Block
		kind    error
		msg     string
	}{
		"not a result file": {
			"hello\n",
			[]*record.Block{good.block(t)},
			nil,
			`is not a result file, and will not be changed: line 1 is "hello"`,
		},
		"a file of version 1": {
			"learnbench-format: 1\n",
			[]*record.Block{good.block(t)},
			nil,
			"version 1 of the format is no longer read",
		},
		"truncated": {full[:len(full)-1], []*record.Block{good.block(t)}, nil, "newline"},
		"truncated in its head": {
			"learnbench-form",
			[]*record.Block{good.block(t)},
			nil,
			"is not a result file: the file is truncated",
		},
		"without a data set": {
			strings.Replace(full, "Data: vehicle\n", "", 1),
			[]*record.Block{good.block(t)},
			nil, "the block has no key Data",
		},
		"with a damaged head": {
			strings.Replace(full, "commit", "garbage", 1),
			[]*record.Block{good.block(t)},
			nil, `unknown key "garbage"`,
		},
		"invalid block": {full, []*record.Block{invalid}, record.ErrInvalid, "data-sha256"},
		"no blocks":     {full, nil, record.ErrInvalid, "no blocks"},
		"unit declared twice": {
			full,
			[]*record.Block{good.block(t), otherUnit.block(t)},
			record.ErrInvalid, `unit "accuracy" is declared as`,
		},
		"invalid, no file": {"", []*record.Block{invalid}, record.ErrInvalid, "data-sha256"},
		"one of two is invalid": {
			full,
			[]*record.Block{good.block(t), invalid},
			record.ErrInvalid,
			"data-sha256",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f.txt")
			if c.content != "" {
				require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
			}
			err := Merge(path, c.blocks...)
			require.Error(t, err)
			if c.kind != nil {
				require.ErrorIs(t, err, c.kind)
			}
			require.ErrorContains(t, err, c.msg)
			if c.content != "" {
				require.Equal(t, c.content, fileText(t, path))
			} else {
				require.NoFileExists(t, path)
			}
		})
	}
}

func TestLoadOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	s := newStore(t, path)
	for range 2 {
		f, err := s.load()
		require.NoError(t, err)
		require.Empty(t, f.Blocks())
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	require.NoError(t, os.WriteFile(path, []byte("x\n"), 0o600))
	_, err := s.load()
	requireError[*record.SyntaxError](t, err)
}

// Two stores of one path see what the other has written.
func TestTwoStoresOfOnePath(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a, b := newStore(t, path), newStore(t, path)
	for i := range 8 {
		s := sampleSet(fmt.Sprintf("data%d", i/2), 1, 2, "x")
		s.Header.Commit = fmt.Sprint(i)
		put(t, []*Store{a, b}[i%2], s.block(t))
	}
	got := load(t, a)
	require.Len(t, got, 4)
	for i, s := range got {
		require.Equal(t, fmt.Sprint(2*i+1), s.Header.Commit)
	}
}

func TestPutByManyAtOnce(t *testing.T) {
	t.Parallel()
	for _, directory := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "f.txt")
		if directory {
			path = filepath.Dir(path)
		}
		const n = 16
		shared := newStore(t, path)
		errs := make([]error, 2*n)
		var wg sync.WaitGroup
		for i := range errs {
			block := sampleBlock(t, fmt.Sprintf("data%02d", i%n), 2, 3, "c45")
			wg.Go(func() {
				if i < n {
					_, errs[i] = shared.Put(block)
				} else {
					errs[i] = Merge(path, block)
				}
			})
		}
		wg.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		f, err := record.Open(path)
		require.NoError(t, err)
		require.Len(t, f.Blocks(), n)
		require.NoError(t, f.Check())
	}
}

// A file that a killed writer leaves is refused by readers, and repaired by the next writer.
func TestStoreRepairsInterruptedWrites(t *testing.T) {
	t.Parallel()
	one, two, again := textOf(t, sampleSet("a", 1, 2, "x")), textOf(t, sampleSet("b", 1, 2, "x")),
		sampleSet("a", 1, 2, "x")
	again.Header.Commit = "new"
	fresh := textOf(t, again)
	state := func(c string, text string) string { return c + text[1:] }
	want := func(sets ...set) []set { return contents(blocksOf(t, sets...)...) }
	a, b, added := sampleSet("a", 1, 2, "x"), sampleSet("b", 1, 2, "x"), sampleSet("c", 1, 2, "x")
	for name, c := range map[string]struct {
		text   string
		unread bool
		want   []set
	}{
		"pending":             {one + "\n" + state("L", two), true, want(a, added)},
		"pending and cut off": {one + "\n" + state("L", two)[:300], true, want(a, added)},
		"pending alone":       {state("L", one), true, want(added)},
		"replaced, but not yet in place": {
			state("R", one) + two + "\n" + state("L", fresh), true,
			want(b, again, added),
		},
		"replaced": {
			state("R", one) + two + "\n" + fresh, true,
			want(b, again, added),
		},
		"in order": {one + two, false, want(a, b, added)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f.txt")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			_, err := record.Open(path)
			if c.unread {
				require.ErrorIs(t, err, record.ErrUnfinished)
				require.Contains(t, requireError[*record.SyntaxError](t, err).Msg,
					"run again what writes this file, and it will be put in order")
			} else {
				require.NoError(t, err)
			}
			s := newStore(t, path)
			require.NoError(t, s.CheckDestination())
			none, err := s.Before(added.Header.Identity()) // which puts it in order, too
			require.NoError(t, err)
			require.Nil(t, none)
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			s = newStore(t, path)
			put(t, s, added.block(t))
			require.Equal(t, c.want, load(t, s))
		})
	}
}

func TestKeysOfHeads(t *testing.T) {
	t.Parallel()
	s := sampleSet("a b", 1, 1, "x")
	s.Header.Test = "Test\n\"x\""
	b := s.block(t)
	full := text(t, b)
	head := full[:strings.Index(full, "Benchmark")]
	got, err := keyOfHead([]byte(head))
	require.NoError(t, err)
	require.Equal(t, key(b.Header.Identity()), got)
	for _, text := range []string{
		"", "garbage\n", "learnbench-format: 2\n", "L" + head[1:],
		"learnbench-format: 2\nData: a", head + head,
	} {
		_, err := keyOfHead([]byte(text))
		require.Error(t, err, text)
	}
}

func TestNewStoreUsesTheMarkerOfTheFormat(t *testing.T) {
	t.Parallel()
	full := textOf(t, sampleSet("a", 1, 1, "x"))
	for c, want := range map[string]blockfile.State{
		"l": blockfile.Live, "L": blockfile.Pending,
		"R": blockfile.Retired, "x": blockfile.None,
	} {
		require.Equal(t, want, fileFormat.State([]byte(c+full[1:])))
		_, err := record.Read(strings.NewReader(c+full[1:]), "f.txt")
		require.Equal(t, want == blockfile.Pending || want == blockfile.Retired,
			errors.Is(err, record.ErrUnfinished))
	}
}

// Adding another block does not write the checksum of an edited one anew.
func TestStoreDoesNotLaunderEdits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	edited := strings.Replace(textOf(t, sampleSet("vehicle", 1, 2, "a")), " 0.4666666666666667 ",
		" 0.9666666666666667 ", 1)
	require.NoError(t, os.WriteFile(path, []byte(edited), 0o600))
	require.NoError(t, Merge(path, sampleBlock(t, "iris", 1, 2, "a")))
	require.True(t, strings.HasPrefix(fileText(t, path), edited))
	_, err := record.Open(path)
	require.ErrorIs(t, err, record.ErrChecksum)
	require.NoError(t, Merge(path, sampleBlock(t, "vehicle", 1, 2, "a")))
	_, err = record.Open(path)
	require.NoError(t, err)
}
