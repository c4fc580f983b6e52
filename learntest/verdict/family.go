package verdict

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Adjust returns the verdicts on a family of claims, adjusted for being several: the
// p of each claim's decision is replaced by the adjusted one in
// Verdict.AdjustedP, and a claim that needs a significant test holds only if that is
// still at most alpha. An outcome that rests on such a test becomes Inconclusive.
//
// A claim that could not be judged stays Invalid and counts as one with p = 1.
// Methods for all pairs take the verdicts in the order of adjust.Pairs; the zero
// method adjusts nothing.
//
// The error wraps ErrClaim: the method does not apply to this family.
func Adjust(vs []Verdict, m adjust.Method) ([]Verdict, error) {
	out := slices.Clone(vs)
	if m.Adjust == nil {
		return out, nil
	}
	var p []float64
	var of []int // whose p they are
	for i, v := range vs {
		if errors.Is(v.Err, ErrTooSmall) {
			continue // it is no part of the family
		}
		if v.Claim.Probability > 0 {
			return nil, fmt.Errorf("%w: adjustment %s: a posterior probability is not adjusted",
				ErrClaim, m.Name)
		}
		if v.Claim.Kind == Unbeaten {
			return nil, fmt.Errorf("%w: adjustment %s: a claim that a learner %s another would hold of more: make it of each comparison", ErrClaim, m.Name, v.Claim.Kind)
		}
		p, of = append(p, 1), append(of, i)
		if v.Outcome != Invalid {
			p[len(p)-1] = v.Decision.P
		}
	}
	adjusted, err := m.Adjust(p)
	if err != nil {
		return nil, fmt.Errorf("%w: adjustment %s: %w", ErrClaim, m.Name, err)
	}
	for k, i := range of {
		if out[i].Outcome != Invalid {
			out[i].adjust(m.Name, len(of), adjusted[k])
		}
	}
	return out, nil
}

func (v *Verdict) adjust(method string, family int, p float64) {
	v.Adjustment, v.Family, v.AdjustedP = method, family, p
	if v.Decision.P > v.Claim.Alpha || p <= v.Claim.Alpha {
		return
	}
	reason := fmt.Sprintf("not significant after adjustment for %d comparisons (%s, p = %s)", family,
		method, unit.FormatP(p))
	switch v.Claim.Kind {
	case Differs, Replicable, Improves:
		if v.Outcome == Improved || v.Outcome == Regressed {
			v.Outcome = Inconclusive
			v.Warnings = append(slices.Clone(v.Warnings), fmt.Errorf("%s", reason))
		}
	case AtLeast, AtMost, RatioAtMost:
		if v.Outcome == Improved {
			v.Outcome = Inconclusive
		}
	case NoRegression, Equivalent:
		if v.Outcome == Same && !v.same {
			v.Outcome = Inconclusive
		}
	}
	if v.Holds && v.Claim.Kind != Replicable {
		v.Holds, v.Reason = false, reason
	}
}
