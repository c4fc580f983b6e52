package blockfile

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestModel compares files with a map, over random writes by several Files and
// by programs that only append. No two write at the same time: only slow runs take locks.
func TestModel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprintf("f%d.txt", n))
		small := rapid.SampledFrom([]int64{0, 3000, smallFile}).Draw(rt, "small")
		open := func() *File {
			f, err := New(path, testFormat)
			require.NoError(rt, err)
			f.sys, f.small = &faulty{killAt: -1, alone: !citest.Has(citest.Slow)}, small
			return f
		}
		files := []*File{open(), open()}
		model := make(map[string][]string)
		version := 0
		draw := func() Block {
			version++
			return blockOf(rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "key"), version,
				rapid.IntRange(0, 900).Draw(rt, "length"))
		}
		type receipt struct {
			Receipt
			texts map[string][]string
		}
		receipts := []receipt{{}}
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(rt *rapid.T) {
				var blocks []Block
				texts := make(map[string][]string)
				for range rapid.IntRange(1, 3).Draw(rt, "blocks") {
					b := draw()
					blocks = append(blocks, b)
					texts[b.Key] = append(texts[b.Key], string(b.Text))
				}
				r, err := rapid.SampledFrom(files).Draw(rt, "file").Put(blocks...)
				require.NoError(rt, err)
				maps.Copy(model, texts)
				receipts = append(receipts, receipt{r, texts})
			},
			"extend": func(rt *rapid.T) {
				b := draw()
				r := rapid.SampledFrom(receipts[max(0, len(receipts)-3):]).Draw(rt, "receipt")
				have, ok := r.texts[b.Key]
				want := ok && slices.Equal(have, model[b.Key])
				after, ok, err := rapid.SampledFrom(files).Draw(rt, "file").Extend(r.Receipt, b)
				require.NoError(rt, err)
				require.Equal(rt, want, ok)
				if ok {
					model[b.Key] = append(slices.Clip(model[b.Key]), string(b.Text))
					texts := maps.Clone(r.texts)
					texts[b.Key] = model[b.Key]
					receipts = append(receipts, receipt{after, texts})
				}
			},
			"reopen": func(rt *rapid.T) {
				files[rapid.IntRange(0, 1).Draw(rt, "file")] = open()
			},
			"append from outside": func(rt *rapid.T) {
				b := draw()
				f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
				require.NoError(rt, err)
				_, err = f.Write(b.Text)
				require.NoError(rt, err)
				require.NoError(rt, f.Close())
				model[b.Key] = append(slices.Clip(model[b.Key]), string(b.Text))
			},
			"": func(rt *rapid.T) {
				data, err := os.ReadFile(path)
				if os.IsNotExist(err) {
					require.Empty(rt, model)
					return
				}
				require.NoError(rt, err)
				got, err := parse(string(data))
				require.NoError(rt, err)
				want := make(map[string]string)
				for key, texts := range model {
					want[key] = stored(texts...)
				}
				require.Equal(rt, want, got.keys)
			},
		})
	})
}

func TestManyGoroutines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	files := []*File{newFile(t, path), newFile(t, path)}
	for _, f := range files {
		f.sys, f.small = osSystem{}, 20000
	}
	rounds := 3
	if citest.Has(citest.Slow) {
		rounds = 6
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			key := fmt.Sprintf("g%d", g)
			for i := range rounds {
				r, err := files[(g+i)%2].Put(blockOf(key, 10*i, 500))
				if err != nil {
					t.Error(err)
					return
				}
				if _, ok, err := files[g%2].Extend(r, blockOf(key, 10*i+1, 100)); err != nil || !ok {
					t.Error(ok, err)
				}
			}
		})
	}
	wg.Wait()
	c := contentOf(t, path)
	require.Len(t, c.keys, 16)
	last := 10 * (rounds - 1)
	for key, got := range c.keys {
		require.Equal(t, stored(textOf(key, last, 500), textOf(key, last+1, 100)), got)
	}
	if runtime.GOOS != "windows" {
		requireAlone(t, path)
	}
}

const childVariable = "BLOCKFILE_TEST_CHILD"

