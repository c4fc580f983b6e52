package learntest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/canonical"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// twice are a hundred examples, each of them twice, whose labels are the toss of a coin.
func twice() *ExampleSet[[2]float64, bool] {
	r := rand.New(rand.NewPCG(1, 2))
	var xs [][2]float64
	var ys []bool
	for range 100 {
		x, y := [2]float64{r.Float64(), r.Float64()}, r.IntN(2) == 0
		xs, ys = append(xs, x, x), append(ys, y, y)
	}
	return Examples("twice", xs, ys)
}

// remembers predicts the label of an equal training example.
func remembers() Learner[[2]float64, bool] {
	return Func("remembers", func(_ context.Context, train Sample[[2]float64, bool],
		_ uint64,
	) (func([2]float64) bool, error) {
		known := make(map[[2]float64]bool)
		for x, y := range train.All() {
			known[x] = y
		}
		return func(x [2]float64) bool { return known[x] }, nil
	})
}

func no() Learner[[2]float64, bool] {
	return Pretrained("no",
		func([2]float64) bool { return false })
}

// Verdicts on trials that ran, on stored results and on shards give the share of the partitions.
func TestCopiesAreStored(t *testing.T) {
	dir := t.TempDir()
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: filepath.Join(dir, "all.txt")}}
	found, err := FindCopies(twice(), cfg.Protocol)
	require.NoError(t, err)
	assert.Equal(t, split.Copies{Examples: 200, Sets: 100, Reachable: 1, Share: found.Share},
		counts(found))
	want := fmt.Sprintf("%.4g%% of test examples have a copy in training",
		math.Round(1000*found.Share)/10)
	var h record.Header
	h.SetCopies(found.Share)
	require.NotEmpty(t, h.Copies)

	v := CompareWith(newRecorder(t), cfg, twice(), remembers(), no()).Judge(verdict.Claim{})
	require.Contains(t, v.String(), "\n  data           twice, "+want+", sha256 ")
	require.ErrorContains(t, v.MostlyCopies(), want)
	same := func(f *record.File) {
		t.Helper()
		assert.Equal(t, h.Copies, f.Blocks()[0].Header.Copies)
		assert.Equal(t, v.String(), judged(f, "twice", "remembers", "no",
			verdict.Claim{}).String())
	}
	same(open(t, cfg.Results.Out))

	// So do results of a run that was interrupted and resumed.
	resumed := cfg
	resumed.Parallel, resumed.Results.Out = 1, filepath.Join(dir, "resumed.txt")
	data, learners := []Data[[2]float64, bool]{twice()}, []Learner[[2]float64, bool]{remembers(), no()}
	for _, trials := range []int{1, 7} { // the second one interrupts the resumed run
		interruptAfter(t, trials, data, learners, resumed)
		forget(resumed.Results.Out)
		resumed.Results.Resume = true
	}
	c := CompareWith(newRecorder(t), resumed, data[0], learners[0], learners[1])
	assert.Equal(t, v.String(), c.Judge(verdict.Claim{}).String())
	same(open(t, resumed.Results.Out))
	var shards []string
	for k := range 3 {
		s := cfg
		s.Results.Out, s.Results.Shard = filepath.Join(dir, string(rune('a'+k))+".txt"),
			split.Shard{Index: k + 1, Count: 3}
		r := newRecorder(t)
		CompareWith(r, s, twice(), remembers(), no())
		r.end()
		shard, err := record.Open(s.Results.Out)
		require.NoError(t, err)
		assert.Equal(t, h.Copies, shard.Blocks()[0].Header.Copies)
		shards = append(shards, s.Results.Out)
	}
	all, err := record.Open(shards...)
	require.NoError(t, err)
	union, err := record.Union(all.Blocks()...)
	require.NoError(t, err)
	same(record.NewFile(union))

	cfg.Results = Results{In: shards}
	judged := CompareWith(newRecorder(t), cfg, twice(), remembers(), no())
	taken := judged.Judge(verdict.Claim{})
	require.NoError(t, taken.Err)
	assert.ErrorContains(t, taken.MostlyCopies(), want)
}

