package study

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func gateNull(t *testing.T, name string) *null {
	t.Helper()
	all, err := nulls()
	require.NoError(t, err)
	for i := range all {
		if all[i].String() == name {
			return &all[i]
		}
	}
	t.Fatalf("no null %s", name)
	return nil
}

// Each gate decides as its test does, on the protocol that it stands for; the second opinion
// is p = max of both.
func TestGatesDecideAsTheirTests(t *testing.T) {
	t.Parallel()
	u := gateNull(t, "1-NN, n = 100")
	l := testLab(t, Config{}, 1)
	seen := make(map[[numGates]bool]int)
	for i := range 150 {
		s := l.draw(u.source, u.n, i, map[string]scorer{})
		got, err := u.measure(t.Context(), s)
		require.NoError(t, err)
		d, err := s.differences(t.Context(), split.CV(10, 10), u.candidate, u.baseline)
		require.NoError(t, err)
		p := func(r stat.Result, err error) float64 {
			require.NoError(t, err)
			return r.P
		}
		first, err := stat.CorrectedCVTTest(d, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, [2]float64{first.Mean, first.SE}, [2]float64{got.mean, got.se})
		both := func(m int) float64 {
			if first.P > 0.05 {
				return first.P // p = max of both is more than that
			}
			h, err := s.differences(t.Context(), split.Halves(m, 5), u.candidate, u.baseline)
			require.NoError(t, err)
			require.Equal(t, []int{m, 10}, []int{h.Runs, h.Folds})
			return max(first.P, p(stat.HalvesTest(d, h, stat.TwoSided)))
		}
		_, a, err := s.scores(t.Context(), split.CV(10, 10), u.candidate)
		require.NoError(t, err)
		_, b, err := s.scores(t.Context(), split.CV(10, 10), u.baseline)
		require.NoError(t, err)
		wide := d
		wide.Ratio = 0.18
		want := [numGates]bool{
			first.P <= 0.05,
			both(20) <= 0.05,
			both(40) <= 0.05,
			p(stat.CorrectedCVTTest(wide, stat.TwoSided)) <= 0.05,
			p(stat.MustLookup("b03-use-all-data/df=10").Run(d, stat.TwoSided)) <= 0.05,
			p(stat.MustLookup("b03-use-all-data").Run(d, stat.TwoSided)) <= 0.05,
			uTest(a, b) <= 0.05,
		}
		require.Equal(t, want, got.rejects, "data set %d", i)
		seen[want]++
	}
	// Every two gates differ somewhere, or the test above shows nothing about them.
	for g := range numGates {
		for h := range g {
			differ := false
			for rejects := range seen {
				differ = differ || rejects[g] != rejects[h]
			}
			assert.True(t, differ, "%v and %v", h, g)
		}
	}
}

// Halves are trained where the default test rejects, and nowhere else.
func TestHalvesAreTrainedWhereTheyDecide(t *testing.T) {
	t.Parallel()
	u := gateNull(t, "1-NN, n = 100")
	l := testLab(t, Config{}, 1)
	rejected := 0
	for i := range 30 {
		s := l.draw(u.source, u.n, i, map[string]scorer{})
		got, err := u.measure(t.Context(), s)
		require.NoError(t, err)
		trained := s.knows(scoresName(s.partitioned(split.Halves(40, 5)), u.candidate))
		require.Equal(t, got.rejects[defaultGate], trained)
		rejected += index(trained)
	}
	require.Positive(t, rejected)
	require.Less(t, rejected, 30)
}

// A second opinion that cannot judge does not agree; other errors are errors.
func TestNoSecondOpinionDoesNotAgree(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 1, Folds: 2, X: []float64{0.4, 0.5}, Ratio: 1, Scale: 1}
	ok, err := agree(d, stat.Differences{Runs: 2, Folds: 2, X: []float64{0, 0, 0, 0}, Ratio: 1, Scale: 1}, 0.05)
	require.NoError(t, err)
	require.False(t, ok)
	_, err = agree(d, stat.Differences{Runs: 2, Folds: 2, X: []float64{0, 0, math.NaN(), 0}, Ratio: 1, Scale: 1}, 0.05)
	require.ErrorIs(t, err, stat.ErrNotFinite)
}

func TestGateRow(t *testing.T) {
	t.Parallel()
	sets := make([]gateSet, 4)
	sets[1].rejects[defaultGate] = true
	sets[2].rejects[defaultGate] = true
	sets[2].rejects[unpaired] = true
	for i, mean := range []float64{3, -3, 3, -3} {
		sets[i].mean, sets[i].se = mean, 1
	}
	sets[3].se = math.Sqrt(141)
	row := newGateRow(&null{}, sets)
	require.Equal(t, proportion{2, 4}, row.rejected[defaultGate])
	require.Equal(t, proportion{0, 4}, row.rejected[bothShort])
	require.Equal(t, proportion{1, 4}, row.rejected[unpaired])
	require.InDelta(t, 2, row.ratio, 1e-15)
}

