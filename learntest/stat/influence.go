package stat

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// Score returns the score of the test on q.Runs runs, from the N = d.Runs ≥
// max(2, q.Runs) runs at hand. It exists for tests that are smooth functions of
// means over runs. With s = +1 or −1 the direction, n = runs·folds, c the critical
// value of the test on q.Runs runs at its level and in its alternative, A_j the
// mean of the differences of run j (from the null hypothesis) and a the mean of
// all, the test rejects in direction s just if G > 0. To first order G is, about its
// value on all runs, the mean of the runs' influences u_j, the derivatives of
// G with respect to the share of run j; their standard deviation over the N
// runs is τ, and Z = G√Runs/τ.
//
// The tests that divide by a standard deviation have
//
//	G = s·a − κ√w,  κ = c√(ρf),  w the mean over runs of some W_j,
//	u_j = s·A_j − κ(W_j − w)/(2√w),
//
// since W_j is a mean square about means over runs or folds, and a mean square is
// stationary at these, so that to first order w varies only by the shares. They are
//
//	test                          W_j, a mean over the folds of     ρ               f
//	corrected-cv-t                (x_ij − a)²                       1/n + n2/n1     n/(n−1)
//	corrected-resampled-t         (x_ij − a)²                       1/n + n2/n1     n/(n−1)
//	paired-t                      (x_ij − a)²                       1/n             n/(n−1)
//	b03-use-all-data              (x_ij − a)²                       1/(df+1)        n/(n−1)
//	b03-folds                     (A_j − a)²                        1/(df+1)        runs/(runs−1)
//	b03-folds-averaged-var        (x_ij − A_j)²                     1/(df+1)        folds/(folds−1)
//	b03-runs-averaged-var         (x_ij − x_i.)²                    1/(df+1)        runs/(runs−1)
//	b03-sorted-runs-averaged-var  (x_ij − x_i.)² after sorting      1/(df+1)        runs/(runs−1)
//
// where f makes the variance on q.Runs runs unbiased, as the tests have it, and
// x_i. is the mean of fold i over runs. For the first three w is b − a² with b
// the mean square of the differences, and u_j the same as s·A_j − (B_j −
// 2aA_j)κ/(2√w) but for a constant. The mean of the runs' t is linear in them:
//
//	averaged-t, b03-folds-averaged-t   G = s·t̄·√((df+1)/folds) − c,  u_j = s·t_j·√((df+1)/folds)
//
// with df = folds−1 for the former. Bouckaert's tests may have degrees of
// freedom of their own ([Bouckaert.Calibrated]).
//
// Of the others of the catalogue, 5x2cv-t and the averaged one hang on
// single differences, the F and the permutation test are not a function of this
// kind in one direction, and what b03-runs and the tests on sorted or averaged
// fold numbers divide by is mostly due to how few runs there are. For these
// the error wraps [ErrDomain]; [Retest.Pooled] will do.
//
// The first order is close for variances over all differences: in the tests of
// this package, on runs of 10 folds drawn from a pool, Φ(Z) is within 0.035 of the
// share of tests on 10 runs that reject. Where the variance is over as many values
// as there are runs, it is not: within 0.1 for b03-runs-averaged-var and the sorted one,
// 0.15 for b03-folds. Prefer [Retest.Pooled] for these where there are runs
// enough.
//
// For a two-sided test, rejections in the other direction are left out: they
// matter only if the test has next to no power in either.
//
// It returns the errors of [Retest.Count], where too few runs are fewer than
// max(2, q.Runs), and one that wraps [ErrZeroVariance] and names the run if the t
// of one is undefined. Special cases: if G does not vary over the runs up to
// round-off, as with identical learners or a constant difference, Z is +Inf
// if the test rejects in the direction and −Inf if not.
//
// The cost is O(Nk), or O(Nk log k) for sorted runs.
//
// Source: own derivation, by the delta method.
func (q Retest) Score(d Differences) (Score, error) {
	p, err := q.forScore(d)
	if err != nil {
		return Score{}, err
	}
	return p.score(d.Runs)
}

// forScore checks q and d for a prediction.
func (q Retest) forScore(d Differences) (*repeats, error) {
	p, err := q.on(d, max(2, q.Runs))
	if err != nil {
		return nil, err
	}
	if p.form() == notSmooth || p.first.Test != q.Test.Name {
		return nil, fmt.Errorf("%w: the replicability of %s cannot be predicted; pool or count repeats of it", ErrDomain, q.Test.Name)
	}
	return p, nil
}

// A form is how a test's statistic is made of means over runs: by which mean
// squares its standard deviation is, or as a mean of the runs' t.
type form uint8

const (
	notSmooth form = iota
	aboutMean
	ofRunMeans
	insideRuns
	insideFolds
	insideSortedFolds
	meanOfT
)

// form returns the form of the test.
func (p *repeats) form() form {
	name, _, _ := strings.Cut(p.Test.Name, "/")
	switch name {
	case "corrected-cv-t", "corrected-resampled-t", "paired-t", UseAllData.String():
		return aboutMean
	case MeanFolds.String():
		return ofRunMeans
	case FoldsAveragedVar.String():
		return insideRuns
	case RunsAveragedVar.String():
		return insideFolds
	case SortedRunsAveragedVar.String():
		return insideSortedFolds
	case "averaged-t", FoldsAveragedT.String():
		return meanOfT
	}
	return notSmooth
}

