package learntest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/discretize"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noise is examples without any relation to their labels.
func noise() *ExampleSet[[]float64, bool] {
	r := rand.New(rand.NewPCG(3, 4))
	xs, ys := make([][]float64, 120), make([]bool, 120)
	for i := range xs {
		xs[i], ys[i] = []float64{r.Float64(), r.Float64()}, r.IntN(2) == 1
	}
	return Examples("noise", xs, ys)
}

// A knn is a nearest neighbour as people write it: training appends.
type knn struct {
	mu sync.Mutex
	xs [][]float64
	ys []bool
}

func (k *knn) fit(train Sample[[]float64, bool]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for x, y := range train.All() {
		k.xs, k.ys = append(k.xs, x), append(k.ys, y)
	}
}

func (k *knn) predict(x []float64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	least, y := 9.0, false
	for i, o := range k.xs {
		if d := (o[0]-x[0])*(o[0]-x[0]) + (o[1]-x[1])*(o[1]-x[1]); d < least {
			least, y = d, k.ys[i]
		}
	}
	return y
}

// fresh makes a classifier for each training, and shared one for all.
func fresh(name string) Learner[[]float64, bool] {
	return Func(name, func(_ context.Context, train Sample[[]float64, bool],
		_ uint64,
	) (func([]float64) bool, error) {
		k := new(knn)
		k.fit(train)
		return k.predict, nil
	})
}

func shared(name string) Learner[[]float64, bool] {
	k := new(knn)
	return Func(name, func(_ context.Context, train Sample[[]float64, bool],
		_ uint64,
	) (func([]float64) bool, error) {
		k.fit(train)
		return k.predict, nil
	})
}

// shuffled predicts by random numbers of the whole program: never twice alike, of the fifty
// examples of a fold.
func shuffled(name string) Learner[[]float64, bool] {
	return Func(name, func(context.Context, Sample[[]float64, bool], uint64) (func([]float64) bool,
		error,
	) {
		salt := rand.Uint64()
		return func(x []float64) bool {
			return rand.New(rand.NewPCG(salt,
				math.Float64bits(x[0]))).IntN(2) == 1
		}, nil
	})
}

const (
	keeps    = "keeps keeps something between trainings: trained again on data set noise, learner keeps, run 1, fold 1 after its other trials, its predictions differed from the first ones, and not from each other since; let Fit make anew all that it changes, or set Config.AllowNondeterminism"
	notFixed = "its seed does not fix random: trained again on data set noise, learner random, run 1, fold 1, it predicted differently each time; draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism"
)

// A learner that keeps something of one training is found when it is trained again, after all
// others.
func TestStateBetweenTrainings(t *testing.T) {
	for _, c := range []struct {
		name string
		l    func(string) Learner[[]float64, bool]
		want string
	}{{"keeps", shared, keeps}, {"random", shuffled, notFixed}} {
		for _, parallel := range []int{1, 2} {
			r := newRecorder(t)
			cmp := CompareWith(r, Config{Parallel: parallel, Protocol: split.CV(3, 2)}, noise(), c.l(c.name),
				fresh("fresh"))
			require.Len(t, r.errors, 1)
			require.Contains(t, r.errors[0], "learntest.CompareWith: unusable learner: "+c.want)
			v := cmp.Judge(verdict.Claim{Kind: verdict.Improves})
			require.False(t, v.Holds)
			require.ErrorIs(t, v.Err, learner.ErrUnusable)
		}
	}
}

// The same against a baseline, which the learner has written before it had the mistake.
func TestStateBetweenTrainingsAgainstABaseline(t *testing.T) {
	for _, c := range []struct {
		name string
		now  func(string) Learner[[]float64, bool]
		want string
	}{{"keeps", shared, keeps}, {"random", shuffled, notFixed}} {
		path := filepath.Join(t.TempDir(), "baseline.txt")
		cfg := Config{Protocol: split.CV(3, 2)}
		t.Setenv("CI", "")
		t.Setenv("LEARNTEST_UPDATE", "force")
		r := newRecorder(t)
		AgainstWith(r, cfg, noise(), fresh(c.name), path).Judge(verdict.Claim{})
		r.end()
		require.Empty(t, r.errors)
		t.Setenv("LEARNTEST_UPDATE", "")
		r = newRecorder(t)
		cmp := AgainstWith(r, cfg, noise(), c.now(c.name), path)
		require.Len(t, r.errors, 1)
		require.Contains(t, r.errors[0], "learntest.Against: unusable learner: "+c.want)
		require.False(t, cmp.Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.4}).Holds)

		// Nor does it become a baseline.
		t.Setenv("LEARNTEST_UPDATE", "force")
		r = newRecorder(t)
		AgainstWith(r, cfg, noise(), c.now(c.name), filepath.Join(t.TempDir(), "b.txt"))
		require.Len(t, r.errors, 1)
		require.Contains(t, r.errors[0], c.want)
		t.Setenv("LEARNTEST_UPDATE", "")
	}
}