// The nulls are what they are called, and there is no difference.
func TestNullsAreNulls(t *testing.T) {
	t.Parallel()
	all, err := nulls()
	require.NoError(t, err)
	learners := map[string]string{
		"1-NN": "of nn,", "1-NN, 10% positives": "of nn,", "5-NN": "of nn(k=5),", "naive Bayes": "of naivebayes,", "C4.5": "of c45,", "C4.5, naive Bayes": "of c45",
	}
	for i := range all {
		u := &all[i]
		require.Contains(t, u.candidate.name, learners[u.name], u.name)
		require.NotEqual(t, u.candidate.name, u.baseline.name)
		positive := 0.5
		if strings.Contains(u.name, "10% positives") {
			positive = 0.1
		}
		const sets = 40
		lead, ones, l := make([]float64, sets), make([]float64, sets), testLab(t, Config{}, sets)
		require.NoError(t, l.each(t.Context(), u.source, u.n, sets, func(ctx context.Context, s *drawn) error {
			d, err := s.differences(ctx, split.CV(1, 10), u.candidate, u.baseline)
			for _, x := range d.X {
				lead[s.index] += x / float64(len(d.X))
			}
			for _, c := range s.table.Codes(s.table.ClassIndex()) {
				ones[s.index] += float64(c) / float64(u.n)
			}
			return err
		}))
		var difference, share mean
		for j := range sets {
			difference.add(lead[j])
			share.add(ones[j])
		}
		assert.InDelta(t, positive, share.mean(), 4*share.se(), u.name)
		assert.InDelta(t, 0, difference.mean(), 4*difference.se(), u.name)
		assert.Less(t, difference.se(), 0.02, u.name)
	}
}

// The small study takes no time, is the same however many work on it, and after an
// interruption.
func TestGateStudy(t *testing.T) {
	t.Parallel()
	s, err := Lookup("gate")
	require.NoError(t, err)
	want, err := s.Run(t.Context(), Config{Small: true, Parallel: 1})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "scores")
	ctx, cancel := context.WithCancel(t.Context())
	_, err = s.Run(ctx, Config{Small: true, Parallel: 2, Store: path, Progress: func(done, total int) {
		assert.Equal(t, 24, total)
		if done == 10 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	for _, cfg := range []Config{{Parallel: 3, Store: path}, {Parallel: 4}} {
		cfg.Small = true
		got, err := s.Run(t.Context(), cfg)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	other, err := s.Run(t.Context(), Config{Small: true, Seed: 2})
	require.NoError(t, err)
	require.NotEqual(t, want, other)
}

// On its worst null the default test is known to reject too often, the second opinion not,
// and what takes folds for independent in most cases.
func TestGateFindsWhatIsPublished(t *testing.T) {
	t.Parallel()
	u := gateNull(t, "1-NN, n = 100")
	const sets = 200
	found := make([]gateSet, sets)
	require.NoError(t, testLab(t, Config{}, sets).each(t.Context(), u.source, u.n, sets, func(ctx context.Context, s *drawn) (err error) {
		found[s.index], err = u.measure(ctx, s)
		return err
	}))
	row := newGateRow(u, found)
	assert.InDelta(t, 0.118, row.rejected[defaultGate].share(), 0.07)
	assert.InDelta(t, 0.040, row.rejected[bothShort].share(), 0.04)
	assert.InDelta(t, 0.645, row.rejected[pairedGate].share(), 0.1)
	assert.InDelta(t, 0.646, row.rejected[unpaired].share(), 0.1)
	assert.InDelta(t, 0.80, row.ratio, 0.1)
}

// The published tables have the nulls and the gates of the study, and its expected figures.
func TestPublishedGateTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "studies.md"))
	require.NoError(t, err)
	all, err := nulls()
	require.NoError(t, err)
	const title = "What the default gate does"
	require.Contains(t, string(text), "`learnbench study gate`, 2,000 data sets")
	require.Equal(t, 2000, Config{}.sets(3, gateSets))
	for i := range all {
		row := rows(t, string(text), title, all[i].String())
		require.Len(t, row, 1)
		require.Len(t, row[0], 2+int(numGates))
		for g, expected := range all[i].expected {
			_, printed, there := strings.Cut(row[0][1+g], " (")
			require.Equal(t, !math.IsNaN(expected), there, "%v, %v", all[i].String(), gate(g))
			if there {
				require.Equal(t, figure(expected, 1)+")", printed)
			}
		}
	}
}
