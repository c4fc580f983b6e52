package study

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A Calibration says for which experiment tests are calibrated, or false alarms counted.
type Calibration struct {
	// Protocol is the protocol of the experiment. If zero, ten runs of stratified 10-fold
	// cross-validation. Its seed is not used: each data set has its own.
	Protocol split.Protocol

	// Alpha is the level. If zero, 0.05.
	Alpha float64

	// Data is the data set. With two learners, its examples get random classes, so that no
	// learner is better than another one; with one, which is then compared with itself, they keep
	// theirs. If nil, data sets come from a network in which the class depends on
	// nothing.
	Data *dataset.Table

	// Learners are two that are compared, or one that is compared with itself on other
	// seeds, which only makes sense if it draws random numbers. If empty, C4.5 and
	// naive Bayes.
	Learners []learntest.Learner[dataset.Row, int]

	// Named says that the name of a learner says all about it, as the names of this module's
	// learners do, with their parameters. Scores are only kept in a store if it does: nothing
	// else says when a learner changes.
	Named bool
}

func calibrateStudy() Study {
	return Study{
		Name: "calibrate",
		Doc:  "Bouckaert 2003, section 4: the degrees of freedom at which tests keep their level, for a protocol, data and learners of one's own",
		Run: func(ctx context.Context, cfg Config) (*Report, error) {
			return Calibrate(ctx, cfg, Calibration{})
		},
	}
}

// calibrationSets is the number of data sets of a full calibration, as many as in the paper.
const calibrationSets = 1000

// Calibrate applies the tests of Bouckaert (2003) to an experiment in which there is no
// difference, over and over, and reports at how many degrees of freedom each keeps its
// level, with a confidence interval: [stat.CalibrateDF]. The report has names of tests that
// [stat.Lookup] knows. A test is called not calibratable where no degrees of freedom suit it.
//
// The error wraps [ErrConfig] for an experiment that makes no sense, and otherwise is the
// error of the first trial that failed.
func Calibrate(ctx context.Context, cfg Config, c Calibration) (_ *Report, err error) {
	e, l, sets, err := c.open(cfg.lab(), calibrationSets)
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	z := lab.NewZTable(len(e.tests), 1, sets)
	corrected := make([]float64, sets) // p of the corrected test
	err = l.Each(ctx, e.source, e.n, sets, func(ctx context.Context, s *lab.Drawn) error {
		d, err := s.Differences(ctx, e.protocol, e.candidate, e.baseline)
		if err != nil {
			return err
		}
		for i := range e.tests {
			if z[i][0][s.Index], err = e.tests[i].Z(d, 0, d.Runs); err != nil {
				return err
			}
		}
		r, err := stat.CorrectedResampledTTest(d, stat.TwoSided)
		corrected[s.Index] = r.P
		return err
	})
	if err != nil {
		return nil, err
	}
	t, err := e.table(z, corrected)
	return &Report{Tables: []Table{t}}, err
}

// open checks c and the configuration, and returns a lab for the data sets, whose number in
// a full study is given.
func (c Calibration) open(cfg lab.Config, full int) (e experiment, l *lab.Lab,
	sets int, err error,
) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return e, nil, 0, err
	}
	if e, err = c.experiment(); err != nil {
		return e, nil, 0, err
	}
	if cfg.Store != "" && len(c.Learners) > 0 && !c.Named {
		return e, nil, 0, fmt.Errorf("%w: scores of programs, and of learners under a name of one's own, are not kept: nothing says when they change", ErrConfig)
	}
	sets = cfg.SetsOr(20, full)
	l, err = lab.Open(cfg, sets)
	return e, l, sets, err
}

// An experiment is a calibration that is complete.
type experiment struct {
	source              lab.Source
	n                   int
	protocol            split.Protocol
	alpha               float64
	candidate, baseline lab.Subject
	tests               []lab.Calibratable
	learners            string
}

// experiment checks c and fills in its defaults.
func (c Calibration) experiment() (e experiment, err error) {
	e = experiment{n: lab.Examples, protocol: c.Protocol, alpha: c.Alpha}
	if c.Protocol == (split.Protocol{}) {
		e.protocol = split.TenByTen()
	}
	if e.alpha == 0 {
		e.alpha = 0.05
	}
	switch {
	case !(e.alpha > 0 && e.alpha < 1):
		return e, fmt.Errorf("%w: level %v is not between 0 and 1", ErrConfig, e.alpha)
	case !e.protocol.IsRandom():
		return e, fmt.Errorf("%w: protocol %q has no random partitions, which tests are calibrated on",
			ErrConfig, e.protocol)
	}
	if err := e.protocol.Validate(); err != nil {
		return e, err
	}
	if err := e.setLearners(c.Learners); err != nil {
		return e, err
	}
	if err := e.setSource(c.Data, len(c.Learners) == 1); err != nil {
		return e, err
	}
	runs, folds := e.protocol.Runs(), e.protocol.Folds()
	for b := stat.UseAllData; b <= stat.SortedRunsAveragedT; b++ {
		if b.Design(runs, folds) == nil {
			df := int(b.DefaultDF(runs, folds))
			e.tests = append(e.tests, lab.Calibratable{
				Name: b.String(), Run: b.Test,
				Expected: func(int) int { return df },
			})
		}
	}
	if folds == 1 {
		e.tests = append(e.tests, lab.Calibratable{
			Name: "corrected-resampled-t",
			Run:  stat.CorrectedResampledTTest, Expected: func(int) int { return runs - 1 },
		})
	}
	if len(e.tests) == 0 {
		return e, fmt.Errorf("%w: no test applies to protocol %q", ErrConfig, e.protocol)
	}
	return e, nil
}

