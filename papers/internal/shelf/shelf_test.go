package shelf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

func TestDerivedDataSets(t *testing.T) {
	t.Parallel()
	two, err := Glass2(uci.Glass())
	require.NoError(t, err)
	counts := make([]int, 2)
	for i := range two.Len() {
		counts[two.Class(i)]++
	}
	require.Equal(t, []int{70 + 17, 76}, counts)
	require.Equal(t, uci.Glass().NumAttributes(), two.NumAttributes())
	require.Equal(t, uci.Glass().Numbers(0)[:3], two.Numbers(0)[:3])
	_, err = Glass2(uci.Iris())
	require.ErrorContains(t, err, "its first classes are")

	zoo, err := Without("animal")(uci.Zoo())
	require.NoError(t, err)
	require.Equal(t, 17, zoo.NumAttributes())
	require.Equal(t, "hair", zoo.Attribute(0).Name)
	require.Equal(t, uci.Zoo().Class(7), zoo.Class(7))

	wave, err := Waveform21(uci.Sonar())
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
	s, err := Open(lab.Config{Data: dir}, []Set{
		{Name: "iris"},
		{Name: "flower", File: "iris"},
		{Name: "autos"},
		{Name: "labor"},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"autos"}, s.Missing)
	require.Len(t, s.Sets, 3)
	require.Equal(t, 4, s.Sets[0].Data.NumAttributes(), "from the file")
	require.Equal(t, "flower", s.Sets[1].Name)
	require.Equal(t, s.Sets[0].id, s.Sets[1].id)
	require.Equal(t, 57, s.Sets[2].Data.Len(), "built in")
	require.NotEqual(t, s.Sets[0].id, s.Sets[2].id)
	require.Contains(t, s.Note(4), "3 of the 4 data sets")
	require.Contains(t, s.Note(4), "no file of autos.")

	_, err = Open(lab.Config{Data: filepath.Join(dir, "none")}, []Set{{Name: "anneal"}})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open(lab.Config{Data: t.TempDir()}, []Set{{Name: "anneal"}})
	require.ErrorIs(t, err, lab.ErrConfig)
	require.ErrorContains(t, err, "has none of the files anneal.arff, ...")

	write(t, dir, "labor", mustDrop(t, uci.Labor()))
	_, err = Open(lab.Config{Data: dir}, []Set{{Name: "labor"}})
	require.EqualError(t, err, "data set labor: its last attribute is not a nominal class")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "zoo.arff"),
		[]byte("@relation zoo\n@data\n1,2\n"), 0o666))
	_, err = Open(lab.Config{Data: dir}, []Set{{Name: "zoo"}})
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

// Score finds the scores of learntest.Run with the documented seeds, in the same places.
func TestScoresAreThoseOfRun(t *testing.T) {
	t.Parallel()
	s, err := Open(lab.Config{}, []Set{{Name: "labor"}, {Name: "zoo"}})
	require.NoError(t, err)
	ps := []Partitioning{{split.CV(2, 3), 2}, {split.Subsample(4, 0.9), 3}}
	cfg, err := lab.Config{Seed: 3, Parallel: 3}.WithDefaults()
	require.NoError(t, err)
	seeded := func() learner.Classifier { return c45.New(c45.Config{Pruning: c45.CostComplexity}) }
	subjects := []lab.Subject{lab.Classified(seeded, true), lab.Tree()}
	found, err := s.Score(t.Context(), cfg, ps, subjects)
	require.NoError(t, err)
	learners := []learntest.Learner[dataset.Row, int]{
		learntest.FromClassifier(seeded()),
		learntest.FromClassifier(lab.NewTree()),
	}
	for i, set := range s.Sets {
		for p := range ps {
			require.Len(t, found[i][p], ps[p].Parts)
			for part := range ps[p].Parts {
				protocol := ps[p].Protocol.WithSeed(uint64(2001 + part))
				f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{set.Data}, learners,
					learntest.Config{Protocol: protocol})
				require.NoError(t, err)
				want, err := lab.NewPool(f, set.Data.Name(), learners[0].Name, learners[1].Name)
				require.NoError(t, err)
				require.Equal(t, want.All, found[i].Differences(p, part, 0, 1, protocol.Runs()))
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
