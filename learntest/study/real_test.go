package study

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/papers"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shelves returns the built-in data sets of the papers, and all of them if they are
// somewhere.
func shelves(t *testing.T, wanted []realSet) map[string]shelf {
	t.Helper()
	dirs := map[string]string{"built in": ""}
	if shared := os.Getenv("LEARNBENCH_SHARED"); shared != "" {
		dirs["files"] = filepath.Join(shared, "data")
	}
	all := make(map[string]shelf)
	for name, dir := range dirs {
		s, err := openShelf(Config{Data: dir}, wanted)
		require.NoError(t, err)
		all[name] = s
	}
	return all
}

// The data sets are those that the papers describe.
func TestDataSetsAreThoseOfThePapers(t *testing.T) {
	t.Parallel()
	printed := papers.Open("bf-table1")
	for name, s := range shelves(t, bfSets()) {
		want := 27
		if name == "built in" {
			want = 14
		}
		require.Len(t, s.sets, want)
		require.Len(t, s.missing, 27-want)
		for _, set := range s.sets {
			require.Equal(t, printed.Int("instances", set.name), set.table.Len(), set.name)
			classes := make(map[int]bool)
			for i := range set.table.Len() {
				classes[set.table.Class(i)] = true
			}
			require.Len(t, classes, printed.Int("classes", set.name), set.name)
			// The class counts as an attribute in some rows.
			n := printed.Int("attributes", set.name)
			require.Contains(t, []int{n, n + 1}, set.table.NumAttributes(), set.name)
		}
	}
	sizes := papers.Open("bb-table1")
	for name, s := range shelves(t, bbSets()) {
		want := 23
		if name == "built in" {
			want = 16
		}
		require.Len(t, s.sets, want)
		for _, set := range s.sets {
			row, err := printedRow(sizes, 1, set.name)
			require.NoError(t, err)
			if set.name == "hypothyroid" { // another version of it
				require.Equal(t, 3772, set.table.Len())
				continue
			}
			require.Equal(t, sizes.Int("size", row...), set.table.Len(), set.name)
		}
	}
}

func TestDerivedDataSets(t *testing.T) {
	t.Parallel()
	two, err := glass2(uci.Glass())
	require.NoError(t, err)
	counts := make([]int, 2)
	for i := range two.Len() {
		counts[two.Class(i)]++
	}
	require.Equal(t, []int{70 + 17, 76}, counts)
	require.Equal(t, uci.Glass().NumAttributes(), two.NumAttributes())
	require.Equal(t, uci.Glass().Numbers(0)[:3], two.Numbers(0)[:3])
	_, err = glass2(uci.Iris())
	require.ErrorContains(t, err, "its first classes are")

	zoo, err := without("animal")(uci.Zoo())
	require.NoError(t, err)
	require.Equal(t, 17, zoo.NumAttributes())
	require.Equal(t, "hair", zoo.Attribute(0).Name)
	require.Equal(t, uci.Zoo().Class(7), zoo.Class(7))

	wave, err := waveform21(uci.Sonar())
	require.NoError(t, err)
	require.Equal(t, 22, wave.NumAttributes())
	require.Equal(t, 21, wave.ClassIndex())
}