// sometimes predicts something else when it is trained again in some of 100 cells.
func sometimes(cells []int) Learner[int, bool] {
	var mu sync.Mutex
	at, fits := make(map[uint64]int), make(map[uint64]int) // by seed
	return Func("sometimes", func(_ context.Context, _ Sample[int, bool], seed uint64) (func(int) bool,
		error,
	) {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := at[seed]; !ok {
			at[seed] = len(at)
		}
		fits[seed]++
		odd := fits[seed] == 2 && slices.Contains(cells, at[seed])
		return func(int) bool { return odd }, nil
	})
}

// A learner that differs in a share q of its cells is found with probability 1 - (1-q)^6: one that
// differs in one fold of 100 in 6% of runs, as docs/gates.md has it.
func TestSeldomDifferencesAreFoundAsOftenAsIsSaid(t *testing.T) {
	t.Parallel()
	type drawn struct {
		cells, seeds int
		said         float64
	}
	all := []drawn{{13, 30, 0.57}}
	if citest.Has(citest.Slow) {
		all = []drawn{{1, 600, 0.06}, {5, 300, 0.26}, {13, 200, 0.57}, {50, 100, 0.98}, {100, 20, 1}}
	}
	for _, c := range all {
		require.InDelta(t, c.said, 1-math.Pow(1-float64(c.cells)/100, 6), 0.006)
		found := 0
		for seed := range uint64(c.seeds) {
			cells := rand.New(rand.NewPCG(seed, 1)).Perm(100)[:c.cells]
			cfg := Config{Protocol: split.CV(10, 10).WithSeed(seed)}
			f, err := Run(t.Context(), []Data[int, bool]{numbers(20)},
				[]Learner[int, bool]{sometimes(cells)}, cfg)
			if err != nil {
				require.ErrorIs(t, err, learner.ErrUnusable)
				require.ErrorContains(t, err, "sometimes predicted otherwise when it was trained again on data set numbers, learner sometimes, run ")
				found++
				continue
			}
			require.Equal(t, 6, f.Blocks()[0].Header.Of("sometimes").TrainedAgain())
			require.Equal(t, "sometimes=yes/6", f.Blocks()[0].Header.Determinism)
		}
		share, three := float64(found)/float64(c.seeds), 3*math.Sqrt(c.said*(1-c.said)/float64(c.seeds))
		t.Logf("%d of 100 cells: found in %.1f%% of %d runs", c.cells, 100*share, c.seeds)
		assert.InDelta(t, c.said, share, three+0.01, "%d of 100 cells", c.cells)
	}
}

// A second training that fails is an error of its own.
func TestSecondTrainingsThatFail(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := make(map[uint64]bool)
	once := Func("once", func(_ context.Context, _ Sample[int, bool], seed uint64) (func(int) bool,
		error,
	) {
		mu.Lock()
		defer mu.Unlock()
		if seen[seed] {
			return nil, errors.New("the file is there")
		}
		seen[seed] = true
		return func(int) bool { return true }, nil
	})
	_, err := Run(t.Context(), []Data[int, bool]{numbers(20)}, []Learner[int, bool]{once},
		Config{Protocol: split.CV(2, 5), AllowNondeterminism: true})
	require.ErrorIs(t, err, learner.ErrUnusable)
	require.ErrorContains(t, err, "once failed when it was trained again on data set numbers, learner once, run 1, fold 1, where it had not failed: fit: the file is there; ")
}

// A second training that there is no time for is no pass: a warning tells of it.
func TestNoTimeForSecondTrainings(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cfg := Config{Protocol: split.CV(2, 5), Parallel: 1, Progress: func(done, total int) {
		if done == total {
			cancel()
		}
	}}
	f, err := Run(ctx, []Data[int, bool]{numbers(20)}, []Learner[int, bool]{
		guesser("a"),
		guesser("b"),
	}, cfg)
	require.NoError(t, err)
	h := f.Blocks()[0].Header
	assert.Equal(t, "a=unknown b=unknown", h.Determinism)
	v := judged(f, "numbers", "a", "b", verdict.Claim{})
	require.NotEmpty(t, v.Warnings)
	assert.ErrorContains(t, errors.Join(v.Warnings...),
		"a was not trained again: nobody knows whether its seed fixes it")
}

