package study

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// marginSets is the number of data sets of each row of a full study of margins.
const marginSets = 10000

// A marginRow counts candidates that truly lose the margin and pass.
type marginRow struct {
	n            int
	margin       float64
	alone, bound lab.Proportion // hold by the test alone, and with the least half-width
	equal        int            // number of data sets that hold by the test alone because nothing differed
}

// A floorRow counts the equally good learners that seem to differ.
type floorRow struct {
	runs, folds, n int
	alone, floored lab.Proportion // differ by the test alone, and with the least variance
}

func runGateMargin(ctx context.Context, cfg lab.Config) (_ *Report, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return nil, err
	}
	var margins []marginRow
	for _, n := range []int{50, 100, 200, 300, 600} {
		for _, margin := range []float64{0.01, 0.02, 0.05} {
			margins = append(margins, marginRow{n: n, margin: margin})
		}
	}
	var floors []floorRow
	for _, d := range [][2]int{{1, 2}, {2, 2}, {1, 10}, {10, 10}} {
		for _, n := range []int{20, 50, 100, 300} {
			floors = append(floors, floorRow{runs: d[0], folds: d[1], n: n})
		}
	}
	sets := cfg.SetsOr(20, marginSets)
	l, err := lab.Open(cfg, len(margins)+len(floors))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	err = l.Share(ctx, len(margins)+len(floors), func(_ context.Context, i int, _ lab.Desk) error {
		random := rand.New(rand.NewPCG(lab.Derive(cfg.Seed, i), 1))
		if i < len(margins) {
			return margins[i].measure(random, sets)
		}
		return floors[i-len(margins)].measure(random, sets)
	})
	if err != nil {
		return nil, err
	}
	return &Report{Tables: []Table{marginTable(margins, sets), floorTable(floors, sets)}}, nil
}

// A rule has the scores of two fixed rules on an example: the gain of the candidate, and whether
// the baseline is right.
type rule struct {
	gain  int8
	right bool
}

// rulePairs returns the accuracies of two fixed rules in runs of folds of the examples.
func rulePairs(random *rand.Rand, rules []rule, runs, folds int) *record.Pairs {
	h := &record.Header{Protocol: fmt.Sprintf("cv runs=%d folds=%d unstratified seed=1 v1", runs,
		folds)}
	p := &record.Pairs{
		Data: "rules", Candidate: "new", Baseline: "old", Unit: metric.Accuracy().Unit, Runs: runs,
		Folds:           folds,
		CandidateHeader: h, BaselineHeader: h,
	}
	for range runs {
		order := random.Perm(len(rules))
		for f := range folds {
			test := order[f*len(rules)/folds : (f+1)*len(rules)/folds]
			right, gain := 0, 0
			for _, i := range test {
				right += lab.Indicator(rules[i].right)
				gain += int(rules[i].gain)
			}
			p.A = append(p.A, float64(right+gain)/float64(len(test)))
			p.B = append(p.B, float64(right)/float64(len(test)))
			p.TrainN, p.TestN = append(p.TrainN, int32(len(rules)-len(test))),
				append(p.TestN, int32(len(test)))
		}
	}
	return p
}

// measure draws data sets on which the baseline is right with probability .8, and the candidate on
// as much less of the population as the margin is.
func (r *marginRow) measure(random *rand.Rand, sets int) error {
	rules := make([]rule, r.n)
	for range sets {
		equal := true
		for i := range rules {
			rules[i] = rule{right: random.Float64() < 0.8}
			if rules[i].right && random.Float64() < r.margin/0.8 {
				rules[i].gain, equal = -1, false
			}
		}
		p := rulePairs(random, rules, 10, 10)
		alone, err := stat.CorrectedCVTTest(raised(p, r.margin), stat.Greater)
		if err != nil {
			return err
		}
		v := verdict.Judge(p, verdict.Claim{Kind: verdict.NoRegression, Margin: r.margin}, verdict.Bare)
		if v.Err != nil && !errors.Is(v.Err, verdict.ErrClaim) { // a margin out of reach is refused
			return v.Err
		}
		holds := alone.P <= gateLevel
		r.alone.K, r.alone.N = r.alone.K+lab.Indicator(holds), r.alone.N+1
		r.bound.K, r.bound.N = r.bound.K+lab.Indicator(v.Holds), r.bound.N+1
		r.equal += lab.Indicator(holds && equal)
	}
	return nil
}