// A baseline that was stored, with the share or before there was one, does not hide it.
func TestCopiesAgainstABaseline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	t.Setenv(envUpdate, "1")
	t.Setenv("CI", "")
	Against(newRecorder(t), twice(), remembers(), path)
	t.Setenv(envUpdate, "")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^Copies: 0\.9\d*$`, string(text))
	for _, stored := range []func(h *record.Header){
		func(*record.Header) {},
		func(h *record.Header) { h.Copies = "" },
	} {
		f := open(t, path)
		stored(&f.Blocks()[0].Header)
		var out strings.Builder
		require.NoError(t, record.Write(&out, f.Blocks()[0]))
		require.NoError(t, os.WriteFile(path, []byte(out.String()), 0o666))
		v := Against(newRecorder(t), twice(), remembers(), path).Judge(verdict.Claim{})
		require.NoError(t, v.Err)
		assert.ErrorContains(t, v.MostlyCopies(), "% of test examples have a copy in training")
	}
}

// The share in the header comes of comparing all examples, for data and protocols of many kinds.
func TestFindCopies(t *testing.T) {
	t.Parallel()
	vote, err := FindCopies(uci.Vote(), split.Protocol{})
	require.NoError(t, err)
	assert.Equal(t, split.Copies{Examples: 131, Sets: 38, Reachable: 1, Share: vote.Share},
		counts(vote))
	assert.InDelta(t, 0.295, vote.Share, 0.0005)

	// Labels do not count in classes, and tell of no accuracy in numbers.
	xs := []int{1, 1, 2, 2, 3, 4, 5, 6}
	c, err := FindCopies(Examples("c", xs, []bool{true, false, true, true, false, false, true, true}),
		split.LeaveOneOut())
	require.NoError(t, err)
	assert.Equal(t, split.Copies{Examples: 4, Sets: 2, Contradicting: 1, Reachable: 0.875, Share: 0.5},
		counts(c))
	c, err = FindCopies(Examples("c", xs, []float64{1, 2, 3, 3, 5, 6, 7, 8}), split.LeaveOneOut())
	require.NoError(t, err)
	assert.Equal(t, split.Copies{Examples: 4, Sets: 2, Contradicting: 1, Reachable: 1, Share: 0.5},
		counts(c))

	// Data with groups have the protocol of a comparison.
	few := twice()
	names := make([]string, few.Len())
	for i := range names {
		names[i] = fmt.Sprint("house ", i%20)
	}
	c, err = FindCopies(few.WithGroups(names), split.Protocol{})
	require.NoError(t, err)
	b := mustRun(t, few.WithGroups(names), Config{}, no())
	require.Equal(t, "groups runs=10 folds=10 unstratified seed=1 v1", b.Header.Protocol)
	var h record.Header
	h.SetCopies(c.Share)
	assert.Equal(t, h.Copies, b.Header.Copies)

	_, err = FindCopies(Examples("f", []func(){nil, func() {}},
		[]bool{true, false}).WithDigest(strings.Repeat("a", 64)), split.LeaveOneOut())
	require.ErrorIs(t, err, canonical.Err)
	_, err = FindCopies(Examples("few", []int{1, 2}, []bool{true, false}), split.Protocol{})
	require.ErrorIs(t, err, split.ErrTooFew)
	_, err = FindCopies(visits(3), split.Protocol{})
	require.ErrorIs(t, err, dataset.ErrUnusable)
}

// Examples that cannot be compared are run as before.
func TestCopiesThatNobodyCanFind(t *testing.T) {
	t.Parallel()
	fs := make([]func() int, 20)
	ys := make([]bool, len(fs))
	for i := range fs {
		fs[i], ys[i] = func() int { return i }, i%2 == 0
	}
	data := Examples("functions", fs, ys).WithDigest(strings.Repeat("a", 64))
	b := mustRun(t, data, Config{Protocol: split.CV(1, 2)},
		Pretrained("even", func(f func() int) bool { return f()%2 == 0 }))
	assert.Empty(t, b.Header.Copies)
}

// togetherOf returns the groups that keep equal examples together, whatever the partitions.
func togetherOf[X any, Y comparable](data Data[X, Y]) ([]string, error) {
	c, err := FindCopies(data, split.LeaveOneOut())
	return c.Groups, err
}

// counts returns copies without what each example has.
func counts(c split.Copies) split.Copies {
	c.Plan, c.Groups = nil, nil
	return c
}

// Groups of duplicates leave none in training, of any data.
func TestDuplicateGroups(t *testing.T) {
	t.Parallel()
	groups, err := togetherOf(twice())
	require.NoError(t, err)
	c, err := FindCopies(twice().WithGroups(groups), split.Protocol{})
	require.NoError(t, err)
	assert.Equal(t, split.Copies{Examples: 200, Sets: 100, Reachable: 1}, counts(c))
	v := Compare(newRecorder(t), twice().WithGroups(groups), remembers(),
		no()).Judge(verdict.Claim{Kind: verdict.Improves})
	assert.Equal(t, "groups runs=10 folds=10 unstratified seed=1 v1", v.CandidateHeader.Protocol)
	assert.False(t, v.Holds)
	assert.NotContains(t, v.String(), "copy")

	vote, err := togetherOf(uci.Vote())
	require.NoError(t, err)
	table, err := uci.Vote().WithGroups("copies", vote)
	require.NoError(t, err)
	again, err := FindCopies(table, split.Protocol{})
	require.NoError(t, err)
	assert.Zero(t, again.Share)
	assert.Equal(t, 131, again.Examples, "and the rows are still equal")
	once, err := togetherOf(table)
	require.NoError(t, err)
	assert.Equal(t, vote, once)

	_, err = togetherOf(Examples("few", []int{1}, []bool{}))
	require.ErrorIs(t, err, dataset.ErrUnusable)
}

// Groups that are there are joined where they have equal examples: persons 0 and 1 have a visit in
// common, so have 1 and 2.
func TestDuplicateGroupsOfGroups(t *testing.T) {
	t.Parallel()
	type visit struct {
		Person string
		Weight float64
	}
	xs := []visit{{"p", 1}, {"p", 2}, {"q", 2}, {"q", 3}, {"r", 3}, {"s", 5}, {"s", 5}, {"t", 6}}
	ys, names := make([]bool, len(xs)), make([]string, len(xs))
	for i, x := range xs {
		ys[i], names[i] = i%2 == 0, x.Person
	}
	groups, err := togetherOf(Examples("visits", xs, ys).WithGroups(names))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"example 0", "example 0", "example 2", "example 2", "example 4",
		"example 5", "example 5", "example 7",
	}, groups,
		"a person in the example is a field as others are")
	weights := make([]float64, len(xs))
	for i, x := range xs {
		weights[i] = x.Weight
	}
	groups, err = togetherOf(Examples("visits", weights, ys).WithGroups(names))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"example 0", "example 0", "example 0", "example 0", "example 0",
		"example 5", "example 5", "example 7",
	}, groups)

	// The field of the group that a file has does not count, whatever type it is of; nor does the
	// label.
	type read struct {
		Person int     `csv:"person,group"`
		Weight float64 `csv:"weight"`
		Ill    bool    `csv:"ill,label"`
	}
	path := filepath.Join(t.TempDir(), "visits.csv")
	require.NoError(t, os.WriteFile(path,
		[]byte("person,weight,ill\n07,1,true\n7,2,false\n8,2,true\n9,4,true\n"), 0o666))
	data, err := CSV[read, bool](path)
	require.NoError(t, err)
	groups, err = togetherOf(data)
	require.NoError(t, err)
	assert.Equal(t, []string{"example 0", "example 1", "example 1", "example 3"}, groups)
	c, err := FindCopies(data.WithGroups(groups), split.LeaveOneOut())
	require.NoError(t, err)
	assert.Equal(t, split.Copies{Examples: 2, Sets: 1, Contradicting: 1, Reachable: 0.75, Share: 0.5},
		counts(c))
}

// Joined groups keep all given groups and all equal examples together.
func TestDuplicateGroupsKeepAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		xs := rapid.SliceOfN(rapid.SampledFrom([]float64{
			0, math.Copysign(0, -1), math.NaN(), 1, 2, 3, 4,
			5, 6, 7,
		}), n, n).Draw(t, "xs")
		ys := make([]bool, n)
		ys[0] = true
		data := Examples("any", xs, ys)
		if rapid.Bool().Draw(t, "grouped") {
			data = data.WithGroups(rapid.SliceOfN(rapid.SampledFrom([]string{
				"a", "b", "c", "d", "e", "f",
				"g",
			}), n, n).Draw(t, "groups"))
		}
		groups, err := togetherOf(data)
		require.NoError(t, err)
		for i := range n {
			for j := range i {
				equal := xs[i] == xs[j] || math.IsNaN(xs[i]) && math.IsNaN(xs[j])
				if equal || data.Groups() != nil && data.Groups()[i] == data.Groups()[j] {
					require.Equal(t, groups[j], groups[i])
				}
			}
		}
		if c, err := FindCopies(data.WithGroups(groups), split.Groups(1, 2)); err == nil {
			require.Zero(t, c.Share)
		}
	})
}
