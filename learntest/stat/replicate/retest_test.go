package replicate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// retest is the default test on the given number of runs.
func retest(runs int) Retest {
	return Retest{Test: stat.Tests()[0], Runs: runs, Alpha: 0.05}
}

func TestRetestRejectsBadInput(t *testing.T) {
	t.Parallel()
	good := stat.Differences{Runs: 4, Folds: 3, X: []float64{1, 2, 3, 2, 2, 1, 0, 1, 4, 1, 2, 1}}
	edit := func(f func(*stat.Differences)) stat.Differences {
		d := good
		d.X = append([]float64(nil), d.X...)
		f(&d)
		return d
	}
	for name, c := range map[string]struct {
		edit func(*Retest)
		d    stat.Differences
		err  error
		text string
	}{
		"no test":        {func(q *Retest) { q.Test = stat.Test{} }, good, stat.ErrDomain, "no test"},
		"no runs":        {func(q *Retest) { q.Runs = 0 }, good, stat.ErrDomain, "0 runs"},
		"level 0":        {func(q *Retest) { q.Alpha = 0 }, good, stat.ErrDomain, "level 0"},
		"level NaN":      {func(q *Retest) { q.Alpha = nan() }, good, stat.ErrDomain, "level NaN"},
		"interval level": {func(q *Retest) { q.Level = 1 }, good, stat.ErrDomain, "level 1"},
		"alternative": {
			func(q *Retest) { q.Alternative = 3 }, good, stat.ErrDomain,
			"Alternative(3)",
		},
		"direction": {
			func(q *Retest) { q.Direction = 4 }, good, stat.ErrDomain,
			"Alternative(4)",
		},
		"against its own": {
			func(q *Retest) { q.Alternative, q.Direction = stat.Greater, stat.Less },
			good, stat.ErrDomain, "direction less",
		},
		"null": {
			func(q *Retest) { q.Null = math.Inf(1) }, good, stat.ErrNotFinite,
			"null hypothesis",
		},
		"too few runs": {
			func(q *Retest) { q.Runs = 5 }, good, stat.ErrSampleSize,
			"4 runs, need at least",
		},
		"one run": {
			func(q *Retest) { q.Runs = 1 },
			edit(func(d *stat.Differences) { d.Runs, d.Folds = 1, 12 }), stat.ErrSampleSize,
			"1 runs, need at least 2",
		},
		"shape": {
			func(*Retest) {}, edit(func(d *stat.Differences) { d.Runs = 5 }),
			stat.ErrSampleSize, "12 differences",
		},
		"not a number": {
			func(*Retest) {}, edit(func(d *stat.Differences) { d.X[10] = nan() }),
			stat.ErrNotFinite, "run 4, fold 2",
		},
		"sum not finite": {func(*Retest) {}, edit(func(d *stat.Differences) {
			d.X[0], d.X[1] = 1e308,
				1e308
		}), stat.ErrNotFinite, "sum"},
		"scale": {
			func(*Retest) {}, edit(func(d *stat.Differences) { d.Scale = -1 }),
			stat.ErrDomain, "scale",
		},
		"ratio": {
			func(*Retest) {}, edit(func(d *stat.Differences) { d.Ratio = -1 }),
			stat.ErrDomain, "ratio",
		},
		"design": {
			func(q *Retest) { q.Test, _ = stat.Lookup("5x2cv-f") }, good,
			stat.ErrDesign, "5x2cv-f",
		},
		"one fold": {func(*Retest) {}, edit(func(d *stat.Differences) {
			d.Runs, d.Folds = 12,
				1
		}), stat.ErrDesign, "corrected-cv-t"},
		"direction of an F": {func(q *Retest) {
			q.Test.Run, q.Alternative = stat.FiveByTwoFTest,
				stat.Less
		}, good, stat.ErrDomain, "two-sided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := retest(2)
			c.edit(&q)
			_, err := q.Predict(c.d)
			require.ErrorIs(t, err, c.err)
			require.ErrorContains(t, err, c.text)
			_, err = scoreOf(q, c.d)
			require.ErrorIs(t, err, c.err)
			_, err = q.Adaptive(c.d, Rule{Required: 0.9})
			require.ErrorIs(t, err, c.err)
			_, err = q.Count(c.d, 2)
			require.ErrorIs(t, err, c.err)
			_, err = q.Pooled(c.d, 10, 1)
			require.ErrorIs(t, err, c.err)
		})
	}
}