func TestShelfReadsADirectory(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, dir, name string, table *dataset.Table) {
		t.Helper()
		f, err := os.Create(filepath.Join(dir, name+".arff"))
		require.NoError(t, err)
		require.NoError(t, dataset.WriteARFF(f, table))
		require.NoError(t, f.Close())
	}
	dir := t.TempDir()
	iris, err := attributes(uci.Iris(), "iris", func(j int) bool { return j != 1 })
	require.NoError(t, err)
	write(t, dir, "iris", iris)
	s, err := openShelf(Config{Data: dir}, []realSet{{name: "iris"}, {name: "flower", file: "iris"}, {name: "autos"}, {name: "labor"}})
	require.NoError(t, err)
	require.Equal(t, []string{"autos"}, s.missing)
	require.Len(t, s.sets, 3)
	require.Equal(t, 4, s.sets[0].table.NumAttributes(), "from the file")
	require.Equal(t, "flower", s.sets[1].name)
	require.Equal(t, s.sets[0].id, s.sets[1].id)
	require.Equal(t, 57, s.sets[2].table.Len(), "built in")
	require.NotEqual(t, s.sets[0].id, s.sets[2].id)
	require.Contains(t, s.note(4), "3 of the 4 data sets")
	require.Contains(t, s.note(4), "no file of autos.")

	_, err = openShelf(Config{Data: filepath.Join(dir, "none")}, bfSets())
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = openShelf(Config{Data: t.TempDir()}, bfSets())
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorContains(t, err, "has none of the files anneal.arff, ...")

	write(t, dir, "labor", mustDrop(t, uci.Labor()))
	_, err = openShelf(Config{Data: dir}, []realSet{{name: "labor"}})
	require.EqualError(t, err, "data set labor: its last attribute is not a nominal class")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "zoo.arff"), []byte("@relation zoo\n@data\n1,2\n"), 0o666))
	_, err = openShelf(Config{Data: dir}, []realSet{{name: "zoo"}})
	require.ErrorContains(t, err, "zoo.arff:")
}

// mustDrop returns a table that ends with a numeric attribute.
func mustDrop(t *testing.T, table *dataset.Table) *dataset.Table {
	t.Helper()
	var cols []dataset.Column
	for j := range table.NumAttributes() {
		if table.Attribute(j).Kind == dataset.Numeric {
			cols = append(cols, dataset.Column{Attribute: table.Attribute(j), Numbers: table.Numbers(j)})
		}
	}
	dropped, err := dataset.New("labor", cols, len(cols)-1, nil)
	require.NoError(t, err)
	return dropped
}

// What is scored is what learntest.Run finds with the seeds that are said to be used, and
// in the same places.
func TestScoresAreThoseOfRun(t *testing.T) {
	t.Parallel()
	s, err := openShelf(Config{}, []realSet{{name: "labor"}, {name: "zoo"}})
	require.NoError(t, err)
	ps := []partitioning{{split.CV(2, 3), 2}, {split.Subsample(4, 0.9), 3}}
	cfg, err := Config{Seed: 3, Parallel: 3}.withDefaults()
	require.NoError(t, err)
	subjects := []subject{bbSubjects[0].of(), treeSubject()}
	found, err := s.score(t.Context(), cfg, ps, subjects)
	require.NoError(t, err)
	var learners []learntest.Learner[dataset.Row, int]
	for _, of := range subjects {
		learners = append(learners, learntest.Classifier(of.bind().(*classifierScorer).classifier))
	}
	for i, set := range s.sets {
		for p := range ps {
			require.Len(t, found[i][p], ps[p].parts)
			for part := range ps[p].parts {
				protocol := ps[p].protocol.WithSeed(uint64(2001 + part))
				f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{set.table}, learners, learntest.Config{Protocol: protocol})
				require.NoError(t, err)
				want, err := newPool(f, set.table.Name(), learners[0].Name, learners[1].Name)
				require.NoError(t, err)
				require.Equal(t, want.all, found[i].differences(p, part, 0, 1, protocol.Runs()))
			}
		}
	}
}

func TestPartsOfStudiesHaveSeedsOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := make(map[uint64]bool)
	for seed := uint64(1); seed < 5; seed++ {
		for part := range 100 {
			require.False(t, seen[partSeed(seed, part)])
			seen[partSeed(seed, part)] = true
		}
	}
	require.Equal(t, uint64(1), partSeed(1, 0))
}

// small are the reports of the small studies of real data, made once.
var smallStudies = map[string]func() (*Report, error){
	"bf": sync.OnceValues(func() (*Report, error) { return smallStudy("bf", Config{Parallel: 2}) }),
	"bb": sync.OnceValues(func() (*Report, error) { return smallStudy("bb", Config{Parallel: 2}) }),
}

