package filecache

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("FILECACHE_VICTIM"); dir != "" {
		useForever(dir)
	}
	os.Exit(m.Run())
}

var (
	owner = Sum("owner")
	other = Sum("other")
	key   = Sum("key")
)

func get(t *testing.T, d Dir, owner, key string) (contents []string) {
	t.Helper()
	found, damaged := d.Get(owner, key)
	require.Empty(t, damaged)
	for _, c := range found {
		contents = append(contents, string(c))
	}
	return contents
}

func TestContents(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "cache")
	d := New(path, 1<<20)
	require.False(t, d.Has(owner))
	require.Empty(t, get(t, d, owner, key))
	require.NoError(t, d.Drop(owner))
	require.NoError(t, d.Put(owner, key, []byte("one")))
	require.NoError(t, d.Put(owner, key, []byte("one")))
	require.NoError(t, d.Put(owner, key, []byte("two")))
	require.NoError(t, d.Put(owner, Sum("another"), []byte("three")))
	require.NoError(t, d.Put(other, key, []byte("four")))
	d = New(path, 1<<20)
	assert.ElementsMatch(t, []string{"one", "two"}, get(t, d, owner, key))
	assert.Equal(t, []string{"three"}, get(t, d, owner, Sum("another")))
	assert.Equal(t, []string{"four"}, get(t, d, other, key))
	assert.Empty(t, get(t, d, other, Sum("another")))
	require.NoError(t, d.Drop(owner))
	assert.False(t, d.Has(owner))
	assert.True(t, d.Has(other))
	assert.Empty(t, get(t, d, owner, key))
	assert.Equal(t, []string{"four"}, get(t, d, other, key))
}

// No two lists of texts have one sum.
func TestSum(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, texts := range [][]string{
		{},
		{""},
		{"", ""},
		{"a", "b"},
		{"ab"},
		{"a\nb"},
		{"a\"", "b"},
		{"b", "a"},
		{`a"\n"b`},
	} {
		assert.False(t, seen[Sum(texts...)], "%q", texts)
		seen[Sum(texts...)] = true
	}
}

// A file that does not have what its name says is no content, and goes.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(dir, path string) error{
		"torn":    func(_, path string) error { return os.Truncate(path, 1) },
		"empty":   func(_, path string) error { return os.Truncate(path, 0) },
		"longer":  func(_, path string) error { return os.WriteFile(path, []byte("one\n"), 0o666) },
		"changed": func(_, path string) error { return os.WriteFile(path, []byte("onf"), 0o666) },
		"of another key": func(dir, path string) error {
			return os.Rename(path, filepath.Join(dir, key+"-"+sum(owner, other, []byte("one"))))
		},
		"of another owner": func(dir, path string) error {
			return os.Rename(path, filepath.Join(dir, key+"-"+sum(other, key, []byte("one"))))
		},
		"no sum": func(dir, path string) error {
			return os.Rename(path,
				filepath.Join(dir, key+"-"))
		},
		"a directory": func(dir, path string) error {
			return os.Rename(path,
				filepath.Join(dir, "x"))
		},
		"a link to nowhere": func(dir, path string) error {
			return os.Rename(path,
				filepath.Join(dir, "x"))
		},
		"a directory of one": func(dir, path string) error {
			return os.Rename(path,
				filepath.Join(dir, "x"))
		},
	} {
		d := New(t.TempDir(), 1<<20)
		require.NoError(t, d.Put(owner, key, []byte("one")))
		require.NoError(t, d.Put(owner, key, []byte("two")))
		dir := filepath.Join(d.path, owner)
		path := filepath.Join(dir, key+"-"+sum(owner, key, []byte("one")))
		require.NoError(t, damage(dir, path))
		switch name {
		case "a directory":
			require.NoError(t, os.Mkdir(path, 0o777))
		case "a link to nowhere":
			require.NoError(t, os.Symlink(path+".none", path))
		case "a directory of one":
			require.NoError(t, os.MkdirAll(filepath.Join(path, "x"), 0o777))
		}
		found, damaged := d.Get(owner, key)
		assert.Equal(t, [][]byte{[]byte("two")}, found, name)
		if name == "a link to nowhere" { // as if it had just gone
			assert.Empty(t, damaged)
			continue
		}
		assert.Len(t, damaged, 1, name)
		assert.Equal(t, []string{"two"}, get(t, d, owner, key), name)
	}
}

