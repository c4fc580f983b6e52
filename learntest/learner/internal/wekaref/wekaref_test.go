package wekaref

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
)

func TestEmbeddedReferenceLoads(t *testing.T) {
	t.Parallel()
	names, err := Names(Embedded())
	require.NoError(t, err)
	assert.Equal(t, []string{"breast-cancer", "glass", "iris", "labor", "vote"}, names)
}

func TestEveryReferenceHasItsTableAndItsFiles(t *testing.T) {
	t.Parallel()
	cases, err := Cases()
	require.NoError(t, err)
	for _, c := range cases {
		table, s, err := c.Load()
		require.NoError(t, err)
		folds := 100
		if c.Source.Name == "embedded" {
			folds = 30
		}
		require.Len(t, s.Folds, folds, c)
		checkSet(t, s, table)
		require.Subset(t, s.Learners, []string{NB, J48, IBk, TAN}, c)
		trees, err := s.Text("j48_run1.txt")
		require.NoError(t, err)
		assert.Contains(t, trees, "Size of the tree", c)
	}
	cases, err = Parameters().Cases()
	require.NoError(t, err)
	for _, c := range cases {
		table, s, err := c.Load()
		require.NoError(t, err)
		checkSet(t, s, table)
	}
}

// checkSet checks that a reference fits its table.
func checkSet(t *testing.T, s *Set, table *dataset.Table) {
	t.Helper()
	for _, f := range s.Folds {
		require.Equal(t, table.Len(), len(f.Train)+len(f.Test), "%s: run %d fold %d", s.Name, f.Run, f.Fold)
		for k, row := range f.Test {
			require.Equal(t, table.Class(row), f.Actual[k], "%s: row %d", s.Name, row)
		}
		for _, name := range s.Learners {
			assert.Len(t, f.Predicted[name], len(f.Test), "%s %s", s.Name, name)
			if f.Run == 1 {
				assert.Len(t, f.Distributions[name], len(f.Test), "%s %s", s.Name, name)
			}
		}
	}
}

func TestCasesOfAnEmptySourceAreAnError(t *testing.T) {
	t.Parallel()
	_, err := Source{Name: "empty", FS: fstest.MapFS{}}.Cases()
	assert.ErrorContains(t, err, "the empty reference has no data sets")
}

func TestCaseLoadsItsTableAndReference(t *testing.T) {
	t.Parallel()
	cases, err := Parameters().Cases()
	require.NoError(t, err)
	require.Equal(t, "parameters/breast-cancer", cases[0].String())
	table, s, err := cases[0].Load()
	require.NoError(t, err)
	assert.Equal(t, "breast-cancer", table.Name())
	assert.Equal(t, "breast-cancer", s.Name)
	_, _, err = Case{Parameters(), "nowhere"}.Load()
	assert.ErrorContains(t, err, "nowhere")
}

func TestWeightedKeepsTheRows(t *testing.T) {
	t.Parallel()
	table, err := Weighted(uci.Iris())
	require.NoError(t, err)
	assert.Equal(t, []float64{0.5, 1, 1.5, 0.5}, table.Weights()[:4])
	assert.Equal(t, uci.Iris().Numbers(0), table.Numbers(0))
	assert.Equal(t, uci.Iris().ClassIndex(), table.ClassIndex())
}

func TestNothingIsSharedWithoutADirectory(t *testing.T) {
	t.Setenv(SharedVar, "")
	_, ok := Shared()
	assert.False(t, ok)
	_, err := SharedTable("iris")
	assert.ErrorContains(t, err, SharedVar+" is not set")
	assert.Len(t, Sources(), 1)
}