func smallStudy(name string, cfg Config) (*Report, error) {
	s, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	cfg.Small = true
	return s.Run(context.Background(), cfg)
}

// table returns the table of a report whose title contains the text.
func table(t *testing.T, r *Report, title string) *Table {
	t.Helper()
	i := slices.IndexFunc(r.Tables, func(table Table) bool { return strings.Contains(table.Title, title) })
	require.GreaterOrEqual(t, i, 0, title)
	return &r.Tables[i]
}

// Each part of a paper is a study of its own, with the same tables as in the study of all,
// and neither the store nor the number of goroutines changes them.
func TestPartsOfPapersAreStudies(t *testing.T) {
	t.Parallel()
	for _, part := range []struct {
		all, name string
		store     bool
	}{{"bf", "bf1", false}, {"bf", "bf3", true}, {"bb", "bb4", true}} {
		whole, err := smallStudies[part.all]()
		require.NoError(t, err)
		cfgs := []Config{{Parallel: 1}}
		if part.store { // the second one finds what the first one has stored
			path := filepath.Join(t.TempDir(), "scores")
			cfgs = []Config{{Parallel: 1, Store: path}, {Parallel: 3, Store: path}}
		}
		for _, cfg := range cfgs {
			got, err := smallStudy(part.name, cfg)
			require.NoError(t, err)
			for _, want := range got.Tables {
				if !strings.Contains(want.Title, "near their print") {
					require.Equal(t, *table(t, whole, want.Title), want)
				}
			}
		}
	}
}

func TestStudiesOfRealDataAreListed(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields("bf1 bf2 bf3 bf4 bf-text bf bb1 bb2 bb3 bb4 bb-groups bb-partitions bb-combinations bb-fig1 bb-fig2 bb-fig3 bb-fig4 bb-fig5 bb") {
		s, err := Lookup(name)
		require.NoError(t, err)
		assert.True(t, s.Data, name)
		_, err = s.Run(t.Context(), Config{Sets: 3})
		require.ErrorIs(t, err, ErrConfig, name)
	}
	for _, s := range All() {
		if !s.Data {
			_, err := s.Run(t.Context(), Config{Data: t.TempDir()})
			require.ErrorIs(t, err, ErrConfig, s.Name)
			require.ErrorContains(t, err, s.Name+" reads no directory of data sets")
		}
	}
}

// A study that is interrupted stops, and goes on from what it has stored.
func TestStudyOfRealDataGoesOn(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "scores")
	s, err := Lookup("bf1")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = s.Run(ctx, Config{Small: true, Store: store, Progress: func(done, total int) {
		assert.Equal(t, 30, total)
		if done == 7 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	before, err := os.ReadFile(store)
	require.NoError(t, err)
	got, err := s.Run(t.Context(), Config{Small: true, Store: store})
	require.NoError(t, err)
	after, err := os.ReadFile(store)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after[:len(before)]))
	whole, err := smallStudies["bf"]()
	require.NoError(t, err)
	require.Equal(t, whole.Tables[0], got.Tables[0])
}

// The tests of a repeat are those of stat, on partitions that can be made again by their
// seed.
func TestDrawsAreThoseOfTheTest(t *testing.T) {
	t.Parallel()
	r, err := smallStudies["bf"]()
	require.NoError(t, err)
	draws := 0
	for part := range repeats {
		f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{uci.Labor()},
			[]learntest.Learner[dataset.Row, int]{learntest.Classifier(newBayes()), learntest.Classifier(newTree())},
			learntest.Config{Protocol: split.FiveByTwo().WithSeed(uint64(part + 1))})
		require.NoError(t, err)
		p, err := newPool(f, uci.Labor().Name(), newBayes().Name(), newTree().Name())
		require.NoError(t, err)
		result, err := stat.FiveByTwoTTest(p.all, stat.TwoSided)
		require.NoError(t, err)
		draws += index(result.P > 0.05)
	}
	require.Equal(t, float64(draws), table(t, r, "table 1: draws").number(t, "NB vs C4.5", "labor"))
}