// TestMain is also the child process of TestKilledProcesses: it writes until it
// is killed, and says after each write which one it was.
func TestMain(m *testing.M) {
	child, ok := os.LookupEnv(childVariable)
	if !ok {
		os.Exit(m.Run())
	}
	path, key, _ := strings.Cut(child, "|")
	f, err := New(path, testFormat)
	if err == nil {
		f.small = 3000
		for i := 0; err == nil; i++ {
			if _, err = f.Put(blockOf(key, i, 700), blockOf(key+"+", i, 50)); err == nil {
				fmt.Println(i)
			}
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestKilledProcesses(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	if runtime.GOOS == "windows" {
		t.Skip("files that a killed process had open cannot be removed at once")
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "f.txt")
	put(t, newFile(t, path), blockOf("first", 1, 500))
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	acked := make(map[string]int)
	for round := range rounds {
		outs := make([]*bytes.Buffer, 4)
		errs := make([]*bytes.Buffer, 4)
		cmds := make([]*exec.Cmd, 4)
		key := func(i int) string { return fmt.Sprintf("r%d-%d", round%3, i) }
		for i := range cmds {
			cmds[i] = exec.Command(exe)
			cmds[i].Env = append(os.Environ(), childVariable+"="+path+"|"+key(i))
			outs[i], errs[i] = new(bytes.Buffer), new(bytes.Buffer)
			cmds[i].Stdout, cmds[i].Stderr = outs[i], errs[i]
			require.NoError(t, cmds[i].Start())
		}
		var wg sync.WaitGroup
		for _, cmd := range cmds {
			wait := time.Duration(20+rand.IntN(80)) * time.Millisecond
			wg.Go(func() {
				time.Sleep(wait)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			})
		}
		wg.Wait()
		for i := range cmds {
			require.Empty(t, errs[i].String())
			last := -1
			for lines := bufio.NewScanner(outs[i]); lines.Scan(); {
				last++
				require.Equal(t, fmt.Sprint(last), lines.Text())
			}
			if last >= 0 {
				acked[key(i)] = last
			}
		}
		put(t, newFile(t, path), blockOf("probe", round, 10))
		c := contentOf(t, path)
		require.Equal(t, stored(textOf("first", 1, 500)), c.keys["first"])
		for key, i := range acked {
			// The write that was killed may be there, or not.
			var have int
			found := false
			for _, have = range []int{i, i + 1, 0} {
				if c.keys[key] == stored(textOf(key, have, 700)) {
					found = true
					break
				}
			}
			require.True(t, found, "round %d: %s: write %d is lost:\n%s", round, key, i, c.keys[key])
			require.Equal(t, stored(textOf(key+"+", have, 50)), c.keys[key+"+"], "round %d: %s in part",
				round, key)
		}
	}
	require.NotEmpty(t, acked)
}

// FuzzPut takes any bytes for a file: Put fails and leaves it, or keeps all
// blocks but those with its key.
func FuzzPut(f *testing.F) {
	a, b := textOf("a", 1, 50), textOf("b", 1, 50)
	for _, seed := range []string{
		"", "\n", a, a + "\n" + b, "lead\n" + a, b + "R" + a[1:], a + "\n\nL" + b[1:],
		a + "R" + b[1:] + "\nL" + b[1:], a + b[:40],
		a + "\n\nLear", a + strings.Repeat("\n", 18) + "t: \n\n" + b, a + "\n\x00\x00", "text\n",
		"learnbench-format: 1\n", a + "\n\nR\n",
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	path := filepath.Join(f.TempDir(), "f.txt")
	f.Fuzz(func(t *testing.T, data []byte, small bool) {
		require.NoError(t, os.WriteFile(path, data, 0o666))
		file := newFile(t, path)
		if !small {
			file.small = 0
		}
		_, err := file.Put(blockOf("a", 7, 10))
		after := read(t, path)
		before, perr := parse(string(data))
		if err != nil {
			if !damaged(data) {
				require.Equal(t, string(data), after)
			}
			require.NotContains(t, after, textOf("a", 7, 10))
			return
		}
		got, err := parse(after)
		require.NoError(t, err)
		require.Equal(t, stored(textOf("a", 7, 10)), got.keys["a"])
		if damaged(data) {
			return
		}
		require.NoError(t, perr)
		before.keys["a"] = got.keys["a"]
		require.Equal(t, before, got)
	})
}

// damaged reports whether a file may be what an interrupted write leaves.
func damaged(data []byte) bool {
	for line := range strings.Lines(string(data)) {
		text, terminated := strings.CutSuffix(line, "\n")
		if s := testFormat.State([]byte(line)); s == Pending || s == Retired ||
			strings.HasPrefix(line, "\x00") ||
			text != "" && strings.HasSuffix(testFormat.Marker, text) || !terminated &&
			strings.HasPrefix("Learnbench-format: ", text) {
			return true
		}
	}
	return false
}
