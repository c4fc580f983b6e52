package adjust

func singleStepMethods() []Method {
	return []Method{
		{
			Name: "bonferroni", FamilyWise: true, Adjust: bonferroni,
			Doc: "single step; family-wise under any dependence",
		},
		{
			Name: "sidak", FamilyWise: true, Adjust: sidak,
			Doc: "single step; family-wise under independence or positive orthant dependence",
		},
	}
}

// bonferroni multiplies each of n p-values by n:
//
//	min(1, n·p_i)
//
// It controls the family-wise error rate under any dependence. holm does so
// too and never rejects less.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n) time.
//
// Dunn (1961), Multiple comparisons among means, JASA 56.
func bonferroni(p []float64) ([]float64, error) {
	n := float64(len(p))
	return single(p, func(p float64) float64 { return n * p })
}

// sidak adjusts n p-values in a single step by
//
//	1 − (1 − p_i)^n
//
// It controls the family-wise error rate if the tests are independent (then
// exactly) or positively orthant dependent.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n) time.
//
// Šidák (1967), Rectangular confidence regions for the means of multivariate
// normal distributions, JASA 62.
func sidak(p []float64) ([]float64, error) {
	n := float64(len(p))
	return single(p, func(p float64) float64 { return anyOf(n, p) })
}
