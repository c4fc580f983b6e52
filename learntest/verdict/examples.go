package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Examples say what single examples show of a margin, where the results of both learners count how
// often each example is predicted right. The default test sees the folds alone, whose variance is
// small by chance if few examples differ. The margin is then held against both tests: it takes the
// larger p and the wider interval. All other findings are the default test's.
type Examples struct {
	N      int // examples
	Differ int // of these, on which one learner is right more often than the other

	// P is the p of the constrained t test on the examples, and First the p of the default test:
	// the larger one of both sides, but for NoRegression.
	P, First float64

	Lo, Hi float64 // interval by the examples, in the unit of the metric, of the level that the findings on the margin have

	// Lacking is the learner whose results do not count right predictions while the other one's do:
	// the default test alone then holds the margin, and the fields above are zero.
	Lacking string

	alone bool // the default test shows the margin, and the examples do not
}

// singles are what a question takes from the pairs.
type singles struct {
	sample    *itemwise.Sample // nil if a side is lacking
	n, differ int
	lacking   string
}

// examplesOfPairs returns the examples against which a margin is held besides the test; nil if they
// were counted on neither side, or the test is not the default one for repeated cross-validation.
func examplesOfPairs(p *record.Pairs, test stat.Test) (*singles, error) {
	a, b := p.RightA, p.RightB
	switch {
	case test.Name != defaultCV.Name || a == nil && b == nil:
		return nil, nil
	case a == nil:
		return &singles{lacking: p.Candidate}, nil
	case b == nil:
		return &singles{lacking: p.Baseline}, nil
	case len(a) != len(b):
		return nil, fmt.Errorf("right predictions are counted on %d examples of %s and on %d of %s",
			len(a), p.Candidate, len(b), p.Baseline)
	}
	x := &singles{n: len(a)}
	d := make([]float64, len(a)) // of both accuracy and error, positive where the candidate is better
	for i := range d {
		d[i] = float64(a[i]-b[i]) / float64(p.Runs)
		if a[i] != b[i] {
			x.differ++
		}
	}
	var err error
	x.sample, err = itemwise.Prepare(itemwise.Data{
		Differences: d, Scale: 1,
		Range: itemwise.Range{Least: -1, Most: 1},
	})
	return x, err
}

// text says what the examples show, with the level of the interval.
func (e *Examples) text(u unit.Unit, level float64) string {
	if e.Lacking != "" {
		return e.Note()
	}
	s := fmt.Sprintf("constrained t on %d examples, of which %d differ", e.N, e.Differ)
	if !math.IsNaN(e.Lo) {
		s += fmt.Sprintf(", %.4g%% interval %s", 100*level, u.FormatInterval(e.Lo, e.Hi))
	}
	return s + fmt.Sprintf(", p = %s; %s p = %s; the margin takes the larger p and the wider interval",
		unit.FormatP(e.P), defaultCV.Name, unit.FormatP(e.First))
}

// Note returns in a line by which tests the margin is judged.
func (e *Examples) Note() string {
	if e.Lacking != "" {
		return "the margin is judged by " + defaultCV.Name + " alone: the results of " + e.Lacking +
			" do not say which examples are predicted right"
	}
	return fmt.Sprintf("the margin is judged by the constrained t on %d examples, too: p = %s, and by %s p = %s", e.N, unit.FormatP(e.P), defaultCV.Name, unit.FormatP(e.First))
}

// exceeds says that the examples do not show what the default test shows; it is empty if that is
// not so.
func (e *Examples) exceeds() string {
	if e == nil || !e.alone {
		return ""
	}
	return fmt.Sprintf(": %s shows that (p = %s), the single examples do not (p = %s)", defaultCV.Name,
		unit.FormatP(e.First), unit.FormatP(e.P))
}
