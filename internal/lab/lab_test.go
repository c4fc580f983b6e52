package lab

import (
	"context"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

func testLab(t *testing.T, cfg Config, sets int) *Lab {
	t.Helper()
	cfg, err := cfg.WithDefaults()
	require.NoError(t, err)
	l, err := Open(cfg, sets)
	require.NoError(t, err)
	return l
}

func nearest() Subject {
	return Classified(func() learner.Classifier { return neighbor.New(neighbor.Config{}) }, false)
}

func nullNetwork(t *testing.T) *Network {
	t.Helper()
	all, err := Networks()
	require.NoError(t, err)
	return all[0]
}

// A Lab has the scores of learntest.Run, bit for bit, in the same places.
func TestLabAgreesWithRun(t *testing.T) {
	t.Parallel()
	networks, err := Networks()
	require.NoError(t, err)
	seeded := Classified(func() learner.Classifier { return c45.New(c45.Config{Pruning: c45.CostComplexity}) }, true)
	subjects := []Subject{Tree(), Bayes(), nearest(), TAN(), Perceptron(), seeded}
	var learners []learntest.Learner[dataset.Row, int]
	for _, s := range subjects {
		learners = append(learners, learntest.FromClassifier(s.Bind().(*classifierScorer).classifier))
	}
	for _, p := range []split.Protocol{split.CV(3, 7), split.Subsample(8, 0.9)} {
		l := testLab(t, Config{Parallel: 2}, 2)
		require.NoError(t, l.Each(t.Context(), networks[2], 100, 2, func(ctx context.Context,
			s *Drawn,
		) error {
			table, err := s.Data()
			require.NoError(t, err)
			f, err := learntest.Run(ctx, []learntest.Data[dataset.Row, int]{table}, learners,
				learntest.Config{Protocol: s.partitioned(p)})
			require.NoError(t, err)
			for i := range subjects {
				for j := range i {
					want, err := NewPool(f, table.Name(), learners[i].Name, learners[j].Name)
					require.NoError(t, err)
					got, err := s.Differences(ctx, p, subjects[i], subjects[j])
					require.NoError(t, err)
					require.Equal(t, want.All, got)
				}
			}
			return nil
		}))
	}
}

// inThrees is a source whose examples come in groups of three.
type inThrees struct{ Source }

func (s inThrees) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	t, err := s.Source.Table(name, n, seed)
	if err != nil {
		return nil, err
	}
	groups := make([]string, n)
	for i := range groups {
		groups[i] = strconv.Itoa(n - i/3)
	}
	return t.WithGroups("patient", groups)
}

// A Lab keeps groups together as learntest.Run does.
func TestLabKeepsGroups(t *testing.T) {
	t.Parallel()
	p, l := split.Groups(2, 5), testLab(t, Config{}, 1)
	s := l.Desk().Draw(inThrees{nullNetwork(t)}, 100, 0)
	table, err := s.Data()
	require.NoError(t, err)
	learners := []learntest.Learner[dataset.Row, int]{
		learntest.FromClassifier(NewBayes()),
		learntest.FromClassifier(NewTree()),
	}
	f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{table}, learners,
		learntest.Config{Protocol: s.partitioned(p)})
	require.NoError(t, err)
	want, err := NewPool(f, table.Name(), learners[1].Name, learners[0].Name)
	require.NoError(t, err)
	got, err := s.Differences(t.Context(), p, Tree(), Bayes())
	require.NoError(t, err)
	require.Equal(t, want.All, got)
}

// counting counts how often a learner is trained.
func counting(n *atomic.Int64) Subject {
	return Classified(func() learner.Classifier { return countingLearner{NewBayes(), n} }, false)
}

type countingLearner struct {
	learner.Classifier
	n *atomic.Int64
}

func (c countingLearner) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	c.n.Add(1)
	return c.Classifier.Fit(t, rows, seed)
}