// score returns the score from the first N runs of the pool.
func (p *repeats) score(N int) (Score, error) {
	s := Score{Runs: p.Runs, N: N}
	d := p.pool.leading(N)
	m, err := d.moments()
	if err != nil {
		return Score{}, err
	}
	if m.sd == 0 {
		s.Z = certain(p.sign * m.mean)
		return s, nil
	}
	var g, tol float64
	var u []float64
	if p.form() == meanOfT {
		g, u, tol, err = p.influenceOnT(&d, m)
	} else {
		g, u, tol, err = p.influence(&d, m)
	}
	if err != nil {
		return Score{}, err
	}
	_, tau, _ := sample.MeanSD(u)
	if tau <= tol {
		s.Z = certain(g)
		return s, nil
	}
	s.Z = g / tau * math.Sqrt(float64(p.Runs))
	return s, nil
}

// leading returns the first runs of d.
func (d *Differences) leading(runs int) Differences {
	e := *d
	e.Runs, e.X = runs, d.X[:runs*d.Folds]
	return e
}

// certain returns the score of a test whose G is g whatever the partition.
func certain(g float64) float64 {
	if g > 0 {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// influence returns G, the influences of the runs on it, and the standard
// deviation up to which these count as equal, for a test that divides by a
// standard deviation. All three are in a unit that the scores cancel, which
// avoids overflow.
func (p *repeats) influence(d *Differences, m moments) (g float64, u []float64, tol float64, err error) {
	kappa, err := p.kappa(d)
	if err != nil {
		return 0, nil, 0, err
	}
	var unit float64
	for _, x := range d.X {
		unit = max(unit, math.Abs(x-m.mean))
	}
	e := make([]float64, len(d.X))
	for i, x := range d.X {
		e[i] = (x - m.mean) / unit
	}
	u = make([]float64, d.Runs)
	for j := range u {
		u[j] = p.sign * mean(e[j*d.Folds:(j+1)*d.Folds])
	}
	squares := p.form().squares(e, d.Folds)
	w := mean(squares)
	root := math.Sqrt(w)
	tol = m.tol / unit
	if root > tol { // otherwise the test divides by 0 on any runs, and only the mean decides
		for j := range u {
			u[j] -= float64(kappa * (squares[j] - w) / (2 * root))
		}
		tol *= 1 + math.Abs(kappa)
	} else {
		root = 0
	}
	return float64(p.sign*m.mean/unit) - float64(kappa*root), u, tol, nil
}

// kappa returns κ: the test rejects if the mean exceeds κ√w.
func (p *repeats) kappa(d *Differences) (float64, error) {
	c, err := p.first.Critical(p.Alpha)
	if err != nil {
		return 0, err
	}
	runs, folds := float64(p.Runs), float64(d.Folds)
	n := runs * folds
	rho, fixed := ratioOfName(p.Test.Name)
	switch {
	case fixed:
		rho += 1 / n
	case p.Test.Name == "corrected-cv-t":
		rho, err = d.ratio(1 / (folds - 1))
		rho += 1 / n
	case p.Test.Name == "corrected-resampled-t":
		rho, err = d.ratio(0)
		rho += 1 / n
	case strings.HasPrefix(p.Test.Name, "corrected-resampled-t/df="):
		rho, err = d.ratio(0)
		rho = (rho + 1/n) * n / (p.first.DF + 1)
	default:
		rho = 1 / (p.first.DF + 1)
	}
	size := runs // of the sample whose variance the test takes
	switch p.form() {
	case aboutMean:
		size = n
	case insideRuns:
		size = folds
	}
	return c * math.Sqrt(rho*size/(size-1)), err
}

// squares returns W_j of the runs in e, which is sorted in place if the form
// sorts. The mean of e is 0 up to round-off.
func (f form) squares(e []float64, folds int) []float64 {
	runs := len(e) / folds
	w := make([]float64, runs)
	centre := make([]float64, folds)
	if f == insideSortedFolds {
		for j := range runs {
			slices.Sort(e[j*folds : (j+1)*folds])
		}
	}
	if f == insideFolds || f == insideSortedFolds {
		for i, v := range e {
			centre[i%folds] += v / float64(runs)
		}
	}
	for j := range runs {
		run := e[j*folds : (j+1)*folds]
		switch f {
		case ofRunMeans:
			a := mean(run)
			w[j] = float64(a * a)
			continue
		case insideRuns:
			a := mean(run)
			for i := range centre {
				centre[i] = a
			}
		}
		for i, v := range run {
			v -= centre[i]
			w[j] += float64(v * v)
		}
		w[j] /= float64(folds)
	}
	return w
}

// influenceOnT is influence for the mean of the runs' t.
func (p *repeats) influenceOnT(d *Differences, m moments) (g float64, u []float64, tol float64, err error) {
	c, err := p.first.Critical(p.Alpha)
	if err != nil {
		return 0, nil, 0, err
	}
	u = make([]float64, d.Runs)
	for j := range u {
		mean, sd, _ := sample.MeanSD(d.X[j*d.Folds : (j+1)*d.Folds])
		if sd <= m.tol {
			return 0, nil, 0, fmt.Errorf("%s: %w in run %d, so that its t is undefined", p.Test.Name, ErrZeroVariance, j+1)
		}
		// t = mean/(sd/√folds), and the statistic is t·√((df+1)/folds).
		factor := math.Sqrt(p.first.DF + 1)
		u[j] = p.sign * mean / sd * factor
		tol = max(tol, m.tol/sd*(math.Abs(u[j])+factor))
	}
	return mean(u) - c, u, tol, nil
}

// mean returns the mean of x, which must not be empty.
func mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
