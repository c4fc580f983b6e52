package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"gonum.org/v1/gonum/mathext"
)

// A gateSet has the findings on a data set.
type gateSet struct {
	a, b     []float64 // scores of the candidate and of the baseline
	ratio    float64
	rejects  [numGates]bool // in either direction
	mean, se float64        // of the default test
}

// measure trains both learners on a data set and has all gates decide.
func (u *null) measure(ctx context.Context, s *lab.Drawn) (found gateSet, err error) {
	protocol := u.planned()
	if found.ratio, found.a, err = s.Scores(ctx, protocol, u.candidate); err != nil {
		return found, err
	}
	if _, found.b, err = s.Scores(ctx, protocol, u.baseline); err != nil {
		return found, err
	}
	r, err := defaultGate.test().Run(found.differences(0, protocol), stat.TwoSided)
	if err != nil {
		return found, err
	}
	found.mean, found.se = r.Mean, r.SE
	found.rejects, err = u.decide(ctx, s, &found, 0, stat.TwoSided)
	return found, err
}

// differences subtracts the scores as if the candidate were better by shift in each trial.
func (f *gateSet) differences(shift float64, p split.Protocol) stat.Differences {
	return lab.NewDifferences(f.ratio, shifted(f.a, shift), f.b, p.Runs())
}

func shifted(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = x[i] + by
	}
	return y
}

// decide has all gates decide if the candidate were better by shift in each trial. They may reject
// at the level of a two-sided test, in either direction or in the candidate's favour
// (stat.Greater). Halves are trained only where the default test rejects, as in a second opinion:
// elsewhere they decide nothing.
func (u *null) decide(ctx context.Context, s *lab.Drawn, f *gateSet, shift float64,
	direction stat.Alternative,
) (rejects [numGates]bool, err error) {
	d := f.differences(shift, u.planned())
	for _, g := range []gate{defaultGate, wideGate, fewDegrees, pairedGate} {
		r, err := g.test().Run(d, stat.TwoSided)
		if err != nil {
			return rejects, fmt.Errorf("%v: %w", g, err)
		}
		rejects[g] = r.P <= gateLevel && (direction == stat.TwoSided || r.Mean > 0)
	}
	p, ahead := uTest(shifted(f.a, shift), f.b)
	rejects[unpaired] = p <= gateLevel && (direction == stat.TwoSided || ahead)
	if !rejects[defaultGate] {
		return rejects, nil
	}
	seconds := []gate{bothShort, bothLong}
	if u.quick {
		seconds = seconds[:1]
	}
	halves, err := u.planned().Halves(halvings[seconds[len(seconds)-1]], halfFolds)
	if err != nil {
		return rejects, err
	}
	h, err := s.Differences(ctx, halves, u.candidate, u.baseline)
	if err != nil {
		return rejects, err
	}
	h = h.From(-shift)
	for _, g := range seconds {
		if rejects[g], err = agree(d, lab.Part(h, 0, halvings[g]), gateLevel); err != nil {
			return rejects, err
		}
	}
	return rejects, nil
}

// A gateRow has the findings on all data sets of a null.
type gateRow struct {
	of       *null
	rejected [numGates]lab.Proportion
	ratio    float64 // of the standard error of the default test to the standard deviation of the mean, as root mean squares
	sd       float64 // of the mean
	differ   bool    // the scores, in any trial
	power    [numGates]lab.Proportion
}

func newGateRow(u *null, sets []gateSet) gateRow {
	row := gateRow{of: u}
	var means, errs float64
	for i := range sets {
		row.rejected = count(row.rejected, sets[i].rejects)
		means += float64(sets[i].mean * sets[i].mean)
		errs += float64(sets[i].se * sets[i].se)
		row.differ = row.differ || !slices.Equal(sets[i].a, sets[i].b)
	}
	row.ratio = math.Sqrt(errs / means)
	row.sd = math.Sqrt(means / float64(len(sets)))
	return row
}

// count adds the findings on one more data set.
func count(p [numGates]lab.Proportion, rejects [numGates]bool) [numGates]lab.Proportion {
	for g := range p {
		p[g].N++
		p[g].K += lab.Indicator(rejects[g])
	}
	return p
}

// detectable returns the difference that the oracle finds with gatePower.
func (r *gateRow) detectable() float64 { return oracleFinds(r.sd) }

// oracleFinds returns the difference that a test finds with gatePower if it knows the standard
// deviation.
func oracleFinds(sd float64) float64 {
	return (mathext.NormalQuantile(1-gateLevel/2) + mathext.NormalQuantile(gatePower)) * sd
}

// gateRows measures the nulls on so many data sets each, and power on so many of them.
func gateRows(ctx context.Context, cfg lab.Config, all []null, sets, powerSets int) (_ []gateRow,
	err error,
) {
	l, err := lab.Open(cfg, len(all)*(sets+powerSets))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	rows := make([]gateRow, len(all))
	for i := range all {
		u := &all[i]
		found := make([]gateSet, sets)
		if err := l.Each(ctx, u.source, u.n, len(found), func(ctx context.Context,
			s *lab.Drawn,
		) (err error) {
			found[s.Index], err = u.measure(ctx, s)
			return err
		}); err != nil {
			return nil, err
		}
		row := newGateRow(u, found)
		finds := make([][numGates]bool, powerSets)
		if err := l.Each(ctx, u.source, u.n, len(finds), func(ctx context.Context,
			s *lab.Drawn,
		) (err error) {
			finds[s.Index], err = u.decide(ctx, s, &found[s.Index], row.detectable(), stat.Greater)
			return err
		}); err != nil {
			return nil, err
		}
		for _, f := range finds {
			row.power = count(row.power, f)
		}
		rows[i] = row
	}
	return rows, nil
}
