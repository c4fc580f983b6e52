package study

import (
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

// Learners of one's own have the false alarms of the lab's learners, which are the rejections of
// the tests, with the halves of their protocol.
func TestFalseAlarms(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	cfg := Config{Sets: 40}
	c := Calibration{Alpha: 0.5}
	built, err := FalseAlarms(t.Context(), cfg, c)
	require.NoError(t, err)
	cfg.Parallel = 1
	c.Learners = []learntest.Learner[dataset.Row, int]{
		learntest.FromClassifier(lab.NewTree()),
		learntest.FromClassifier(lab.NewBayes()),
	}
	own, err := FalseAlarms(t.Context(), cfg, c)
	require.NoError(t, err)
	require.Equal(t, built, own)

	l := testLab(t, lab.Config{}, 1)
	var first, both, leads, strict lab.Proportion
	for i := range 40 {
		s := l.Desk().Draw(nullNetwork(t), lab.Examples, i)
		d, err := s.Differences(t.Context(), split.CV(10, 10), lab.Tree(), lab.Bayes())
		require.NoError(t, err)
		h, err := s.Differences(t.Context(), split.Halves(20, 5), lab.Tree(), lab.Bayes())
		require.NoError(t, err)
		p, err := stat.CorrectedCVTTest(d, stat.TwoSided)
		require.NoError(t, err)
		q, err := stat.HalvesTest(d, h, stat.TwoSided)
		require.NoError(t, err)
		first.K += lab.Indicator(p.P <= 0.5)
		both.K += lab.Indicator(max(p.P, q.P) <= 0.5 && q.Beyond() != 0)
		strict.K += lab.Indicator(p.P <= 0.5 && q.P <= 0.05 && q.Beyond() != 0)
		leads.K += lab.Indicator(p.P <= 0.5 && p.Mean > 0)
	}
	require.Less(t, both.K, first.K)
	require.Less(t, strict.K, both.K)
	require.NotEqual(t, 2*leads.K, first.K)
	rows := own.Tables[0].Rows
	require.Equal(t, []string{"corrected-cv-t", lab.Figure(float64(first.K), 0), "40"}, rows[0][:3])
	require.Equal(t, lab.Figure(float64(leads.K), 0), rows[0][5])
	require.Equal(t, []string{"and halves m=20", lab.Figure(float64(both.K), 0), "40"}, rows[1][:3])
}

// A protocol without second opinion has no figure for it; its test is the test of claims.
func TestFalseAlarmsOfResamples(t *testing.T) {
	t.Parallel()
	r, err := FalseAlarms(t.Context(), Config{Sets: 3},
		Calibration{Protocol: split.Subsample(10, 0.9)})
	require.NoError(t, err)
	require.Len(t, r.Tables[0].Rows, 1)
	require.Equal(t, "corrected-resampled-t", r.Tables[0].Rows[0][0])
}

// Where there is nothing that a test could find, no false alarms are no good news.
func TestFalseAlarmsRefuseLearnersThatDoNotDiffer(t *testing.T) {
	t.Parallel()
	nn := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	_, err := FalseAlarms(t.Context(), Config{Sets: 2}, Calibration{
		Data:     uci.Iris(),
		Learners: []learntest.Learner[dataset.Row, int]{nn},
	})
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorContains(t, err, "nn and itself on other seeds are equally good in all trials")
}

// On random classes neither of two learners is better, whatever classes they prefer: a tree
// that is a leaf predicts the most frequent one.
func TestNoLearnerIsBetterOnRandomClasses(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	c := Calibration{Data: uci.Iris(), Learners: []learntest.Learner[dataset.Row, int]{
		learntest.FromClassifier(lab.NewTree()),
		learntest.FromClassifier(neighbor.New(neighbor.Config{})),
	}}
	for _, p := range []split.Protocol{split.CV(1, 10), split.CV(1, 10).Stratified(false)} {
		c.Protocol = p
		e, err := c.experiment()
		require.NoError(t, err)
		const sets = 150
		l, leads := testLab(t, lab.Config{}, 1), lab.Mean{}
		for i := range sets {
			d, err := l.Desk().Draw(e.source, e.n, i).Differences(t.Context(), p, lab.Tree(), neighbors(1))
			require.NoError(t, err)
			sum := 0.0
			for _, x := range d.X {
				sum += x
			}
			leads.Add(sum / float64(len(d.X)))
		}
		require.InDelta(t, 0, leads.Mean(), 3*leads.SE(), p)
		require.Less(t, leads.SE(), 0.007) // less than a third of what independent classes give stratified folds
	}
}

func TestExactInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p      lab.Proportion
		lo, hi float64
	}{ // the closed forms at the ends, and a textbook's 5 of 100
		{lab.Proportion{K: 0, N: 20}, 0, 0.168433},
		{lab.Proportion{K: 20, N: 20}, 0.831567, 1},
		{lab.Proportion{K: 5, N: 100}, 0.016432, 0.112835},
	} {
		lo, hi := interval(c.p.K, c.p.N)
		require.InDelta(t, c.lo, lo, 1e-6)
		require.InDelta(t, c.hi, hi, 1e-6)
	}
}

// Classes of stratified protocols are as frequent as each other, in random order.
func TestBalancedClasses(t *testing.T) {
	t.Parallel()
	table := uci.Wine() // 178 examples: two of three classes are once more there
	r, err := newRelabelled(table, true)
	require.NoError(t, err)
	more := make([]int, 3)
	where := make([]lab.Mean, 3)
	for seed := range uint64(90) {
		got, err := r.Table("x", table.Len(), seed)
		require.NoError(t, err)
		counts := make([]int, 3)
		for i, c := range got.Codes(got.ClassIndex()) {
			counts[c]++
			where[c].Add(float64(i))
		}
		for c, n := range counts {
			require.Contains(t, []int{59, 60}, n)
			more[c] += n - 59
		}
	}
	for c := range 3 {
		require.InDelta(t, 30, more[c], 18)
		require.InDelta(t, 88.5, where[c].Mean(), 4*where[c].SE())
	}
	iid, err := newRelabelled(table, false)
	require.NoError(t, err)
	require.NotEqual(t, iid.ID(), r.ID())
}