// Two tests on one protocol train once, and trials in the store are not trained at all.
func TestLabTrainsOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "scores")
	var n atomic.Int64
	source := nullNetwork(t)
	run := func(cfg Config, p split.Protocol) {
		t.Helper()
		l := testLab(t, cfg, 2)
		require.NoError(t, l.Each(t.Context(), source, 50, 2, func(ctx context.Context, s *Drawn) error {
			for range 3 {
				if _, _, err := s.Scores(ctx, p, counting(&n)); err != nil {
					return err
				}
			}
			return nil
		}))
		var err error
		l.Close(&err)
		require.NoError(t, err)
	}
	run(Config{}, split.CV(2, 3))
	require.EqualValues(t, 2*6, n.Swap(0))
	run(Config{Store: path}, split.CV(2, 3))
	require.EqualValues(t, 2*6, n.Swap(0))
	run(Config{Store: path}, split.CV(2, 3))
	require.Zero(t, n.Swap(0))
	run(Config{Store: path, Seed: 2}, split.CV(2, 3))
	require.EqualValues(t, 2*6, n.Swap(0))
	run(Config{Store: path}, split.CV(2, 4))
	require.EqualValues(t, 2*8, n.Swap(0))
}

// Data sets of one source, and of two, are different ones.
func TestDrawnDataSetsDiffer(t *testing.T) {
	t.Parallel()
	a := nullNetwork(t)
	b := &Network{Name: "other", Class: a.Class, Attributes: a.Attributes}
	digests := make(map[string]int)
	for _, seed := range []uint64{1, 2} {
		l := testLab(t, Config{Seed: seed}, 1)
		for _, src := range []Source{a, b} {
			for _, n := range []int{20, 21} {
				for i := range 3 {
					table, err := l.Desk().Draw(src, n, i).Data()
					require.NoError(t, err)
					d, err := table.Digest()
					require.NoError(t, err)
					digests[d]++
				}
			}
		}
	}
	require.Len(t, digests, 24)
}

func TestPartTakesRuns(t *testing.T) {
	t.Parallel()
	l := testLab(t, Config{}, 1)
	s := l.Desk().Draw(nullNetwork(t), 60, 0)
	d, err := s.Differences(t.Context(), split.CV(6, 4), Tree(), Bayes())
	require.NoError(t, err)
	require.Equal(t, 24, len(d.X))
	got := Part(d, 2, 3)
	require.Equal(t, 3, got.Runs)
	require.Equal(t, d.X[8:20], got.X)
	require.InDelta(t, 1.0/3, got.Ratio, 1e-15)
	// A longer protocol begins with the runs of a shorter one.
	short, err := s.Differences(t.Context(), split.CV(3, 4), Tree(), Bayes())
	require.NoError(t, err)
	require.Equal(t, short.X, Part(d, 0, 3).X)
}

// The trials of a longer protocol serve a shorter one, bit for bit, also from the store.
func TestLabTakesRunsOfALongerProtocol(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "scores")
	var n atomic.Int64
	scores := func(cfg Config, ps ...split.Protocol) (ratio float64, scores []float64) {
		t.Helper()
		l := testLab(t, cfg, 1)
		require.NoError(t, l.Each(t.Context(), nullNetwork(t), 50, 1, func(ctx context.Context,
			s *Drawn,
		) (err error) {
			for _, p := range ps {
				if ratio, scores, err = s.Scores(ctx, p, counting(&n)); err != nil {
					return err
				}
			}
			return nil
		}))
		var err error
		l.Close(&err)
		require.NoError(t, err)
		return ratio, scores
	}
	for _, p := range []split.Protocol{split.CV(3, 4), split.Subsample(7, 0.9)} {
		ratio, want := scores(Config{}, p)
		n.Store(0)
		r, got := scores(Config{Store: path}, p.WithRuns(10), p)
		require.EqualValues(t, 10*p.Folds(), n.Swap(0))
		require.Equal(t, want, got)
		require.Equal(t, ratio, r)
		_, got = scores(Config{Store: path}, p)
		require.Zero(t, n.Swap(0))
		require.Equal(t, want, got)
		_, got = scores(Config{Store: path}, p.WithRuns(11))
		require.EqualValues(t, 11*p.Folds(), n.Swap(0))
		require.Equal(t, want, got[:len(want)])
	}
}
