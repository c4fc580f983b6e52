package blockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
)

// A scenario is a file, and a write that is interrupted.
type scenario struct {
	name  string
	small int64
	start func(t *testing.T, f *File) // fills the file
	act   func(f *File) error
	after map[string]string // the blocks that the write changes; none: it adds nothing
	multi bool              // several blocks in one append
}

const lead = "# results of the night\nPASS\n"

func withLead(t *testing.T, f *File) {
	t.Helper()
	require.NoError(t, os.WriteFile(f.path, []byte(lead+"\n"+textOf("a", 1, 300)), 0o666))
	put(t, f, blockOf("b", 1, 900))
	put(t, f, blockOf("c", 1, 200))
	r := put(t, f, blockOf("d", 1, 700))
	_, ok, err := f.Extend(r, blockOf("d", 2, 100))
	require.NoError(t, err)
	require.True(t, ok)
}

// stored returns what parse makes of texts of one key.
func stored(texts ...string) string {
	return strings.Join(texts, "|\n") + "|\n"
}

func putting(blocks ...Block) func(*File) error {
	return func(f *File) error {
		_, err := f.Put(blocks...)
		return err
	}
}

func scenarios() []scenario {
	var receipt Receipt
	one := func(key string, version, n int) map[string]string {
		return map[string]string{key: stored(textOf(key, version, n))}
	}
	three := map[string]string{
		"b": stored(textOf("b", 2, 500)), "d": stored(textOf("d", 3, 2000), textOf("d", 4, 20)),
		"n": stored(textOf("n", 1, 10)),
	}
	replacing := putting(blockOf("d", 3, 2000), blockOf("b", 2, 500), blockOf("d", 4, 20),
		blockOf("n", 1, 10))
	return []scenario{
		{name: "create", act: putting(blockOf("a", 1, 900)), after: one("a", 1, 900)},
		{name: "append to empty", start: func(t *testing.T, f *File) {
			require.NoError(t, os.WriteFile(f.path, nil, 0o666))
		}, act: putting(blockOf("a", 1, 100)), after: one("a", 1, 100)},
		{name: "append", start: withLead, act: putting(blockOf("n", 1, 1800)), after: one("n", 1, 1800)},
		{
			name: "replace in small", small: smallFile, start: withLead, act: putting(blockOf("b", 2, 400)),
			after: one("b", 2, 400),
		},
		{
			name: "replace in large", start: withLead, act: putting(blockOf("b", 2, 400)),
			after: one("b", 2, 400),
		},
		{
			name: "replace first and only", start: func(t *testing.T,
				f *File,
			) {
				put(t, f, blockOf("a", 1, 700))
			},
			act: putting(blockOf("a", 2, 700)), after: one("a", 2, 700),
		},
		{
			name: "replace several in small", small: smallFile, start: withLead, act: replacing,
			after: three, multi: true,
		},
		{name: "replace several in large", start: withLead, act: replacing, after: three, multi: true},
		{name: "compact", start: func(t *testing.T, f *File) {
			withLead(t, f)
			f.small = 10
			for i := range 3 {
				put(t, f, blockOf("big", i, 900))
			}
			f.small = 0
		}, act: putting(blockOf("big", 9, 3000)), after: one("big", 9, 3000)},
		{name: "extend", start: func(t *testing.T, f *File) {
			withLead(t, f)
			receipt = put(t, f, blockOf("e", 1, 300))
		}, act: func(f *File) error {
			_, ok, err := f.Extend(receipt, blockOf("e", 2, 300))
			if err == nil && !ok {
				return fmt.Errorf("not extended")
			}
			return err
		}, after: map[string]string{"e": stored(textOf("e", 1, 300), textOf("e", 2, 300))}},
	}
}

// files returns all files of a directory, and restore makes them again.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(data)
	}
	return all
}

