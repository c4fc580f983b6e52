package stat

import (
	"fmt"
)

// A Retest is a test that is repeated on other random partitions of one data
// set. Its methods estimate the probability that two repeats come to the same
// conclusion, the replicability, from a pool of runs: by counting ([Retest.Count]),
// by drawing from the pool ([Retest.Pooled]) and by prediction
// ([Retest.Predict]); [Retest.Adaptive] decides whether it is as high as
// required from as few runs as will do.
//
// The first Runs runs of the pool are the test itself: they give the verdict.
// A repeat counts as a rejection only if it rejects in the verdict's direction.
// All runs of the pool must be exchangeable: drawn in the same way, none chosen
// for its outcome.
type Retest struct {
	Test        Test        // as in the [Tests]
	Runs        int         // runs of one repeat, at least 1
	Alpha       float64     // level: a repeat rejects if p ≤ Alpha; between 0 and 1
	Alternative Alternative // of the test

	// Direction is that of the verdict, Greater or Less. If zero, it is that of
	// a one-sided alternative and otherwise the sign of the statistic on the first
	// Runs runs, or Greater if that is 0; if these do not reject, then rejections in
	// either direction count against them, except that a prediction leaves out the
	// less likely one.
	Direction Alternative

	// Null is the difference under the null hypothesis, in the unit of the
	// scores: the gain to be exceeded, or minus the margin of non-inferiority.
	Null float64

	// Level is that of the interval of a prediction. If zero, 0.9.
	Level float64
}

// A repeats value is a Retest on a pool of which all is checked and known.
type repeats struct {
	Retest
	pool     Differences // from the null hypothesis
	first    Result      // of the test on the first runs
	sign     float64     // +1 or −1: the direction
	either   bool        // whether rejections in the other direction count too
	rejected bool        // whether the first repeat rejects in it
}

// on checks q and the pool d, of which it needs the given number of runs.
func (q Retest) on(d Differences, runs int) (*repeats, error) {
	if q.Level == 0 {
		q.Level = 0.9
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	if err := d.shape(); err != nil {
		return nil, err
	}
	if err := d.notFinite(); err != nil {
		return nil, err
	}
	if q.Test.Design != nil {
		if err := q.Test.Design(q.Runs, d.Folds); err != nil {
			return nil, err
		}
	}
	if d.Runs < runs {
		return nil, fmt.Errorf("%w: %d runs, need at least %d: train more runs", ErrSampleSize, d.Runs, runs)
	}
	p := &repeats{Retest: q, pool: d.from(q.Null)}
	var err error
	if p.first, err = q.Test.Run(p.block(0), q.Alternative); err != nil {
		return nil, err
	}
	p.sign = 1
	p.either = q.Alternative == TwoSided && q.Direction == TwoSided && !(p.first.P <= q.Alpha)
	switch {
	case q.Alternative != TwoSided:
		p.Direction = q.Alternative
	case q.Direction == TwoSided && p.first.towards() < 0:
		p.Direction = Less
	case q.Direction == TwoSided:
		p.Direction = Greater
	}
	if p.Direction == Less {
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
		return fmt.Errorf("%w: no test to repeat", ErrDomain)
	case q.Runs < 1:
		return fmt.Errorf("%w: a test on %d runs", ErrDomain, q.Runs)
	case q.Alternative != TwoSided && q.Direction != TwoSided && q.Direction != q.Alternative:
		return fmt.Errorf("%w: direction %v of a test whose alternative is %v", ErrDomain, q.Direction, q.Alternative)
	case q.Null-q.Null != 0:
		return fmt.Errorf("%w: difference %v under the null hypothesis", ErrNotFinite, q.Null)
	}
	if err := checkLevel(q.Alpha); err != nil {
		return err
	}
	return checkLevel(q.Level)
}

// block returns the runs of repeat i, counted from 0.
func (p *repeats) block(i int) Differences {
	d, size := p.pool, p.Runs*p.pool.Folds
	d.Runs, d.X = p.Runs, d.X[i*size:(i+1)*size]
	return d
}

// rejects reports whether r, a repeat's result, is a rejection that counts.
func (p *repeats) rejects(r Result) bool {
	return r.P <= p.Alpha && (p.Alternative != TwoSided || p.either || p.sign*r.towards() > 0)
}

// towards is positive if the result favours the candidate and negative if it
// favours the baseline.
func (r *Result) towards() float64 {
	if r.Law == LawF {
		return r.Mean // the statistic has no sign
	}
	return r.Statistic
}