// The contents that nobody has used for longest go first, and nothing goes that is not of the
// cache.
func TestSizeIsBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := New(dir, 10*100)
	content := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 100) }
	keyOf := func(i int) string { return Sum(strconv.Itoa(i)) }
	foreign := []string{
		filepath.Join(dir, "notes.txt"), filepath.Join(d.path, "notes.txt"),
		filepath.Join(d.path, owner, "notes.txt"), filepath.Join(d.path, "notes", "notes.txt"),
	}
	for _, path := range foreign {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, make([]byte, 5000), 0o666))
	}
	past := time.Now().Add(-24 * time.Hour)
	for i := range 10 {
		of := []string{owner, other}[i%2]
		require.NoError(t, d.Put(of, keyOf(i), content(i)))
		then := past.Add(time.Duration(i) * time.Minute)
		require.NoError(t, os.Chtimes(filepath.Join(d.path, of, keyOf(i)+"-"+sum(of, keyOf(i),
			content(i))), then, then))
	}
	require.Len(t, get(t, d, owner, keyOf(0)), 1) // which uses it
	left := filepath.Join(d.path, owner, temporary+"1")
	require.NoError(t, os.WriteFile(left, content(0), 0o666))
	require.NoError(t, os.Chtimes(left, past, past))
	writing := filepath.Join(d.path, owner, temporary+"2")
	require.NoError(t, os.WriteFile(writing, content(0), 0o666))
	for i := 10; i < 13; i++ {
		require.NoError(t, d.Put(owner, keyOf(i), content(i)))
	}
	for i := range 13 {
		found, _ := d.Get([]string{owner, other}[i%2], keyOf(i))
		if i >= 10 {
			found, _ = d.Get(owner, keyOf(i))
		}
		assert.Equal(t, i == 0 || i > 3, len(found) == 1, i)
	}
	for _, path := range foreign {
		assert.FileExists(t, path)
	}
	assert.NoFileExists(t, left, "a process was killed, a day ago")
	assert.FileExists(t, writing, "another process writes it")

	require.NoError(t, d.Put(owner, key, make([]byte, 2000)))
	assert.Empty(t, get(t, d, owner, key), "larger than the cache")
}

func TestDirectoryThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	d := New(path, 1<<20)
	require.Error(t, d.Put(owner, key, []byte("one")))
	found, _ := d.Get(owner, key)
	require.Empty(t, found)
}

// use writes, reads, drops and trims, and panics if a content is not what somebody has written.
func use(d Dir, r *rand.Rand) {
	n := r.IntN(8)
	of, k := []string{owner, other}[n%2], Sum(strconv.Itoa(n))
	if r.IntN(50) == 0 {
		_ = d.Drop(of)
	}
	// A directory may go meanwhile: then nothing is kept.
	_ = d.Put(of, k, bytes.Repeat([]byte{byte('0' + n)}, 1+r.IntN(50_000)))
	found, damaged := d.Get(of, k)
	for _, content := range found {
		if strings.Trim(string(content), strconv.Itoa(n)) != "" || len(content) == 0 {
			panic(fmt.Sprintf("%d has %.20q", n, content))
		}
	}
	for _, err := range damaged {
		if !os.IsNotExist(err) {
			panic(err)
		}
	}
}

func useForever(dir string) {
	d, r := New(dir, 400_000), rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for {
		use(d, r)
	}
}

// TestManyWriters finds a content that is read before it is written to its end within a few rounds;
// that a file goes while it is read or counted is rarer.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	d, rounds := New(t.TempDir(), 400_000), 25
	if citest.Has(citest.Slow) {
		rounds = 200
	}
	var all sync.WaitGroup
	for i := range uint64(8) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(i, 2))
			for range rounds {
				use(d, r)
			}
		})
	}
	all.Wait()
}

// TestKilledWritersLeaveNoHarm kills two processes again and again, 200 times in all.
func TestKilledWritersLeaveNoHarm(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	if runtime.GOOS == "windows" {
		t.Skip("files that a killed process had open cannot be removed at once")
	}
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	for range 100 {
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				cmd := exec.CommandContext(context.WithoutCancel(t.Context()), self)
				cmd.Env = append(os.Environ(), "FILECACHE_VICTIM="+dir)
				var text bytes.Buffer
				cmd.Stderr = &text
				if !assert.NoError(t, cmd.Start()) {
					return
				}
				time.Sleep(time.Duration(10+rand.IntN(60)) * time.Millisecond)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				assert.Equal(t, -1, cmd.ProcessState.ExitCode(), text.String())
			})
		}
		all.Wait()
	}
	d := New(dir, 400_000)
	whole := 0
	for n := range 8 {
		whole += len(get(t, d, []string{owner, other}[n%2], Sum(strconv.Itoa(n))))
	}
	assert.Positive(t, whole)

	// What the dead have left goes in time.
	left, err := filepath.Glob(filepath.Join(dir, version, "*", temporary+"*"))
	require.NoError(t, err)
	past := time.Now().Add(-2 * time.Hour)
	for _, path := range left {
		require.NoError(t, os.Chtimes(path, past, past))
	}
	require.NoError(t, d.Put(owner, key, []byte("one")))
	left, err = filepath.Glob(filepath.Join(dir, version, "*", temporary+"*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