func restore(t testing.TB, dir string, all map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if _, ok := all[e.Name()]; !ok {
			require.NoError(t, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	for name, data := range all {
		overwrite(t, filepath.Join(dir, name), data)
	}
}

// overwrite writes a file in place if there is one: creating it takes ten times as long.
func overwrite(t testing.TB, path, data string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Create(path)
	}
	require.NoError(t, err)
	require.NoError(t, f.Truncate(int64(len(data))))
	_, err = f.WriteAt([]byte(data), 0)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// A crash is a scenario that is set up: it can be run and interrupted often.
type crash struct {
	scenario
	dir, path     string
	begin         map[string]string
	before, wants content
	locks         bool
}

func setUp(t *testing.T, s scenario) *crash {
	t.Helper()
	c := &crash{scenario: s, dir: t.TempDir()}
	c.path = filepath.Join(c.dir, "results.txt")
	if s.start != nil {
		s.start(t, c.file(t, &faulty{killAt: -1}))
		c.before = contentOf(t, c.path)
	} else {
		c.before = content{keys: map[string]string{}}
	}
	c.begin = files(t, c.dir)
	c.wants = content{lead: c.before.lead, keys: maps.Clone(c.before.keys)}
	maps.Copy(c.wants.keys, s.after)
	require.NotEqual(t, c.before, c.wants)
	return c
}

// file returns a File. Its lock file, which a kill leaves too, costs half of the time: only slow
// runs take it, and TestFailedWriteIsTakenBack.
func (c *crash) file(t *testing.T, sys *faulty) *File {
	t.Helper()
	sys.alone = !c.locks && !citest.Has(citest.Slow)
	f := newFile(t, c.path)
	f.sys, f.small = sys, c.small
	return f
}

// check writes another block, and checks that the interrupted write is there
// as a whole or not at all.
func (c *crash) check(t *testing.T, acked bool, hint string) {
	t.Helper()
	raw := files(t, c.dir)
	f := c.file(t, &faulty{killAt: -1})
	_, err := f.Put(blockOf("probe", 1, 30))
	require.NoError(t, err, "%s\n%q", hint, raw)
	got := contentOf(t, c.path)
	require.Equal(t, stored(textOf("probe", 1, 30)), got.keys["probe"], hint)
	delete(got.keys, "probe")
	if acked || !maps.Equal(c.before.keys, got.keys) {
		require.Equal(t, c.wants, got, "%s\n%q", hint, raw)
	} else {
		require.Equal(t, c.before, got, "%s\n%q", hint, raw)
	}
	for name := range files(t, c.dir) {
		require.Contains(t, []string{"results.txt", "results.txt.rewrite"}, name)
	}
}

// operations returns how many operations the write has.
func (c *crash) operations(t *testing.T) int {
	t.Helper()
	sys := &faulty{killAt: -1}
	restore(t, c.dir, c.begin)
	require.NoError(t, c.act(c.file(t, sys)))
	c.check(t, true, "no kill")
	return sys.ops
}

var parts = map[string]float64{"0": 0, "1": 2, "half": 0.5, "all but 1": -1}

func TestKillAnywhere(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			c := setUp(t, s)
			n := c.operations(t)
			require.Greater(t, n, 3)
			for kill := range n {
				for name, part := range parts {
					restore(t, c.dir, c.begin)
					sys := &faulty{killAt: kill, part: part}
					acked := c.act(c.file(t, sys)) == nil
					require.True(t, sys.dead)
					left := files(t, c.dir)
					hint := fmt.Sprintf("killed at %d, part %s", kill, name)
					c.check(t, acked, hint)
					if name == "0" && kill > 0 || name == "1" && kill%2 == 0 ||
						kill%4 > 0 && !citest.Has(citest.Slow) {
						continue // there are enough of these
					}
					// Again, now with a recovery that is killed too.
					for again := 0; ; again++ {
						restore(t, c.dir, left)
						sys := &faulty{killAt: again, part: []float64{0.5, 0, -1, 2}[again%4]}
						f := c.file(t, sys)
						_, err := f.Put(blockOf("probe", 1, 30))
						if !sys.dead {
							require.NoError(t, err)
							break
						}
						c.check(t, acked, fmt.Sprintf("%s, then at %d", hint, again))
					}
				}
			}
		})
	}
}

func TestPowerFailureAnywhere(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			c := setUp(t, s)
			n := c.operations(t)
			rounds := 2
			if citest.Has(citest.Slow) {
				rounds = 8
			}
			for kill := range n + 1 {
				for round := range rounds {
					restore(t, c.dir, c.begin)
					rng := rand.New(rand.NewPCG(uint64(kill), uint64(round)))
					sys := &faulty{killAt: kill, part: rng.Float64(), rng: rng, whole: s.multi}
					acked := c.act(c.file(t, sys)) == nil
					sys.powerOff(t, c.path)
					left := files(t, c.dir)
					hint := fmt.Sprintf("power off at %d, round %d", kill, round)
					c.check(t, acked, hint)

					restore(t, c.dir, left)
					again := &faulty{killAt: rng.IntN(8), part: rng.Float64(), rng: rng, whole: s.multi}
					_, err := c.file(t, again).Put(blockOf("probe", 1, 30))
					again.powerOff(t, c.path)
					c.check(t, acked, fmt.Sprintf("%s, then at %d (%v)", hint, again.killAt, err))
				}
			}
		})
	}
}

// TestFailedWriteIsTakenBack lets one operation fail, as a full disk does.
func TestFailedWriteIsTakenBack(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			c := setUp(t, s)
			c.locks = true
			for kill := range c.operations(t) {
				restore(t, c.dir, c.begin)
				sys := &faulty{killAt: kill, part: 0.5, once: true}
				f := c.file(t, sys)
				err := c.act(f)
				hint := fmt.Sprintf("failed at %d: %v", kill, err)
				if err != nil && s.start == nil {
					require.NoFileExists(t, c.path, hint)
				}
				c.check(t, err == nil, hint)
				if err != nil {
					require.ErrorIs(t, err, errDisk)
				}
				_, err = f.Put(blockOf("later", 1, 10))
				require.NoError(t, err, hint)
				require.Contains(t, contentOf(t, c.path).keys, "later")
			}
		})
	}
}
