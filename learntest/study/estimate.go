package study

import (
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

// An estimator is a way to estimate replicability from runs, and the number of these.
type estimator struct {
	name string
	runs int
}

// The names of the estimators.
const (
	posterior = "posterior mean, exact interval"
	plugIn    = "plug-in R(Z), normal interval"
	pooled    = "pooled"
	counted   = "counted R(k,10)"
)

// sizes are the numbers of runs that estimators get to see.
var sizes = []int{10, 20, 40, 100}

// estimators returns all, with each number of runs that they can work with.
func estimators() []estimator {
	var all []estimator
	for _, name := range []string{posterior, plugIn, pooled, counted} {
		for _, n := range sizes {
			if name == counted && n < 100 || name == pooled && n < 20 {
				continue
			}
			all = append(all, estimator{name, n})
		}
	}
	return all
}

// finest is the replicability above which estimates and truth count as equal: a
// truth that is found by repeating the test is known no better.
const finest = 0.999

// An errorSum sums up the errors of an estimator.
type errorSum struct {
	n, covered     int
	sum, sumSquare float64
}

func (s *errorSum) add(r, lo, hi, truth float64) {
	e := r - truth
	s.n++
	s.sum += e
	s.sumSquare += float64(e * e)
	if min(lo, finest) <= truth && min(truth, finest) <= hi {
		s.covered++
	}
}

// An agreementSum sums up, for a bin, the predictions and the true values.
type agreementSum struct {
	n               int
	predicted, true float64
}

// bins are the lower ends of the bins of the probability that a rerun agrees.
var bins = []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99}

// bin returns the bin of p; the first one is also for any p below it.
func bin(p float64) int {
	b := 0
	for b+1 < len(bins) && p >= bins[b+1] {
		b++
	}
	return b
}

// A ruleSum sums up the answers of a rule that looked at runs in turn.
type ruleSum struct {
	n, shown, refuted int
	looked            int // runs
	strict            int // shown by the strict rule
	counted           int // shown by counting ten repeats
}

// An appraisal is how well the methods did on a pool.
type appraisal struct {
	pool   *lab.Pool
	truth  truth
	errors map[estimator]*errorSum
	agree  [2][]agreementSum // of predictions from the runs of the test, by bin: not significant, significant
	rule   ruleSum           // of significant tests
}

// An effort says how much is done to judge the methods on a pool.
type effort struct {
	repeats int // of the test, for the truth
	draws   int // of runs to be seen
	splits  int // of the pooled estimator
}

const required = 0.9 // replicability, of the rule

// appraise judges the methods on a pool. The seed is its own.
func appraise(p *lab.Pool, e effort, seed uint64) (*appraisal, error) {
	test, err := stat.Lookup("corrected-cv-t")
	if err != nil {
		return nil, err
	}
	q := replicate.Retest{Test: test, Runs: 10, Alpha: 0.05}
	rng := rand.New(rand.NewPCG(seed, 0x94d049bb133111eb))
	a := &appraisal{pool: p, errors: make(map[estimator]*errorSum)}
	for _, est := range estimators() {
		a.errors[est] = new(errorSum)
	}
	for i := range a.agree {
		a.agree[i] = make([]agreementSum, len(bins))
	}
	if a.truth, err = truthOf(p, rng, q, e.repeats); err != nil {
		return nil, err
	}
	d := p.Room(sizes[len(sizes)-1])
	for range e.draws {
		p.Draw(rng, &d)
		if err := a.estimate(q, d, e.splits, rng.Uint64()); err != nil {
			return nil, err
		}
		if err := a.decide(q, d); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// estimate adds the errors of all estimators on runs that were drawn.
func (a *appraisal) estimate(q replicate.Retest, d stat.Differences, splits int,
	seed uint64,
) error {
	truth, nan := a.truth.agreement(), math.NaN()
	for _, n := range sizes {
		seen := d
		seen.Runs, seen.X = n, d.X[:n*d.Folds]
		p, err := q.Predict(seen)
		if err != nil {
			return err
		}
		a.errors[estimator{posterior, n}].add(p.R, p.Lo, p.Hi, truth)
		lo, hi := normalInterval(p.Score)
		a.errors[estimator{plugIn, n}].add(replicability(p.Z), lo, hi, truth)
		if n == q.Runs {
			s := &a.agree[lab.Indicator(p.Rejected)][bin(p.P)]
			s.n++
			s.predicted += p.P
			s.true += a.truth.agrees(p.Rejected, p.Direction)
		}
		if s := a.errors[estimator{pooled, n}]; s != nil {
			p, err := q.Pooled(seen, splits, seed)
			if err != nil {
				return err
			}
			s.add(p.R, nan, nan, truth)
		}
		if s := a.errors[estimator{counted, n}]; s != nil {
			c, err := q.Count(seen, n/q.Runs)
			if err != nil {
				return err
			}
			s.add(c.R, nan, nan, truth)
		}
	}
	return nil
}

// decide adds what the rules answer where the test rejects.
func (a *appraisal) decide(q replicate.Retest, d stat.Differences) error {
	c, err := q.Adaptive(d, replicate.Rule{Required: required})
	if err != nil || !c.Prediction.Rejected {
		return err
	}
	strict, err := q.Adaptive(d, replicate.StrictRule(required))
	if err != nil {
		return err
	}
	count, err := q.Count(d, 10)
	if err != nil {
		return err
	}
	s := &a.rule
	s.n++
	s.looked += c.Looked
	s.shown += lab.Indicator(c.Answer == replicate.Shown)
	s.refuted += lab.Indicator(c.Answer == replicate.Refuted)
	s.strict += lab.Indicator(strict.Answer == replicate.Shown)
	s.counted += lab.Indicator(count.Shows(required))
	return nil
}

// replicability returns R(θ).
func replicability(theta float64) float64 {
	p := 0.5 * math.Erfc(math.Abs(theta)/math.Sqrt2)
	return 1 - float64(2*p*(1-p))
}

// normalInterval returns the 90% interval of R that would hold if the spread of the runs
// were known.
func normalInterval(s replicate.Score) (lo, hi float64) {
	half := 1.6448536269514722 * math.Sqrt(float64(s.Runs)/float64(s.N))
	a, b := s.Z-half, s.Z+half
	lo, hi = replicability(a), replicability(b)
	if lo > hi {
		lo, hi = hi, lo
	}
	if a < 0 && b > 0 {
		lo = 0.5
	}
	return lo, hi
}
