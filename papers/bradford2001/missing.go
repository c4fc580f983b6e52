package bradford2001

import (
	"context"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

// asValue ends the name of a learner that sees missing nominal values as values.
const asValue = ", missing as a value"

// missingAsValue makes of a missing nominal value a value of its own, which the attribute then has
// besides the declared ones, and says whether one was missing.
func missingAsValue(t *dataset.Table) (of *dataset.Table, changed bool, err error) {
	var cols []dataset.Column
	for j := range t.NumAttributes() {
		c := dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)}
		if j != t.ClassIndex() && c.Kind == dataset.Nominal && slices.Contains(c.Codes, -1) {
			changed = true
			missing := int32(len(c.Values))
			name := "?"
			for slices.Contains(c.Values, name) {
				name += "?"
			}
			c.Values = append(slices.Clone(c.Values), name)
			c.Codes = slices.Clone(c.Codes)
			for i := range c.Codes {
				if c.Codes[i] < 0 {
					c.Codes[i] = missing
				}
			}
		}
		cols = append(cols, c)
	}
	of, err = dataset.New(t.Name(), cols, t.ClassIndex(), t.Weights())
	return of, changed, err
}

// withMissing is a learner that sees data sets whose missing nominal values are values.
func withMissing(of lab.Subject) lab.Subject {
	return lab.Subject{
		Name: of.Name + asValue,
		Bind: func() lab.Scorer { return missingScorer{of.Bind()} },
	}
}

type missingScorer struct{ of lab.Scorer }

func (m missingScorer) Scores(ctx context.Context, t *dataset.Table, plan *split.Plan) ([]float64,
	error,
) {
	u, _, err := missingAsValue(t)
	if err != nil {
		return nil, err
	}
	return m.of.Scores(ctx, u, plan)
}