func (e *experiment) setLearners(ls []learntest.Learner[dataset.Row, int]) error {
	switch len(ls) {
	case 0:
		e.candidate, e.baseline = lab.Tree(), lab.Bayes()
		e.learners = "c45 and naivebayes"
	case 1:
		var other learntest.Learner[dataset.Row, int]
		other.Name, other.Fit = reseeded(ls[0].Name, ls[0].Fit)
		e.candidate, e.baseline = lab.Ran(ls[0], metric.Accuracy()), lab.Ran(other, metric.Accuracy())
		e.learners = ls[0].Name + " and itself on other seeds"
	case 2:
		e.candidate, e.baseline = lab.Ran(ls[0], metric.Accuracy()), lab.Ran(ls[1], metric.Accuracy())
		e.learners = ls[0].Name + " and " + ls[1].Name
		if ls[0].Name == ls[1].Name {
			return fmt.Errorf("%w: both learners are called %s: name it once, and it is compared with itself", ErrConfig, ls[0].Name)
		}
	default:
		return fmt.Errorf("%w: %d learners: want two, or one to be compared with itself", ErrConfig,
			len(ls))
	}
	return nil
}

func (e *experiment) setSource(t *dataset.Table, itself bool) error {
	if t == nil {
		networks, err := lab.Networks()
		if err == nil {
			e.source = networks[0]
		}
		return err
	}
	e.n = t.Len()
	r, err := newRelabelled(t, e.protocol.IsStratified())
	if err != nil {
		return err
	}
	e.source = r
	if itself {
		e.source = &same{t, r.digest}
	}
	return nil
}

// table says at how many degrees of freedom the tests keep their level.
func (e *experiment) table(z lab.ZTable, corrected []float64) (Table, error) {
	level := lab.Figure(100*e.alpha, 1)
	t := Table{
		Title: "Calibrated degrees of freedom",
		Notes: []string{
			fmt.Sprintf("Of %s on %d data sets of %d examples from the source %s, by %s: the largest number of degrees of freedom from 2 to 100 at which a test rejects on at most %s%% of them, the 95%% confidence interval, and the Type I error there and with the degrees of freedom that the test has by default, in percent. The test to use has the calibrated ones in its name.",
				e.learners, len(corrected), e.n, e.source.ID(), protocolWithoutSeed(e.protocol), level),
		},
		Columns: []string{
			"test", "calibrated", "interval", "Type I, %", "±", "default", "Type I, %",
			"±",
		},
	}
	for i := range e.tests {
		test := &e.tests[i]
		c, err := test.Calibrate(z[i][0], e.protocol.Runs(), e.alpha)
		if err != nil {
			return t, err
		}
		byDefault, err := test.Rejected(z[i][0], e.protocol.Runs(), test.Expected(0), e.alpha)
		if err != nil {
			return t, err
		}
		name, typeI, se := test.Name+"/df="+lab.Degrees(c.DF), "", ""
		if !test.Suits(c.DF, e.protocol.Runs()) {
			name = test.Name + ": not calibratable"
		}
		if c.DF > 0 {
			p, err := test.Rejected(z[i][0], e.protocol.Runs(), c.DF, e.alpha)
			if err != nil {
				return t, err
			}
			typeI, se = lab.Percent(p.Share()), lab.Percent(p.SE())
		}
		t.Add(name, lab.Degrees(c.DF), lab.CalibrationInterval(c), typeI, se,
			lab.Degrees(test.Expected(0)), lab.Percent(byDefault.Share()), lab.Percent(byDefault.SE()))
	}
	p := lab.Proportion{N: len(corrected)}
	for _, x := range corrected {
		p.K += lab.Indicator(x <= e.alpha)
	}
	t.Add("corrected test, not calibrated", "", "", "", "", "", lab.Percent(p.Share()),
		lab.Percent(p.SE()))
	return t, nil
}

// protocolWithoutSeed is the protocol without what each data set has of its own.
func protocolWithoutSeed(p split.Protocol) string {
	shape := fmt.Sprintf("%d runs of %d folds", p.Runs(), p.Folds())
	if p.Folds() == 1 {
		shape = fmt.Sprintf("%d random subsamples", p.Runs())
	}
	return shape
}
