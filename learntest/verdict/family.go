package verdict

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
)

// DefaultAdjustment names the adjustment of a family of claims that names
// none.
const DefaultAdjustment = "holm"

// Adjust returns the verdicts on a family of claims, adjusted for being
// several: the p of each claim's test is replaced by the adjusted one in
// Verdict.AdjustedP, and a claim that needs a significant test holds only if that is
// still at most alpha. An outcome that is no longer significant becomes Inconclusive.
//
// A claim that could not be judged stays Invalid and counts as one with p = 1.
// method names an adjustment of package adjust; those for all pairs take the verdicts in
// the order of adjust.Pairs. "none" adjusts nothing.
//
// The error wraps ErrClaim: an unknown method, or one that does not apply to
// this family.
func Adjust(vs []Verdict, method string) ([]Verdict, error) {
	if method == "none" {
		return slices.Clone(vs), nil
	}
	m, err := adjust.Lookup(method)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClaim, err)
	}
	p := make([]float64, len(vs))
	for i, v := range vs {
		p[i] = 1
		if v.Outcome != Invalid {
			p[i] = v.Result.P
		}
	}
	adjusted, err := m.Adjust(p)
	if err != nil {
		return nil, fmt.Errorf("%w: adjustment %s: %w", ErrClaim, method, err)
	}
	out := slices.Clone(vs)
	for i := range out {
		if out[i].Outcome != Invalid {
			out[i].adjust(method, len(vs), adjusted[i])
		}
	}
	return out, nil
}

func (v *Verdict) adjust(method string, family int, p float64) {
	v.Adjustment, v.Family, v.AdjustedP = method, family, p
	if v.Result.P > v.Claim.Alpha || p <= v.Claim.Alpha {
		return
	}
	reason := fmt.Sprintf("not significant after adjustment for %d comparisons (%s, p = %s)", family, method, FormatP(p))
	switch v.Claim.Kind {
	case Differs, Improves:
		if v.Outcome == Improved || v.Outcome == Regressed {
			v.Outcome = Inconclusive
			v.Warnings = append(slices.Clone(v.Warnings), fmt.Errorf("%s", reason))
		}
	case NoRegression, Equivalent:
		if v.Outcome != Regressed {
			v.Outcome = Inconclusive
		}
	}
	if v.Holds && v.Claim.Kind != Differs {
		v.Holds, v.Reason = false, reason
	}
}
