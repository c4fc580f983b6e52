package study

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

func TestRelabelledClassesAreRandom(t *testing.T) {
	t.Parallel()
	table := uci.Wine()
	r, err := newRelabelled(table, false)
	require.NoError(t, err)
	counts := make([]int, 3)
	for seed := range uint64(50) {
		got, err := r.Table("x", table.Len(), seed)
		require.NoError(t, err)
		require.Equal(t, table.NumAttributes(), got.NumAttributes())
		for j := range table.NumAttributes() {
			require.Equal(t, table.Attribute(j), got.Attribute(j))
			if j != table.ClassIndex() {
				require.Equal(t, table.Numbers(j), got.Numbers(j))
			}
		}
		for _, c := range got.Codes(got.ClassIndex()) {
			counts[c]++
		}
	}
	for _, n := range counts { // of 8900, a third each, ± 44
		require.InDelta(t, 8900.0/3, n, 200)
	}
	_, err = r.Table("x", 5, 1)
	require.ErrorIs(t, err, ErrConfig)
}

// Learners of one's own are trained as learntest.Run does, and give the figures of the
// lab's learners.
func TestCalibrateOwnLearners(t *testing.T) {
	t.Parallel()
	cfg := Config{Sets: 6}
	c := Calibration{Protocol: split.CV(3, 4), Alpha: 0.2}
	built, err := Calibrate(t.Context(), cfg, c)
	require.NoError(t, err)
	c.Learners = []learntest.Learner[dataset.Row, int]{
		learntest.FromClassifier(lab.NewTree()),
		learntest.FromClassifier(lab.NewBayes()),
	}
	own, err := Calibrate(t.Context(), cfg, c)
	require.NoError(t, err)
	require.Equal(t, built, own)
	rows := own.Tables[0].Rows
	require.Len(t, rows, 11)
	for _, row := range rows[:10] {
		if df := row[1]; row[0][len(row[0])-len(df):] == df { // the name of a test
			_, err := stat.Lookup(row[0])
			require.NoError(t, err)
			_, err = strconv.Atoi(df)
			require.NoError(t, err)
		} else {
			require.Contains(t, row[0], ": not calibratable")
		}
	}
	cfg.Store = filepath.Join(t.TempDir(), "scores")
	_, err = Calibrate(t.Context(), cfg, c)
	require.ErrorIs(t, err, ErrConfig)
}

// A learner is compared with itself on unchanged data: one that draws random numbers
// differs from itself, one that does not does not.
func TestCalibrateALearnerOnItself(t *testing.T) {
	t.Parallel()
	table := uci.Wine()
	for _, c := range []struct {
		learner learntest.Learner[dataset.Row, int]
		differs bool
	}{
		{learntest.FromClassifier(neighbor.New(neighbor.Config{})), false},
		{guesser(), true},
	} {
		e, err := Calibration{
			Data: table, Learners: []learntest.Learner[dataset.Row, int]{c.learner},
			Protocol: split.CV(2, 3),
		}.experiment()
		require.NoError(t, err)
		l := testLab(t, lab.Config{}, 2)
		require.NoError(t, l.Each(t.Context(), e.source, e.n, 2, func(ctx context.Context,
			s *lab.Drawn,
		) error {
			got, err := s.Data()
			require.NoError(t, err)
			require.Same(t, table, got)
			d, err := s.Differences(ctx, e.protocol, e.candidate, e.baseline)
			require.NoError(t, err)
			differ := false
			for _, x := range d.X {
				differ = differ || x != 0
			}
			require.Equal(t, c.differs, differ)
			return nil
		}))
	}
}

// guesser predicts classes at random.
func guesser() learntest.Learner[dataset.Row, int] {
	return learntest.Func("guesser", func(_ context.Context, _ learntest.Sample[dataset.Row, int],
		seed uint64,
	) (func(dataset.Row) int, error) {
		return func(x dataset.Row) int { return int(lab.Derive(seed, x.Index) % 3) }, nil
	})
}

func TestCalibrateRefuses(t *testing.T) {
	t.Parallel()
	nn := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	vote := learntest.FromClassifier(perceptron.New(perceptron.Config{}))
	for _, c := range []Calibration{
		{Alpha: 1},
		{Alpha: -0.1},
		{Protocol: split.LeaveOneOut()},
		{Protocol: split.CV(1, 1)},
		{Learners: []learntest.Learner[dataset.Row, int]{nn, nn}},
		{Learners: []learntest.Learner[dataset.Row, int]{nn, vote, nn}},
	} {
		_, err := Calibrate(t.Context(), Config{Sets: 1}, c)
		require.Error(t, err)
	}
	numbers, err := dataset.New("numbers", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "x"},
		Numbers:   []float64{1, 2},
	}}, 0, nil)
	require.NoError(t, err)
	_, err = Calibrate(t.Context(), Config{Sets: 1}, Calibration{Data: numbers})
	require.ErrorIs(t, err, ErrConfig)
	// A trial that fails ends the study.
	broken := learntest.Func("broken", func(context.Context, learntest.Sample[dataset.Row, int],
		uint64,
	) (func(dataset.Row) int, error) {
		panic("no")
	})
	_, err = Calibrate(t.Context(), Config{Sets: 1}, Calibration{
		Data:     uci.Wine(),
		Learners: []learntest.Learner[dataset.Row, int]{broken, nn},
	})
	require.ErrorContains(t, err, "broken")
}
