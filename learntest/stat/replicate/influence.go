package replicate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// forScore checks q and d for a prediction.
func (q Retest) forScore(d stat.Differences) (*repeats, error) {
	p, err := q.on(d, max(2, q.Runs))
	if err != nil {
		return nil, err
	}
	if p.form() == notSmooth || p.first.Test != q.Test.Name {
		return nil, fmt.Errorf("%w: the replicability of %s cannot be predicted; pool or count repeats of it", stat.ErrDomain, q.Test.Name)
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
	case cvT, resampledT, "paired-t", stat.UseAllData.String():
		return aboutMean
	case stat.MeanFolds.String():
		return ofRunMeans
	case stat.FoldsAveragedVar.String():
		return insideRuns
	case stat.RunsAveragedVar.String():
		return insideFolds
	case stat.SortedRunsAveragedVar.String():
		return insideSortedFolds
	case "averaged-t", stat.FoldsAveragedT.String():
		return meanOfT
	}
	return notSmooth
}

// score returns the score from the first N runs of the pool: see the documentation of the
// package.
func (p *repeats) score(N int) (Score, error) {
	s := Score{Runs: p.Runs, N: N}
	d := p.pool
	d.Runs, d.X = N, d.X[:N*d.Folds]
	m, err := d.Moments()
	if err != nil {
		return Score{}, err
	}
	if m.SD == 0 {
		threshold := 0.0
		if d.LeastVariance > 0 && p.corrected() {
			kappa, err := p.kappa(&d)
			if err != nil {
				return Score{}, err
			}
			threshold = kappa * math.Sqrt(d.LeastVariance*p.shrunk(&d))
		}
		s.Z = certain(p.sign*m.Mean - threshold)
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
func (p *repeats) influence(d *stat.Differences, m stat.Moments) (g float64, u []float64,
	tol float64, err error,
) {
	kappa, err := p.kappa(d)
	if err != nil {
		return 0, nil, 0, err
	}
	var unit float64
	for _, x := range d.X {
		unit = max(unit, math.Abs(x-m.Mean))
	}
	e := make([]float64, len(d.X))
	for i, x := range d.X {
		e[i] = (x - m.Mean) / unit
	}
	u = make([]float64, d.Runs)
	for j := range u {
		u[j] = p.sign * sample.Mean(e[j*d.Folds:(j+1)*d.Folds])
	}
	squares := p.form().squares(e, d.Folds)
	w := sample.Mean(squares)
	root := math.Sqrt(w)
	tol = m.Tolerance / unit
	least := 0.0
	if p.corrected() {
		least = math.Sqrt(d.LeastVariance*p.shrunk(d)) / unit
	}
	if least > root { // the test divides by that on such runs, and only the mean decides
		root = least
	} else if root > tol { // otherwise the test divides by 0 on any runs, and only the mean decides
		for j := range u {
			u[j] -= float64(kappa * (squares[j] - w) / (2 * root))
		}
		tol *= 1 + math.Abs(kappa)
	} else {
		root = 0
	}
	return float64(p.sign*m.Mean/unit) - float64(kappa*root), u, tol, nil
}

// corrected reports whether the test has a corrected variance, which is at least
// stat.Differences.LeastVariance.
func (p *repeats) corrected() bool {
	name, _, _ := strings.Cut(p.Test.Name, "/")
	return name == cvT || name == resampledT
}

// shrunk returns the mean of squares about the mean, as a share of the unbiased variance, in a
// test's own runs, which is what kappa is about.
func (p *repeats) shrunk(d *stat.Differences) float64 {
	n := float64(p.Runs * d.Folds)
	return (n - 1) / n
}

// The tests with a corrected variance, which take a setting.
const (
	cvT        = "corrected-cv-t"
	resampledT = "corrected-resampled-t"
)

// kappa returns κ: the test rejects if the mean exceeds κ√w.
func (p *repeats) kappa(d *stat.Differences) (float64, error) {
	c, err := p.first.Critical(p.Alpha)
	if err != nil {
		return 0, err
	}
	runs, folds := float64(p.Runs), float64(d.Folds)
	n := runs * folds
	ratio := d.Ratio // known to the test where it needs one, or the first run had failed
	if ratio == 0 {
		ratio = 1 / (folds - 1)
	}
	var rho float64
	switch name, setting, _ := strings.Cut(p.Test.Name, "/"); {
	case name == cvT && setting != "":
		fixed, err := strconv.ParseFloat(strings.TrimPrefix(setting, "ratio="), 64)
		if err != nil {
			return 0, fmt.Errorf("%w: %s", stat.ErrDomain, p.Test.Name)
		}
		rho = fixed + 1/n
	case name == resampledT && setting != "":
		rho = (ratio + 1/n) * n / (p.first.DF + 1)
	case name == cvT, name == resampledT:
		rho = ratio + 1/n
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
	return c * math.Sqrt(rho*size/(size-1)), nil
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
			a := sample.Mean(run)
			w[j] = float64(a * a)
			continue
		case insideRuns:
			a := sample.Mean(run)
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
func (p *repeats) influenceOnT(d *stat.Differences, m stat.Moments) (g float64, u []float64,
	tol float64, err error,
) {
	c, err := p.first.Critical(p.Alpha)
	if err != nil {
		return 0, nil, 0, err
	}
	u = make([]float64, d.Runs)
	for j := range u {
		mean, sd, _ := sample.MeanSD(d.X[j*d.Folds : (j+1)*d.Folds])
		if sd <= m.Tolerance {
			return 0, nil, 0, fmt.Errorf("%s: %w in run %d, so that its t is undefined", p.Test.Name,
				stat.ErrZeroVariance, j+1)
		}
		// t = mean/(sd/√folds), and the statistic is t·√((df+1)/folds).
		factor := math.Sqrt(p.first.DF + 1)
		u[j] = p.sign * mean / sd * factor
		tol = max(tol, m.Tolerance/sd*(math.Abs(u[j])+factor))
	}
	return sample.Mean(u) - c, u, tol, nil
}
