package blockfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
)

func write2(t testing.TB, path, data string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(data), 0o666))
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func TestPutKeepsTheRestByteForByte(t *testing.T) {
	t.Parallel()
	a, b, c := textOf("a", 1, 50), textOf("b", 1, 50), textOf("c", 1, 50)
	b2, n := textOf("b", 2, 50), textOf("n", 1, 50)
	for _, test := range []struct {
		name, before string
		blocks       []Block
		after        string
	}{
		{"append", "lead\n\n\n" + a + "\n\n" + b, []Block{{"n", []byte(n)}}, "lead\n\n\n" + a + "\n\n" +
			b + "\n" + n},
		{"append behind blank line", a + "\n", []Block{{"n", []byte(n)}}, a + "\n\n" + n},
		{"empty", "", []Block{{"n", []byte(n)}}, n},
		{"blank", "\n", []Block{{"n", []byte(n)}}, "\n\n" + n},
		{"middle", a + b + "\n\n\n" + c + "\n", []Block{{"b", []byte(b2)}}, a + b2 + "\n\n\n" + c + "\n"},
		{"last", a + "\n" + b, []Block{{"b", []byte(b2)}}, a + "\n" + b2},
		{
			"two by one", "lead\n" + b + "\n" + a + "\n\n" + b + "\n" + c,
			[]Block{{"b", []byte(b2)}},
			"lead\n" + b2 + "\n" + a + "\n\n" + c,
		},
		{"two by one, the last", b + "\n" + a + "\n\n\n" + b, []Block{{"b", []byte(b2)}}, b2 + "\n" + a},
		{
			"one by two", a + "\n" + b + "\n" + c,
			[]Block{{"b", []byte(b2)}, {"b", []byte(b)}},
			a + "\n" + b2 + "\n" + b + "\n" + c,
		},
		{
			"replace and append", b + "\n" + a,
			[]Block{{"n", []byte(n)}, {"b", []byte(b2)}},
			b2 + "\n" + a + "\n" + n,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f.txt")
			write2(t, path, test.before)
			put(t, newFile(t, path), test.blocks...)
			require.Equal(t, test.after, read(t, path))
			requireAlone(t, path)
		})
	}
}

func TestPutInLargeFileBlanksInPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	a, b, c := textOf("a", 1, 4000), textOf("b", 1, 50), textOf("c", 1, 50)
	write2(t, path, a+"\n"+b+"\n"+c)
	f := newFile(t, path)
	f.small = 100
	put(t, f, blockOf("b", 2, 70))
	want := a + "\n" + strings.Repeat("\n", len(b)) + "\n" + c + "\n" + textOf("b", 2, 70)
	require.Equal(t, want, read(t, path))
	require.Equal(t, int64(len(b)), f.idx.holes)

	// More than half blank: it is written without the holes.
	put(t, f, blockOf("a", 2, 60))
	got := read(t, path)
	require.NotContains(t, got, "\n\n\n")
	require.Equal(t, c+"\n"+textOf("b", 2, 70)+"\n"+textOf("a", 2, 60), got)
}

