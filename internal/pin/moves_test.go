package pin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// A run is a result file of one test: what each learner scores on each data set, in two metrics.
type run struct {
	commit   string
	data     []string
	learners []string
	score    func(data, learner string, fold int) (accuracy, kappa float64)
	edit     func(h *record.Header)
	opinion  bool // the file has a second opinion as well
}

var kappa = unit.Unit{Name: "kappa", Better: unit.Higher, Min: -1, Max: 1}

// write writes the file.
func (r run) write(t *testing.T, path string) {
	t.Helper()
	var blocks []*record.Block
	add := func(data, protocol string, folds int, edit func(h *record.Header)) {
		h := record.Header{
			Pkg: "example.com/model", Test: "Test" + data, Data: data, Commit: r.commit, Protocol: protocol,
			DataDigest: strings.Repeat("a", 64), SplitDigest: strings.Repeat("b", 64),
		}
		edit(&h)
		b, err := record.NewBlock(h, r.learners, []unit.Unit{accuracy, kappa}, 50)
		require.NoError(t, err)
		for run := 1; run <= b.Runs(); run++ {
			for fold := 1; fold <= folds; fold++ {
				for _, l := range r.learners {
					a, k := r.score(data, l, fold)
					n := 50 / folds
					require.NoError(t, b.Add(record.Trial{
						Data: data, Learner: l, Run: run, Fold: fold,
						TrainN: 50 - n, TestN: n, FitSeconds: 1, PredictSec: 1, Values: []float64{a, k},
					}))
				}
			}
		}
		blocks = append(blocks, b)
	}
	for _, data := range r.data {
		edit := r.edit
		if edit == nil {
			edit = func(h *record.Header) {
				for _, l := range r.learners {
					h.Of(l).SetProbe("yes/3")
				}
			}
		}
		add(data, "cv runs=2 folds=5 stratified seed=1 v1", 5, edit)
		if r.opinion {
			add(data, "halves m=5 folds=5 seed=1 v1", 10, func(*record.Header) {})
		}
	}
	var text strings.Builder
	require.NoError(t, record.Write(&text, blocks...))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
}

// steady scores by the fold, plus a gain in accuracy.
func steady(gain float64) func(data, learner string, fold int) (accuracy, kappa float64) {
	return func(_, _ string, fold int) (float64, float64) {
		return 0.5 + float64(fold)/50 + gain, 0.5 + float64(fold)/50
	}
}