// Verdicts against a stored baseline, where learners have other names, and verdicts of stored
// results warn of nondeterministic learners, too.
func TestDeterminismAgainstABaselineIsSaid(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "baseline.txt")
	cfg := Config{Protocol: split.CV(2, 5), AllowNondeterminism: true, Results: Results{
		Pkg:  "p",
		Test: "T", Commit: "c0ffee",
	}}
	t.Setenv("CI", "")
	t.Setenv(envUpdate, "force")
	r := newRecorder(t)
	AgainstWith(r, cfg, noise(), fresh("forest"), path).Judge(verdict.Claim{})
	r.end()
	require.Empty(t, r.errors)
	t.Setenv(envUpdate, "")
	warnings := func(l Learner[[]float64, bool]) string {
		v := AgainstWith(newRecorder(t), cfg, noise(), l, path).Judge(verdict.Claim{})
		require.NoError(t, v.Err)
		return errors.Join(append(v.Warnings, errors.New("-"))...).Error()
	}
	assert.NotRegexp(t, "trained|determin", warnings(fresh("forest")))
	assert.Contains(t, warnings(shuffled("forest")),
		"forest now is not deterministic: trained twice with the same seed")
	for outcome, want := range map[string]string{record.NotDeterministic: "forest at c0ffee is not deterministic", record.NotProbed: "forest at c0ffee was not trained again"} {
		rewrite(t, path, func(h *record.Header) { h.Of("forest").SetProbe(outcome) })
		assert.Contains(t, warnings(fresh("forest")), want)
	}

	// So it is of results that are judged elsewhere.
	stored := cfg
	stored.Results.Out = filepath.Join(dir, "r.txt")
	mustRun(t, noise(), stored, fresh("a"), fresh("b"))
	rewrite(t, stored.Results.Out, func(h *record.Header) { h.Of("b").SetProbe(record.NotProbed) })
	stored.Results.In, stored.Results.Out = []string{stored.Results.Out}, ""
	f, err := Run(t.Context(), []Data[[]float64, bool]{noise()}, []Learner[[]float64, bool]{
		fresh("a"),
		fresh("b"),
	}, stored)
	require.NoError(t, err)
	assert.ErrorContains(t, errors.Join(judged(f, "noise", "a", "b",
		verdict.Claim{}).Warnings...), "b was not trained again")
}

// Each shard repeats trials of its own, and the whole names the least number of repeated cells in a
// shard.
func TestShardsTrainTheirOwnAgain(t *testing.T) {
	t.Parallel()
	var blocks []*record.Block
	cells := 0
	for i := range 4 {
		cfg := Config{
			Protocol: split.CV(10, 10),
			Results: Results{
				Out:   filepath.Join(t.TempDir(), "r.txt"),
				Shard: split.Shard{Index: i + 1, Count: 4},
			},
		}
		b := mustRun(t, numbers(40), cfg, guesser("a"))
		n := b.Header.Of("a").TrainedAgain()
		require.Positive(t, n)
		cells = max(cells, n)
		blocks = append(blocks, b)
	}
	u, err := record.Union(blocks...)
	require.NoError(t, err)
	require.GreaterOrEqual(t, cells, 2)
	require.Equal(t, cells, u.Header.Of("a").TrainedAgain())
	_, err = Run(t.Context(), []Data[[]float64, bool]{noise()},
		[]Learner[[]float64, bool]{shared("keeps")}, Config{
			Protocol: split.CV(10, 10),
			Results: Results{
				Out:   filepath.Join(t.TempDir(), "r.txt"),
				Shard: split.Shard{Index: 2, Count: 4},
			},
		})
	require.ErrorContains(t, err, "keeps keeps something between trainings: trained again on data set noise, learner keeps, run 1, fold 2 after")
}

// A run that is resumed when all trials are there trains again before it says that all is well, and
// one that has found a learner out does not take over what that has left.
func TestResumedRunsTrainAgain(t *testing.T) {
	for _, interrupted := range []bool{true, false} {
		cfg := Config{
			Protocol: split.CV(4, 10), Parallel: 1,
			Results: Results{Out: filepath.Join(t.TempDir(), "r.txt")},
		}
		data := []Data[[]float64, bool]{noise()}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		first := cfg
		if interrupted {
			first.Progress = func(done, _ int) {
				if done == 39 { // the learner of the next process has no past
					cancel()
				}
			}
		}
		_, err := Run(ctx, data, []Learner[[]float64, bool]{shared("keeps")}, first)
		require.Error(t, err)
		for range 2 {
			forget(cfg.Results.Out)
			cfg.Results.Resume = true
			_, err = Run(t.Context(), data, []Learner[[]float64, bool]{shared("keeps")}, cfg)
			require.ErrorContains(t, err, "keeps keeps something between trainings")
			require.NoFileExists(t, cfg.Results.Out)
		}
	}
}

// The module's own learners are known by their types, not by their names.
func TestReferenceLearnersAreKnownByTheirTypes(t *testing.T) {
	t.Parallel()
	assert.True(t, isReference(neighbor.New(neighbor.Config{})))
	assert.True(t, isReference(naivebayes.New(naivebayes.Config{})))
	assert.True(t, isReference(baseline.Majority()))
	assert.True(t, isReference(baseline.Mean()))
	assert.False(t, isReference(discretize.New(neighbor.New(neighbor.Config{}))))
	assert.False(t, isReference(&process.Learner{}))
	type mine struct{ *neighbor.Classifier }
	assert.False(t, isReference(mine{neighbor.New(neighbor.Config{})}))
}