func TestPutRefuses(t *testing.T) {
	t.Parallel()
	a := textOf("a", 1, 50)
	for _, test := range []struct {
		name, before string
		block        Block
		is           error
		want         string
	}{
		{"no marker", a, Block{"b", []byte("hello\n")}, ErrBlock, "begins with"},
		{"empty text", a, Block{"b", nil}, ErrBlock, "begins with"},
		{"pending text", a, Block{"b", []byte("L" + textOf("b", 1, 10)[1:])}, ErrBlock, "begins with"},
		{
			"no newline", a,
			Block{"b", []byte(strings.TrimSuffix(textOf("b", 1, 10), "\n"))},
			ErrBlock, "newline",
		},
		{
			"two blocks", a,
			Block{"b", []byte(textOf("b", 1, 10) + textOf("b", 1, 10))},
			ErrBlock,
			"a line within",
		},
		{
			"retired within", a,
			Block{"b", []byte(textOf("b", 1, 10) + "Rearnbench-format: 2\n")},
			ErrBlock,
			"a line within",
		},
		{"zero byte", a, Block{"b", []byte(textOf("b", 1, 10) + "\x00\n")}, ErrBlock, "zero byte"},
		{
			"marker end", a,
			Block{"b", []byte(textOf("b", 1, 10) + strings.Repeat("\n", 17) + "t: \n")},
			ErrBlock, "end of the marker",
		},
		{"other key", a, Block{"b", []byte(textOf("c", 1, 10))}, ErrBlock, `"c"`},
		{"no key", a, Block{"b", []byte("learnbench-format: 2\n")}, ErrBlock, "no test:"},
		{
			"text without blocks", "hello\nworld\n", blockOf("b", 1, 10), ErrNoBlocks,
			"learnbench-format: ",
		},
		{
			"text and a pending block", "hello\n\nLearnbench-format: 2\n", blockOf("b", 1, 10), ErrNoBlocks,
			"f.txt",
		},
		{
			"cut off", a + "\nlearnbench-format: 2\ntest: b\nBenchmarkCV/x 1 0.7", blockOf("b", 1, 10), nil,
			"f.txt:8: the last line",
		},
		{"cut off text", "hello", blockOf("b", 1, 10), ErrNoBlocks, ""},
		{"retired, cut off", "R" + a[1:] + "\n" + a + "x", blockOf("b", 1, 10), nil, "the last line"},
		{
			"foreign version", a + "\nlearnbench-format: 9\ntest: b\n", blockOf("b", 1, 10), nil,
			"f.txt:6: unknown version",
		},
		{
			"zeros before blocks", a + strings.Repeat("\x00", sector-len(a)%sector) + "\n" + a,
			blockOf("b", 1, 10), nil, "f.txt:5: zeros",
		},
		{
			"joined behind a pending block", a + "\nL" + a[1:] + a, blockOf("b", 1, 10), nil,
			"f.txt:10: another file",
		},
		{
			"joined behind a cut off block", a + "\nL" + a[1:60] + a, blockOf("b", 1, 10), nil,
			"f.txt:9: another file",
		},
		{
			"two pending blocks", a + "\nL" + a[1:] + "\nL" + a[1:], blockOf("b", 1, 10), nil,
			"f.txt:11: another file",
		},
		{
			"carried on without key", "R" + a[1:] + "\nLearnbench-format: 2\n", blockOf("b", 1, 10), nil,
			"cannot be completed",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f.txt")
			write2(t, path, test.before)
			f := newFile(t, path)
			_, err := f.Put(test.block)
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, path)
			if test.is != nil {
				require.ErrorIs(t, err, test.is)
			}
			require.Equal(t, test.before, read(t, path))
			requireAlone(t, path)
			_, ok, err := f.Extend(Receipt{[]mark{{key: test.block.Key}}}, test.block)
			require.Error(t, err)
			require.False(t, ok)
			require.Equal(t, test.before, read(t, path))
		})
	}
	_, err := newFile(t, "f.txt").Put()
	require.ErrorIs(t, err, ErrBlock)
}

func TestPathsThatAreNoFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := newFile(t, dir).Put(blockOf("a", 1, 10))
	require.ErrorIs(t, err, ErrNotRegular)
	_, err = newFile(t, filepath.Join(dir, "no", "file")).Put(blockOf("a", 1, 10))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open(filepath.Join(dir, "no"))
	require.ErrorIs(t, err, os.ErrNotExist)
	if runtime.GOOS == "windows" {
		return
	}
	_, err = newFile(t, os.DevNull).Put(blockOf("a", 1, 10))
	require.ErrorIs(t, err, ErrNotRegular)
	_, err = Open(os.DevNull)
	require.ErrorIs(t, err, ErrNotRegular)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "nothing"), link))
	_, err = newFile(t, link).Put(blockOf("a", 1, 10))
	require.ErrorIs(t, err, ErrNotRegular)
	require.ErrorContains(t, err, "link to nothing")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestNewRefusesMarkers(t *testing.T) {
	t.Parallel()
	for _, marker := range []string{
		"", "short: ", "Learnbench-format: ", "record-format: ",
		"learnbench\nformat: ", "1earnbench-format: ",
	} {
		_, err := New("f.txt", Format{Marker: marker, Key: testKey})
		require.ErrorContains(t, err, "marker")
	}
	_, err := New("f.txt", Format{Marker: testFormat.Marker})
	require.ErrorContains(t, err, "Key")
}

