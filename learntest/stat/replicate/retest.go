package replicate

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A Retest is a test that is repeated on other random partitions of one data set. Its
// methods estimate the replicability: the probability that two repeats come to the same
// conclusion. They estimate it from a pool of runs, by counting ([Retest.Count]), by
// drawing from the pool ([Retest.Pooled]) or by prediction ([Retest.Predict]).
// [Retest.Adaptive] decides with few runs whether it is as high as required.
//
// The first Runs runs of the pool are the test itself: they give the verdict. A repeat
// counts as a rejection only if it rejects in the verdict's direction. All runs of the pool
// must be exchangeable: drawn in one way, none chosen for its outcome.
type Retest struct {
	Test        stat.Test        // as in the [stat.Tests]
	Runs        int              // runs of one repeat, at least 1
	Alpha       float64          // level: a repeat rejects if p ≤ Alpha; between 0 and 1
	Alternative stat.Alternative // of the test

	// Direction is the direction of the verdict, Greater or Less. If zero, it is the direction
	// of a one-sided alternative, otherwise the sign of the statistic on the first Runs runs,
	// or Greater if that is 0. If these runs do not reject, rejections in either direction
	// count against them, except that a prediction leaves out the less likely direction.
	Direction stat.Alternative

	// Null is the difference under the null hypothesis, in the unit of the
	// scores: the gain to be exceeded, or minus the margin of non-inferiority.
	Null float64

	// Level is the level of the interval of a prediction. If zero, 0.9.
	Level float64
}

// A repeats value is a Retest on a pool of which all is checked and known.
type repeats struct {
	Retest
	pool     stat.Differences // from the null hypothesis
	first    stat.Result      // of the test on the first runs
	sign     float64          // +1 or −1: the direction
	either   bool             // whether rejections in the other direction count too
	rejected bool             // whether the first repeat rejects in it
}

// on checks q and the pool d, of which it needs the given number of runs.
func (q Retest) on(d stat.Differences, runs int) (*repeats, error) {
	if q.Level == 0 {
		q.Level = 0.9
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	if q.Test.Design != nil {
		if err := q.Test.Design(q.Runs, d.Folds); err != nil {
			return nil, err
		}
	}
	if d.Runs < runs {
		return nil, fmt.Errorf("%w: %d runs, need at least %d: train more runs", stat.ErrSampleSize,
			d.Runs, runs)
	}
	p := &repeats{Retest: q, pool: d.From(q.Null)}
	var err error
	if p.first, err = q.Test.Run(p.block(0), q.Alternative); err != nil {
		return nil, err
	}
	p.sign = 1
	p.either = q.Alternative == stat.TwoSided && q.Direction == stat.TwoSided &&
		!(p.first.P <= q.Alpha)
	switch {
	case q.Alternative != stat.TwoSided:
		p.Direction = q.Alternative
	case q.Direction == stat.TwoSided && towards(p.first) < 0:
		p.Direction = stat.Less
	case q.Direction == stat.TwoSided:
		p.Direction = stat.Greater
	}
	if p.Direction == stat.Less {
		p.sign = -1
	}
	p.rejected = p.rejects(p.first)
	return p, nil
}

// check returns an error unless q can be repeated.
func (q *Retest) check() error {
	if err := q.Alternative.Check(); err != nil {
		return err
	}
	if err := q.Direction.Check(); err != nil {
		return err
	}
	switch {
	case q.Test.Run == nil:
		return fmt.Errorf("%w: no test to repeat", stat.ErrDomain)
	case q.Runs < 1:
		return fmt.Errorf("%w: a test on %d runs", stat.ErrDomain, q.Runs)
	case q.Alternative != stat.TwoSided && q.Direction != stat.TwoSided &&
		q.Direction != q.Alternative:
		return fmt.Errorf("%w: direction %v of a test whose alternative is %v", stat.ErrDomain,
			q.Direction, q.Alternative)
	case q.Null-q.Null != 0:
		return fmt.Errorf("%w: difference %v under the null hypothesis", stat.ErrNotFinite, q.Null)
	}
	for _, level := range [...]float64{q.Alpha, q.Level} {
		if !(level > 0 && level < 1) {
			return fmt.Errorf("%w: level %v is not between 0 and 1", stat.ErrDomain, level)
		}
	}
	return nil
}

// block returns the runs of repeat i, counted from 0.
func (p *repeats) block(i int) stat.Differences {
	d, size := p.pool, p.Runs*p.pool.Folds
	d.Runs, d.X = p.Runs, d.X[i*size:(i+1)*size]
	return d
}

// rejects reports whether r, a repeat's result, is a rejection that counts.
func (p *repeats) rejects(r stat.Result) bool {
	return r.P <= p.Alpha && (p.Alternative != stat.TwoSided || p.either || p.sign*towards(r) > 0)
}

// towards returns a number that is positive if the result favours the candidate and negative if it
// favours the baseline.
func towards(r stat.Result) float64 {
	if r.Law == stat.LawF {
		return r.Mean // the statistic has no sign
	}
	return r.Statistic
}
