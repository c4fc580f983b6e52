package learntest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

// A test whose baseline is of other data says of which, from where, and whether rows were added
// only.
func TestStaleBaselinesAreTold(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "baseline.txt")
	cfg := Config{Protocol: split.CV(2, 5), IgnoreGroups: true, Results: Results{
		Pkg: "p", Test: "T",
		Commit: "c0ffee", Reproduce: "go test p",
	}}
	t.Setenv(envUpdate, "force")
	AgainstWith(newRecorder(t), cfg, numbers(60), guesser("forest"), path)
	t.Setenv(envUpdate, "")
	old, err := numbers(60).Digest()
	require.NoError(t, err)

	tell := func(data Data[int, bool]) (gotest.Stale, string) {
		r := newRecorder(t)
		AgainstWith(r, cfg, data, guesser("forest"), path)
		s, err := gotest.ParseStale(r.attrs[gotest.StaleKey])
		require.NoError(t, err, r.fatal)
		return s, r.fatal
	}
	more := numbers(70)
	s, text := tell(more)
	is, err := more.Digest()
	require.NoError(t, err)
	wd, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, gotest.Stale{
		Dir: wd, Path: path, Learner: "forest", Data: "numbers", Protocol: split.CV(2, 5).String(),
		Pkg: "p", Test: "T", Commit: "c0ffee", Was: old, Is: is, Before: 60, Examples: 70, Kept: true,
	}, s)
	require.Regexp(t, `; the first 60 examples are unchanged; learnbench refresh -reason TEXT p -run '\^T\$' trains the learner of its commit on these data, and writes it anew$`, text)

	changed := numbers(70)
	changed.xs[3]++
	s, text = tell(changed)
	require.False(t, s.Kept)
	require.NotContains(t, text, "the first 60")
	fewer := numbers(50)
	s, text = tell(fewer)
	require.False(t, s.Kept)
	require.Contains(t, text, "10 examples fewer")
	versioned := numbers(70).WithDigest(is[:63] + "0")
	s, _ = tell(versioned)
	require.False(t, s.Kept, "nobody knows what such a digest is of")

	// Groups count.
	groups := make([]string, 70)
	for i := range groups {
		groups[i] = string(rune(0x100 + i))
	}
	s, _ = tell(more.WithGroups(groups))
	require.False(t, s.Kept)

	r := newRecorder(t)
	AgainstWith(r, cfg, numbers(60), guesser("forest"), path)
	require.Empty(t, r.fatal)
	require.NotContains(t, r.attrs, gotest.StaleKey)
}

// Sets of structs and of rows of tables have files.
func TestFilesOfData(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "churn.csv")
	require.NoError(t, os.WriteFile(path, []byte("x,churned\n1,true\n2,false\n3,true\n"), 0o666))
	type customer struct {
		X       int  `csv:"x"`
		Churned bool `csv:"churned,label"`
	}
	structs, err := CSV[customer, bool](path)
	require.NoError(t, err)
	require.Equal(t, []string{path}, filesOf(structs))
	require.Equal(t, []string{path}, filesOf(structs.WithGroups([]string{"a", "b", "c"})))
	table, err := dataset.Open(path, dataset.ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, []string{path}, filesOf[dataset.Row, int](table))
	part := Examples("part", []dataset.Row{table.Example(0), table.Example(1)},
		[]int{table.Label(0), table.Label(1)})
	require.Equal(t, []string{path}, filesOf(part))
	require.Empty(t, filesOf(numbers(10)))
}
