package adjust

func singleStepMethods() []Method {
	return []Method{
		{
			Name: "bonferroni", Controls: FamilyWise, Adjust: Bonferroni,
			Doc: "single step; family-wise under any dependence",
		},
		{
			Name: "sidak", Controls: FamilyWise, Adjust: Sidak,
			Doc: "single step; family-wise under independence or positive orthant dependence",
		},
		{
			Name: "li", Controls: FamilyWise, Adjust: Li,
			Doc: "two steps, judged by the largest p-value; family-wise under independence",
		},
	}
}

// Bonferroni multiplies each of n p-values by n:
//
//	min(1, n·p_i)
//
// It controls the family-wise error rate under any dependence. [Holm] does so
// too and never rejects less.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n) time.
//
// Dunn (1961), Multiple comparisons among means, JASA 56.
func Bonferroni(p []float64) ([]float64, error) {
	n := float64(len(p))
	return single(p, func(p float64) float64 { return n * p })
}

// Sidak adjusts n p-values in a single step by
//
//	1 − (1 − p_i)^n
//
// It controls the family-wise error rate if the tests are independent (then
// exactly) or positively orthant dependent.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n) time.
//
// Šidák (1967), Rectangular confidence regions for the means of multivariate
// normal distributions, JASA 62.
func Sidak(p []float64) ([]float64, error) {
	n := float64(len(p))
	return single(p, func(p float64) float64 { return anyOf(n, p) })
}

// Li judges all p-values by the largest, p_n: at level α all are rejected if
// p_n ≤ α, else those that are at most (1 − p_n)·α/(1 − α). The adjusted
// values are
//
//	p_i / (p_i + 1 − p_n)
//
// and p_n itself. It is powerful only where the largest p-value is small, and
// controls the family-wise error rate under independence.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n) time.
//
// Special cases are: where the largest p-value is 1, one that is 0 stays 0
// and all others become 1.
//
// Li (2008), A two-step rejection procedure for testing multiple hypotheses,
// J. Statistical Planning and Inference 138.
func Li(p []float64) ([]float64, error) {
	largest := 0.0
	for _, v := range p {
		largest = max(largest, v)
	}
	return single(p, func(p float64) float64 {
		if p == 0 || p == largest {
			return p
		}
		// Where p and 1−p_n are both far below p_n, the sum keeps its digits.
		return min(largest, p/(p+(1-largest)))
	})
}
