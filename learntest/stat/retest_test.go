package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// retest is the default test on the given number of runs.
func retest(runs int) stat.Retest {
	return stat.Retest{Test: stat.Tests()[0], Runs: runs, Alpha: 0.05}
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
		edit func(*stat.Retest)
		d    stat.Differences
		err  error
		text string
	}{
		"no test":           {func(q *stat.Retest) { q.Test = stat.Test{} }, good, stat.ErrDomain, "no test"},
		"no runs":           {func(q *stat.Retest) { q.Runs = 0 }, good, stat.ErrDomain, "0 runs"},
		"level 0":           {func(q *stat.Retest) { q.Alpha = 0 }, good, stat.ErrDomain, "level 0"},
		"level NaN":         {func(q *stat.Retest) { q.Alpha = nan() }, good, stat.ErrDomain, "level NaN"},
		"interval level":    {func(q *stat.Retest) { q.Level = 1 }, good, stat.ErrDomain, "level 1"},
		"alternative":       {func(q *stat.Retest) { q.Alternative = 3 }, good, stat.ErrDomain, "Alternative(3)"},
		"direction":         {func(q *stat.Retest) { q.Direction = 4 }, good, stat.ErrDomain, "Alternative(4)"},
		"against its own":   {func(q *stat.Retest) { q.Alternative, q.Direction = stat.Greater, stat.Less }, good, stat.ErrDomain, "direction less"},
		"null":              {func(q *stat.Retest) { q.Null = math.Inf(1) }, good, stat.ErrNotFinite, "null hypothesis"},
		"too few runs":      {func(q *stat.Retest) { q.Runs = 5 }, good, stat.ErrSampleSize, "4 runs, need at least"},
		"one run":           {func(q *stat.Retest) { q.Runs = 1 }, edit(func(d *stat.Differences) { d.Runs, d.Folds = 1, 12 }), stat.ErrSampleSize, "1 runs, need at least 2"},
		"shape":             {func(*stat.Retest) {}, edit(func(d *stat.Differences) { d.Runs = 5 }), stat.ErrSampleSize, "12 differences"},
		"not a number":      {func(*stat.Retest) {}, edit(func(d *stat.Differences) { d.X[10] = nan() }), stat.ErrNotFinite, "run 4, fold 2"},
		"sum not finite":    {func(*stat.Retest) {}, edit(func(d *stat.Differences) { d.X[0], d.X[1] = 1e308, 1e308 }), stat.ErrNotFinite, "sum"},
		"scale":             {func(*stat.Retest) {}, edit(func(d *stat.Differences) { d.Scale = -1 }), stat.ErrDomain, "scale"},
		"ratio":             {func(*stat.Retest) {}, edit(func(d *stat.Differences) { d.Ratio = -1 }), stat.ErrDomain, "ratio"},
		"design":            {func(q *stat.Retest) { q.Test, _ = stat.Lookup("5x2cv-f") }, good, stat.ErrDesign, "5x2cv-f"},
		"one fold":          {func(*stat.Retest) {}, edit(func(d *stat.Differences) { d.Runs, d.Folds = 12, 1 }), stat.ErrDesign, "corrected-cv-t"},
		"direction of an F": {func(q *stat.Retest) { q.Test.Run, q.Alternative = stat.FiveByTwoFTest, stat.Less }, good, stat.ErrDomain, "two-sided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := retest(2)
			c.edit(&q)
			_, err := q.Predict(c.d)
			require.ErrorIs(t, err, c.err)
			require.ErrorContains(t, err, c.text)
			_, err = q.Score(c.d)
			require.ErrorIs(t, err, c.err)
			_, err = q.Adaptive(c.d, stat.Rule{Required: 0.9})
			require.ErrorIs(t, err, c.err)
			_, err = q.Count(c.d, 2)
			require.ErrorIs(t, err, c.err)
			_, err = q.Pooled(c.d, 10, 1)
			require.ErrorIs(t, err, c.err)
		})
	}
}