func TestState(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]State{
		"learnbench-format: 2": Live, "Learnbench-format: 2": Pending, "Rearnbench-format: 2": Retired,
		"learnbench-format: ": Live, "learnbench-format:": None, "": None, "xearnbench-format: 2": None,
		" learnbench-format: 2": None,
	} {
		require.Equal(t, want, testFormat.State([]byte(line)), line)
	}
}

func TestLinksAndPermissionsStay(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	path := filepath.Join(t.TempDir(), "f.txt")
	write2(t, path, textOf("a", 1, 50))
	require.NoError(t, os.Chmod(path, 0o640))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(path, link))
	f := newFile(t, link)
	put(t, f, blockOf("a", 2, 50))
	put(t, f, blockOf("b", 2, 50))
	info, err := os.Lstat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode())
	require.Equal(t, textOf("a", 2, 50)+"\n"+textOf("b", 2, 50), read(t, path))
	requireAlone(t, path)
	requireAlone(t, link)
}

func TestExtend(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f, other := newFile(t, path), newFile(t, path)
	a1, a2 := blockOf("a", 1, 50), blockOf("a", 2, 50)
	_, ok, err := f.Extend(Receipt{}, a1)
	require.NoError(t, err)
	require.False(t, ok)
	require.NoFileExists(t, path)

	r := put(t, f, a1, blockOf("b", 1, 50))
	put(t, other, blockOf("c", 1, 50))
	r2, ok, err := f.Extend(r, a2)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, stored(textOf("a", 1, 50), textOf("a", 2, 50)), contentOf(t, path).keys["a"])

	// The old receipt is out of date, the new one holds for both keys, also for
	// another File.
	before := read(t, path)
	for range 2 {
		_, ok, err = f.Extend(r, a2)
		require.NoError(t, err)
		require.False(t, ok)
		require.Equal(t, before, read(t, path))
	}
	r3, ok, err := other.Extend(r2, blockOf("b", 2, 50))
	require.NoError(t, err)
	require.True(t, ok)

	// A rewrite does not matter, a block that another has replaced does: be it as
	// long as the old one.
	put(t, other, blockOf("c", 2, 50))
	r3, ok, err = f.Extend(r3, blockOf("a", 3, 50))
	require.NoError(t, err)
	require.True(t, ok)
	put(t, other, blockOf("a", 4, 50))
	_, ok, err = f.Extend(r3, a2)
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, stored(textOf("a", 4, 50)), contentOf(t, path).keys["a"])

	require.NoError(t, os.Remove(path))
	_, ok, err = f.Extend(r3, a2)
	require.NoError(t, err)
	require.False(t, ok)
	require.NoFileExists(t, path)
}

func TestExtendSeesReplacementInPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f, other := newFile(t, path), newFile(t, path)
	f.small, other.small = 0, 0
	put(t, f, blockOf("z", 1, 5000))
	r := put(t, f, blockOf("a", 1, 50))
	put(t, other, blockOf("a", 2, 50))
	_, ok, err := f.Extend(r, blockOf("a", 3, 50))
	require.NoError(t, err)
	require.False(t, ok)
	require.Len(t, f.idx.blocks("a"), 1)
	put(t, f, blockOf("a", 4, 50))
	require.Equal(t, stored(textOf("a", 4, 50)), contentOf(t, path).keys["a"])
}

