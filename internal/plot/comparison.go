package plot

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Finding is the result of a comparison, in the unit of the metric. Numbers that are not known
// are NaN.
type Finding struct {
	Outcome         string
	Difference      float64
	Lo, Hi, Level   float64 // the interval
	P               float64
	Alpha           float64
	Margin          float64 // 0 for none
	Test            string
	Title, Subtitle string // the compared columns, and the verdict in a sentence
	Agrees          float64
}

// A Comparison is the folds and the runs of one comparison. Differences are candidate − baseline,
// in percentage points for metrics with the range 0 to 1.
type Comparison struct {
	Title string
	Lines []string

	Axis        string // metric and unit
	LowerBetter bool
	Outcome     string

	Runs         [][]float64 // differences of the folds of each run
	Mean, Lo, Hi float64
	Margin       float64 // 0 for none
	RunMeans     []float64
	Band         [2]float64 // where BandLevel of the means of reruns fall; NaN if that is not known
	BandLevel    float64
	Beyond       float64 // an absolute mean from which on it is significant, with this variance; NaN if that is not known
	Alpha        float64
	P            []float64 // of the runs one by one, sorted: high where the candidate is better
	AveragedP    float64   // of the mean of their t; NaN if there are none
	Significant  [2]int    // how many runs alone find the candidate worse, and better
}

// bandLevel is the level of the band in which the means of reruns fall; the interval of a
// replicability has the same level.
const bandLevel = 0.9

// NewComparison returns the picture of the pairs of a comparison: of their protocol's own runs.
//
// The mean of r other runs falls with a probability of 90% within m ± t·sd·√(2/r) of the mean m,
// where sd is the standard deviation of the r run means and t has r−1 degrees of freedom: that is
// where reruns fall that differ by the partition only. The p of a single run is one-sided, of the
// paired t test on its folds as Bradford and Brodley (2001) have it in their Figures 1 to 4: near 1
// where the candidate is better and near 0 where the baseline is. AveragedP is the p of the mean of
// these t (their section 4).
func NewComparison(p *record.Pairs, f Finding) (*Comparison, error) {
	own := p.Runs * p.Folds
	if p.Runs < 1 || p.Folds < 1 || len(p.A) < own || len(p.B) < own {
		return nil, fmt.Errorf("%d and %d scores for %d runs of %d folds", len(p.A), len(p.B),
			p.Runs, p.Folds)
	}
	c := &Comparison{
		Title: f.Title, Outcome: f.Outcome, LowerBetter: p.Unit.Better == unit.Lower, Alpha: f.Alpha,
		Axis: axisTitle(p.Unit), BandLevel: bandLevel, Band: [2]float64{math.NaN(), math.NaN()},
		AveragedP: math.NaN(),
	}
	by := factor(p.Unit)
	c.Mean, c.Lo, c.Hi, c.Margin = by*f.Difference, by*f.Lo, by*f.Hi, by*f.Margin
	c.Beyond = (c.Hi - c.Lo) / 2
	if math.IsInf(c.Beyond, 0) {
		c.Beyond = math.NaN()
	}
	for r := range p.Runs {
		run := make([]float64, p.Folds)
		sum := 0.0
		for i := range run {
			run[i] = by * (p.A[r*p.Folds+i] - p.B[r*p.Folds+i])
			sum += run[i]
		}
		c.Runs = append(c.Runs, run)
		c.RunMeans = append(c.RunMeans, sum/float64(p.Folds))
	}
	if f.Subtitle != "" {
		c.Lines = append(c.Lines, f.Subtitle)
	}
	c.Lines = append(c.Lines, provenance(p, f.Test))
	c.band()
	return c, c.alone(p)
}

// provenance names the comparison, its method and its data.
func provenance(p *record.Pairs, test string) string {
	text := fmt.Sprintf("n = %d×%d", p.Runs, p.Folds)
	if test != "" {
		text = test + ", " + text
	}
	if h := p.CandidateHeader; h != nil {
		text += fmt.Sprintf("; protocol %s; data %s, sha256 %.12s", h.Protocol, unit.Printable(p.Data),
			h.DataDigest)
	}
	return text
}

// factor turns differences of a unit into points, if they are fractions.
func factor(u unit.Unit) float64 {
	if u.IsFraction() {
		return 100
	}
	return 1
}

// axisTitle returns metric, unit and the direction in which it is better.
func axisTitle(u unit.Unit) string {
	text := unit.Printable(u.Name)
	if u.IsFraction() {
		text += ", points"
	}
	return text
}

// band finds where reruns fall.
func (c *Comparison) band() {
	n := len(c.RunMeans)
	if n < 2 {
		return
	}
	mean, square := 0.0, 0.0
	for _, x := range c.RunMeans {
		mean += x / float64(n)
	}
	for _, x := range c.RunMeans {
		square += float64((x - mean) * (x - mean))
	}
	t, err := stat.StudentT(float64(n - 1))
	if err != nil {
		return
	}
	q, err := t.Quantile((1 - bandLevel) / 2) // the upper one
	if err != nil {
		return
	}
	half := q * math.Sqrt(square/float64(n-1)) * math.Sqrt(2/float64(n))
	c.Band = [2]float64{mean - half, mean + half}
}

// alone finds what each run alone would have said.
func (c *Comparison) alone(p *record.Pairs) error {
	if p.Folds < 2 {
		return nil
	}
	var ts []float64
	sign := float64(p.Unit.Better)
	for r := range p.Runs {
		lo := r * p.Folds
		d := stat.Differences{Runs: 1, Folds: p.Folds, X: make([]float64, p.Folds)}
		for i := range d.X {
			a, b := p.A[lo+i], p.B[lo+i]
			d.X[i] = sign * (a - b)
			d.Scale = max(d.Scale, math.Abs(a), math.Abs(b))
		}
		t, err := stat.PairedTTest(d, stat.Less) // its p is high where the candidate is better
		if err != nil {
			return fmt.Errorf("run %d: %w", r+1, err)
		}
		if t.Statistic == 0 {
			t.P = 0.5
		}
		c.P = append(c.P, t.P)
		ts = append(ts, t.Statistic)
		switch half := c.Alpha / 2; {
		case t.P <= half:
			c.Significant[0]++
		case 1-t.P <= half:
			c.Significant[1]++
		}
	}
	slices.Sort(c.P)
	averaged, err := stat.AveragedT(ts, float64(p.Folds-1), stat.Less)
	if err != nil && !errors.Is(err, stat.ErrNotFinite) { // a run without variance has no t
		return err
	}
	if err == nil {
		c.AveragedP = averaged.P
	}
	return nil
}
