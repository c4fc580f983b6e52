package adjust

func stepDownMethods() []Method {
	return []Method{
		{
			Name: "holm", FamilyWise: true, Adjust: holm,
			Doc: "step-down; family-wise under any dependence",
		},
		{
			Name: "holm-sidak", FamilyWise: true, Adjust: holmSidak,
			Doc: "step-down; family-wise under independence or positive orthant dependence",
		},
		{
			Name: "finner", FamilyWise: true, Adjust: finner,
			Doc: "step-down; family-wise under independence",
		},
	}
}

// holm goes from the smallest of n p-values up and multiplies each by the
// number of those not yet passed:
//
//	max over j ≤ i of min(1, (n−j+1)·p_j)
//
// It controls the family-wise error rate under any dependence, and is what to
// use where nothing is known about the tests. It rejects whatever
// bonferroni rejects.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// holm (1979), A simple sequentially rejective multiple test procedure,
// Scandinavian J. of Statistics 6.
func holm(p []float64) ([]float64, error) {
	n := len(p)
	return stepDown(p, func(i int, p float64) float64 { return float64(n-i+1) * p })
}

// holmSidak is holm with the inequality of sidak, also known as Holland's
// procedure:
//
//	max over j ≤ i of 1 − (1 − p_j)^(n−j+1)
//
// It controls the family-wise error rate if the tests are independent or
// positively orthant dependent.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Holland and Copenhaver (1987), An improved sequentially rejective
// bonferroni test procedure, Biometrics 43.
func holmSidak(p []float64) ([]float64, error) {
	n := len(p)
	return stepDown(p, func(i int, p float64) float64 { return anyOf(float64(n-i+1), p) })
}

// finner goes from the smallest of n p-values up and adjusts by
//
//	max over j ≤ i of 1 − (1 − p_j)^(n/j)
//
// It rejects whatever holmSidak rejects, and controls the family-wise error
// rate if the tests are independent.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// finner (1993), On a monotonicity problem in step-down multiple test
// procedures, JASA 88.
func finner(p []float64) ([]float64, error) {
	n := float64(len(p))
	return stepDown(p, func(i int, p float64) float64 { return anyOf(n/float64(i), p) })
}