// raised returns the differences, each of them greater by the given amount.
func raised(p *record.Pairs, by float64) stat.Differences {
	d := lab.NewDifferences(float64(p.TestN[0])/float64(p.TrainN[0]), p.A, p.B, p.Runs)
	for i := range d.X {
		d.X[i] += by
	}
	return d
}

// measure draws data sets on which the rules are right on different tenths of the population.
func (r *floorRow) measure(random *rand.Rand, sets int) error {
	rules := make([]rule, r.n)
	for range sets {
		for i := range rules {
			switch x := random.Float64(); {
			case x < 0.1:
				rules[i] = rule{gain: 1}
			case x < 0.2:
				rules[i] = rule{gain: -1, right: true}
			default:
				rules[i] = rule{right: x < 0.9}
			}
		}
		p := rulePairs(random, rules, r.runs, r.folds)
		alone, err := stat.CorrectedCVTTest(raised(p, 0), stat.TwoSided)
		if err != nil {
			return err
		}
		v := verdict.Judge(p, verdict.Claim{}, verdict.Bare)
		if v.Err != nil {
			return v.Err
		}
		r.alone.K, r.alone.N = r.alone.K+lab.Indicator(alone.P <= gateLevel), r.alone.N+1
		r.floored.K, r.floored.N = r.floored.K+lab.Indicator(v.Significance() != 0), r.floored.N+1
	}
	return nil
}

func plusMinus(p lab.Proportion) string {
	return lab.Percent(p.Share()) + " ± " +
		lab.Percent(p.SE())
}

func marginTable(rows []marginRow, sets int) Table {
	t := Table{
		Title: "False passes at the margin",
		Notes: []string{
			fmt.Sprintf("How often no regression holds at 5%%, one-sided, of a candidate that truly loses the margin, in percent of %d data sets, with the Monte Carlo error: by the corrected test alone, and with a half-width of the interval of at least u(n), what n examples without a failure leave open. The last column says in how many percent the test alone passed and no example differed. Candidate and baseline are fixed rules under 10×10 cross-validation; the baseline is right on 80%%, and the candidate on as much less as the margin is.", sets),
		},
		Columns: []string{
			"examples, margin", "test alone", "with u(n)", "nothing differed",
			"u(n), points",
		},
	}
	for _, r := range rows {
		u, err := stat.Unseen(r.n, gateLevel)
		if err != nil {
			continue // n is more than 0
		}
		points := fmt.Sprintf("%d, %.0f points", r.n, 100*r.margin)
		if r.margin == 0.01 {
			points = fmt.Sprintf("%d, 1 point", r.n)
		}
		t.Add(points, plusMinus(r.alone), plusMinus(r.bound),
			lab.Percent(float64(r.equal)/float64(r.alone.N)), lab.Figure(100*u, 2))
	}
	return t
}

func floorTable(rows []floorRow, sets int) Table {
	t := Table{
		Title: "Few folds that are equal by chance",
		Notes: []string{
			fmt.Sprintf("How often the default test finds a difference at 5%%, two-sided, between two fixed rules that are right on different tenths of the population, in percent of %d data sets: alone / with a variance that is at least the variance of rounding to the next count.", sets),
		},
		Columns: []string{"runs × folds"},
	}
	var cells []string
	for i, r := range rows {
		if design := fmt.Sprintf("%d×%d", r.runs, r.folds); i == 0 || cells[0] != design {
			if i > 0 {
				t.Add(cells...)
			}
			cells = []string{design}
		}
		if name := fmt.Sprintf("n = %d", r.n); len(t.Rows) == 0 {
			t.Columns = append(t.Columns, name)
		}
		cells = append(cells, lab.Percent(r.alone.Share())+" / "+lab.Percent(r.floored.Share()))
	}
	t.Add(cells...)
	return t
}