// TestForeignChanges lets another program change the file between two writes.
func TestForeignChanges(t *testing.T) {
	t.Parallel()
	a, b, c := textOf("a", 1, 300), textOf("b", 1, 300), textOf("c", 1, 300)
	long := textOf("z", 1, 9000)
	more := "BenchmarkCV/data=b/more 1 2 accuracy\n"
	for name, change := range map[string]struct {
		make func(old string) string
		want map[string]string
	}{
		"truncated": {func(string) string { return a }, map[string]string{"a": stored(a)}},
		"emptied":   {func(string) string { return "" }, map[string]string{}},
		"rewritten longer": {
			func(string) string { return c + "\n" + long + "\n" + c },
			map[string]string{"c": stored(c, c), "z": stored(long)},
		},
		"same size": {func(old string) string {
			return strings.ReplaceAll(old, "test: a",
				"test: q")
		}, map[string]string{"q": stored(strings.ReplaceAll(a, "test: a", "test: q"))}},
		"last block longer": {
			func(old string) string { return old + more },
			map[string]string{"a": stored(a), "b": stored(b + more)},
		},
		"blocks appended": {
			func(old string) string { return old + c + "\n" + a },
			map[string]string{"a": stored(a, a), "b": stored(b), "c": stored(c)},
		},
		"edited and appended": {func(old string) string {
			return strings.Replace(old, "0.741176", "0.9",
				1) + c
		}, map[string]string{
			"a": stored(strings.Replace(a, "0.741176", "0.9", 1)), "b": stored(b), "c": stored(c),
		}},
	} {
		for _, key := range []string{"a", "b", "n"} {
			for _, small := range []int64{0, smallFile} {
				t.Run(name+"/"+key, func(t *testing.T) {
					t.Parallel()
					path := filepath.Join(t.TempDir(), "f.txt")
					f := newFile(t, path)
					f.small = small
					put(t, f, Block{"a", []byte(a)})
					put(t, f, Block{"b", []byte(b)})
					file, err := os.OpenFile(path, os.O_RDWR, 0)
					require.NoError(t, err)
					text := change.make(read(t, path))
					require.NoError(t, file.Truncate(int64(len(text))))
					_, err = file.WriteAt([]byte(text), 0)
					require.NoError(t, err)
					require.NoError(t, file.Close())
					f.idx.mtime = f.idx.mtime.Add(-1) // clocks of file systems are coarse

					put(t, f, blockOf(key, 7, 200))
					want := map[string]string{key: stored(textOf(key, 7, 200))}
					for k, v := range change.want {
						if k != key && !(name == "same size" && k == "b") {
							want[k] = v
						}
					}
					if name == "same size" && key != "b" {
						want["b"] = stored(b)
					}
					require.Equal(t, want, contentOf(t, path).keys)
				})
			}
		}
	}
}

func TestRemovedFileIsCreatedAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f := newFile(t, path)
	put(t, f, blockOf("a", 1, 50))
	require.NoError(t, os.Remove(path))
	put(t, f, blockOf("b", 1, 50))
	require.Equal(t, textOf("b", 1, 50), read(t, path))
}

// TestAddingIsLinear counts the bytes that are read.
func TestAddingIsLinear(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	path := filepath.Join(t.TempDir(), "f.txt")
	f, other := newFile(t, path), newFile(t, path)
	f.small = 0
	var written int64
	var r Receipt
	for i := range 200 {
		b := blockOf("k", i, 2000)
		written += int64(len(b.Text)) + 1
		if i == 0 {
			r = put(t, f, b)
			continue
		}
		var ok bool
		var err error
		r, ok, err = f.Extend(r, b)
		require.NoError(t, err)
		require.True(t, ok)
		b = blockOf(string(rune('a'+i%7))+strings.Repeat("x", i), i, 500)
		written += int64(len(b.Text)) + 1
		put(t, other, b)
	}
	require.LessOrEqual(t, f.idx.scanned, written)
	require.LessOrEqual(t, other.idx.scanned, written)

	// Replacing the same block again and again leaves less than half blank, at a cost of a few
	// times the bytes written.
	scanned, live := f.idx.scanned, int64(len(read(t, path)))
	for i := range 200 {
		b := blockOf("again", i, 20000)
		put(t, f, b)
		written += int64(len(b.Text))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.LessOrEqual(t, info.Size(), 2*(live+2*int64(len(b.Text))))
	}
	require.LessOrEqual(t, f.idx.scanned-scanned, 2*written)

	// Nor do two who replace the same block read the rest again each time.
	put(t, f, blockOf("again", 0, 20000))
	other.small = 0
	put(t, other, blockOf("again", 1, 2000))
	scanned = f.idx.scanned + other.idx.scanned
	for i := range 20 {
		put(t, f, blockOf("again", i, 2000))
		put(t, other, blockOf("again", i, 2000))
	}
	require.LessOrEqual(t, f.idx.scanned+other.idx.scanned-scanned, 3*live)
}

func TestBlocksWithoutBenchmarksAndLongLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f := newFile(t, path)
	f.sys = &faulty{killAt: -1, alone: true}
	// Markers at every offset around the end of a chunk.
	head := "learnbench-format: 2\ntest: long\n"
	for i := range 60 {
		text := head + strings.Repeat("x", chunkSize-len(head)+500-i*17) + "\n"
		put(t, f, Block{"long", []byte(text)}, blockOf("b", i, 100))
		fresh := newFile(t, path)
		fresh.sys = f.sys
		put(t, fresh, blockOf("b", i+1, 10))
		require.Equal(t, map[string]string{"long": stored(text), "b": stored(textOf("b", i+1, 10))},
			contentOf(t, path).keys)
		require.NoError(t, os.Remove(path))
	}
}

func TestErrorsOfTheFileSystemComeThrough(t *testing.T) {
	t.Parallel()
	_, err := newFile(t, "\x00").Put(blockOf("a", 1, 10))
	require.Error(t, err)
	_, err = testFormat.scan(failing{}, 0, 10, nil)
	require.ErrorIs(t, err, errDisk)
	_, err = testFormat.scan(strings.NewReader("abc"), 0, 10, nil)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errors.Join(errDisk) }

// TestForeignEditKeepsOtherBlocks moves the border of two blocks.
func TestForeignEditKeepsOtherBlocks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f := newFile(t, path)
	f.small = 0
	a, b, z := textOf("a", 1, 300), textOf("b", 1, 300), textOf("z", 1, 9000)
	r := put(t, f, Block{"a", []byte(a)})
	put(t, f, Block{"b", []byte(b)})
	put(t, f, Block{"z", []byte(z)})
	a2, b2 := strings.Replace(a, "data=a/", "", 1), strings.Replace(b, "data=b/", "data=b/data=b/", 1)
	edited := a2 + "\n" + b2 + "\n" + z
	require.Equal(t, len(read(t, path)), len(edited))
	write2(t, path, edited)
	f.idx.mtime = f.idx.mtime.Add(-1)
	_, ok, err := f.Extend(r, blockOf("a", 2, 10))
	require.NoError(t, err)
	require.False(t, ok)

	// Now behind the back of the index: text is appended too.
	write2(t, path, a+"\n"+b+"\n"+z)
	f.idx.mtime = f.idx.mtime.Add(-1)
	put(t, f, blockOf("y", 1, 10))
	y := textOf("y", 1, 10)
	write2(t, path, edited+"\n"+y+"\n"+y)
	put(t, f, blockOf("a", 2, 10))
	require.Equal(t, map[string]string{
		"a": stored(textOf("a", 2, 10)), "b": stored(b2), "z": stored(z), "y": stored(y, y),
	}, contentOf(t, path).keys)
}

func TestTexts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f := newFile(t, path)
	texts, err := f.Texts("a")
	require.NoError(t, err)
	require.Empty(t, texts)
	require.NoFileExists(t, path)

	a, b, a2 := textOf("a", 1, 50), textOf("b", 1, 60), textOf("a", 2, 70)
	write2(t, path, "lead\n"+a+"\n\n"+b+"\n"+a2+"\n\n")
	for _, f := range []*File{f, newFile(t, path)} {
		texts, err = f.Texts("a")
		require.NoError(t, err)
		require.Equal(t, []string{a, a2}, []string{string(texts[0]), string(texts[1])})
		texts, err = f.Texts("c")
		require.NoError(t, err)
		require.Empty(t, texts)
	}

	// Later blocks of other writers are visible, and blocks that they replaced are not.
	put(t, newFile(t, path), blockOf("a", 3, 55))
	texts, err = f.Texts("a")
	require.NoError(t, err)
	require.Len(t, texts, 1)
	require.Equal(t, textOf("a", 3, 55), string(texts[0]))

	// An interrupted write is put in order.
	write2(t, path, a+"\n"+"L"+textOf("b", 2, 60)[1:30])
	texts, err = f.Texts("b")
	require.NoError(t, err)
	require.Empty(t, texts)
	_, err = newFile(t, t.TempDir()).Texts("a")
	require.ErrorIs(t, err, ErrNotRegular)
}