func TestLoadNamesTheLineThatCannotBe(t *testing.T) {
	t.Parallel()
	good := fstest.MapFS{
		"x/splits.csv":    {Data: []byte("run,fold,train_order,test_order\n1,1,2 3,0 1\n")},
		"x/pred.csv":      {Data: []byte("run,fold,index,actual,nb\n1,1,0,0,1\n1,1,1,0,0\n")},
		"x/dist_run1.csv": {Data: []byte("learner,run,fold,index,distribution\nnb,1,1,0,0.25 0.75\nnb,1,1,1,1 0\n")},
	}
	s, err := Load(good, "x")
	require.NoError(t, err)
	assert.Equal(t, []string{NB}, s.Learners)
	assert.Equal(t, [][]float64{{0.25, 0.75}, {1, 0}}, s.Folds[0].Distributions[NB])

	tests := []struct{ name, file, data, want string }{
		{"another row", "x/pred.csv", "h\n1,1,1,0\n", "line 2: row 1 is not test row 0"},
		{"a split twice", "x/splits.csv", "h\n1,1,2,0\n1,1,2,0\n", "line 3: run 1 fold 1 after"},
		{"no such fold", "x/pred.csv", "h\n1,2,1,0\n", "line 2: run 1 fold 2 has no split"},
		{"a missing prediction", "x/pred.csv", "h\n1,1,0,0\n", "1 predictions of 2"},
		{"a missing distribution", "x/dist_run1.csv", "h\nnb,1,1,0,1 0\n", "1 distributions of 2"},
		{"not a number", "x/dist_run1.csv", "h\nnb,1,1,0,1 x\n", "line 2: strconv"},
		{"missing file", "x/pred.csv", "", "file does not exist"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			bad := fstest.MapFS{}
			for k, v := range good {
				bad[k] = v
			}
			if bad[test.file] = (&fstest.MapFile{Data: []byte(test.data)}); test.data == "" {
				delete(bad, test.file)
			}
			_, err := Load(bad, "x")
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// fixed always predicts the same distribution.
type fixed []float64

func (f fixed) Name() string { return "fixed" }

func (f fixed) Fit(*dataset.Table, []int, uint64) (learner.Model, error) {
	if f == nil {
		return nil, errors.New("no opinion")
	}
	return f, nil
}
func (f fixed) Distribution(_ *dataset.Table, _ int, dist []float64) { copy(dist, f) }
func (f fixed) Close() error                                         { return nil }

func TestCheckFindsDifferences(t *testing.T) {
	t.Parallel()
	table, err := dataset.New("x", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "class", Kind: dataset.Nominal, Values: []string{"a", "b"}},
		Codes:     []int32{0, 0, 1, 1},
	}}, 0, nil)
	require.NoError(t, err)
	s := &Set{Name: "x", Folds: []Fold{{
		Run: 1, Fold: 1, Train: []int{2, 3}, Test: []int{0, 1}, Actual: []int{0, 0},
		Predicted:     map[string][]int{NB: {1, 1}},
		Distributions: map[string][][]float64{NB: {{0.25, 0.75}, {0.25, 0.75}}},
	}}}
	require.NoError(t, s.Check(NB, fixed{0.25, 0.75}, table, 0))
	require.NoError(t, s.Check(NB, fixed{0.2, 0.8}, table, -1))
	assert.ErrorContains(t, s.Check(NB, fixed{0.25, 0.7500001}, table, 1e-9), "0 of 2 predictions and 2 of 2 distributions")
	assert.ErrorContains(t, s.Check(NB, fixed{0.75, 0.25}, table, -1), "2 of 2 predictions and 0 of 0 distributions")
	assert.ErrorContains(t, s.Check(NB, fixed(nil), table, 0), "run 1 fold 1: no opinion")
	assert.ErrorContains(t, s.Check(VP, fixed{1, 0}, table, 0), `no predictions of "vp"`)
	s.Folds[0].Distributions = nil
	assert.ErrorContains(t, s.Check(NB, fixed{0.25, 0.75}, table, 0), "nothing to compare")
	s.Folds[0].Actual = []int{1, 0}
	err = s.Check(NB, fixed{0.25, 0.75}, table, -1)
	assert.True(t, err != nil && strings.Contains(err.Error(), "row 0 has class 0, Weka read 1"), "%v", err)
}