// A reference has the pinned results and nothing else: no other learner, time or second opinion.
func TestReferenceHasWhatIsPinned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, reference := filepath.Join(dir, "new.txt"), filepath.Join(dir, "pinned.txt")
	all := run{
		commit: "c0", data: []string{"mail", "news"}, learners: []string{"forest", "bayes"},
		score: steady(0), opinion: true,
	}
	all.write(t, path)
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	move := func(learners ...string) (string, error) {
		return (&Move{
			Results: path, Reference: reference, Reason: "why not", Learners: learners,
			Date: date,
		}).Do()
	}
	_, err := move("wood")
	require.EqualError(t, err, path+" has no learner wood")
	require.NoFileExists(t, reference)
	entry, err := move("forest")
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(entry, ", the first\n"), "two data sets, two metrics")
	f, err := record.Open(reference)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 2, "no second opinion")
	for _, b := range f.Blocks() {
		require.Equal(t, []string{"forest"}, b.Learners)
		require.True(t, b.Timeless)
		require.Equal(t, 10, b.Len())
		require.Equal(t, "forest=yes/3", b.Header.Determinism)
	}
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	require.NotContains(t, string(text), "sec")
	before, err := os.ReadFile(ledger.Path(reference))
	require.NoError(t, err)

	// It says which learners are pinned from then on, whatever else was run.
	_, err = move("bayes")
	require.EqualError(t, err, reference+" says which learners are pinned: leave them out, or remove it to begin anew (the ledger goes on)")
	_, err = move()
	require.ErrorIs(t, err, ErrSame)
	for what, c := range map[string]struct {
		change func(r *run)
		want   string
	}{
		"a data set that was not run": {
			func(r *run) { r.data = r.data[:1] },
			path + " has no learner forest on data set news, which is pinned: run its test, too",
		},
		"a learner that was not run": {
			func(r *run) { r.learners = r.learners[1:] },
			path + " has no learner forest on data set mail, which is pinned: run its test, too",
		},
		"other data under the same name": {func(r *run) {
			r.opinion, r.edit = false, func(h *record.Header) { h.DataDigest = strings.Repeat("c", 64) }
		}, "mail/forest cannot be compared with the pinned results: "},
		"uncommitted changes": {
			func(r *run) { r.commit = "c1-dirty" },
			path + " is of commit c1-dirty: ",
		},
	} {
		other := all
		other.score = steady(0.1)
		c.change(&other)
		other.write(t, path)
		_, err = move()
		require.ErrorContains(t, err, c.want, what)
	}
	after, err := os.ReadFile(ledger.Path(reference))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	unmoved, err := os.ReadFile(reference)
	require.NoError(t, err)
	require.Equal(t, string(text), string(unmoved))

	// One metric has gained as much in every fold, the other one has not changed: that is a move,
	// of both.
	all.commit, all.score, all.opinion = "c1", steady(0.1), false
	all.write(t, path)
	entry, err = move()
	require.NoError(t, err)
	require.Contains(t, entry, "\n2026-01-02 c1 after c0: why not\n    reference ")
	require.Contains(t, entry, "    mail/forest  accuracy 66.00%, +10.00 points, 95% interval +6.14 to +13.86 points, p = 2.4e-04\n")
	require.Contains(t, entry, "    mail/forest  kappa 0.56, +0, 95% interval +0 to +0, p = 1.000\n")
	require.NotContains(t, entry, "bayes")
	require.NoError(t, ledger.Check(reference))
	_, err = move()
	require.ErrorIs(t, err, ErrSame)
	b := all
	b.score = func(data, learner string, fold int) (float64, float64) {
		a, k := steady(0.1)(data, learner, fold)
		return a, k - 0.1
	}
	b.write(t, path)
	_, err = move()
	require.NoError(t, err, "one metric has changed, as much in every fold")
}

// Without a ledger, or with one that is about another file, nobody knows the history of the
// reference.
func TestMovesDemandTheLedger(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, reference := filepath.Join(dir, "new.txt"), filepath.Join(dir, "pinned.txt")
	r := run{commit: "c0", data: []string{"mail"}, learners: []string{"forest"}, score: steady(0)}
	r.write(t, path)
	move := func(learners ...string) error {
		_, err := (&Move{Results: path, Reference: reference, Reason: "why not", Learners: learners}).Do()
		return err
	}
	require.NoError(t, move("forest"))
	r.score = steady(0.1)
	r.write(t, path)
	entries, err := os.ReadFile(ledger.Path(reference))
	require.NoError(t, err)
	require.NoError(t, os.Remove(ledger.Path(reference)))
	require.EqualError(t, move(), reference+" has no ledger, "+ledger.Path(reference)+": restore it, or remove the reference to begin anew")
	require.NoError(t, os.WriteFile(ledger.Path(reference),
		[]byte(strings.Replace(string(entries), "    reference ", "    reference 0", 1)), 0o666))
	require.ErrorContains(t, move(),
		": restore it (git log shows who changed it), or remove it to begin anew")
	require.NoError(t, os.Remove(ledger.Path(reference)))
	require.NoError(t, os.Mkdir(ledger.Path(reference), 0o777))
	require.Error(t, move())
	require.NoError(t, os.Remove(ledger.Path(reference)))

	// A reference that is removed is begun anew, and the ledger goes on.
	require.NoError(t, os.WriteFile(ledger.Path(reference), entries, 0o666))
	require.NoError(t, os.Remove(reference))
	r.commit = ""
	r.write(t, path)
	require.NoError(t, move("forest"))
	text, err := os.ReadFile(ledger.Path(reference))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), string(entries)))
	require.Contains(t, string(text[len(entries):]), " of no commit: why not\n")
	require.Contains(t, string(text[len(entries):]), "accuracy 66.00%, the first\n")
	require.NoError(t, ledger.Check(reference))

	require.NoError(t, os.Remove(path))
	require.ErrorIs(t, move(), os.ErrNotExist)
}
