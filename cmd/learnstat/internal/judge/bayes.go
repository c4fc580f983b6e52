package judge

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A need is the flag that asks for a test with a region of practical equivalence, and the one that
// gives it.
type need struct{ by, flag string }

var (
	ofBayes = need{"-bayes", "margin"}
	ofFolds = need{"-over " + OverFolds, "rope"}
)

// rope returns the region of practical equivalence: the margin, or one percentage point for metrics
// of the range 0 to 1.
func (n need) rope(m *unit.Margins, u unit.Unit, baseline []float64) (float64, error) {
	x, err := marginOf(m, u, baseline)
	if err == nil && x == 0 {
		if !u.IsFraction() {
			return 0, fmt.Errorf("%s needs a %[2]s for %[3]s, the difference that is of no practical importance: give one with -%[2]s %[3]s=VALUE", n.by, n.flag, u.Name)
		}
		x = verdict.DefaultMargin
	}
	return x, err
}

// bayes returns the posterior probabilities of the Bayesian correlated t test.
func bayes(m *unit.Margins, p *record.Pairs) (*verdict.Regions, error) {
	own := p.Runs * p.Folds
	region, err := ofBayes.rope(m, p.Unit, p.B[:own])
	if err != nil {
		return nil, err
	}
	d, err := differences(p)
	if err != nil {
		return nil, err
	}
	post, err := stat.BayesianCorrelatedT(d, region)
	if err != nil {
		return nil, err
	}
	return &verdict.Regions{
		Worse: unit.Number(post.Worse), Rope: unit.Number(post.Equivalent),
		Better: unit.Number(post.Better),
	}, nil
}

// differences returns the differences in the protocol's own folds, positive ones in favour of the
// candidate.
func differences(p *record.Pairs) (stat.Differences, error) {
	own := p.Runs * p.Folds
	opt := stat.TableOptions{Better: p.Unit.Better}
	train, tested := 0, 0
	for i := range own {
		train, tested = train+int(p.TrainN[i]), tested+int(p.TestN[i])
	}
	opt.Ratio = float64(tested) / float64(train)
	runs := func(scores []float64) [][]float64 {
		return slices.Collect(slices.Chunk(scores[:own],
			p.Folds))
	}
	return stat.NewDifferences(runs(p.A), runs(p.B), opt)
}
