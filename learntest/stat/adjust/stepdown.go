package adjust

func stepDownMethods() []Method {
	return []Method{
		{
			Name: "holm", Controls: FamilyWise, Adjust: Holm,
			Doc: "step-down; family-wise under any dependence",
		},
		{
			Name: "holm-sidak", Controls: FamilyWise, Adjust: HolmSidak,
			Doc: "step-down; family-wise under independence or positive orthant dependence",
		},
		{
			Name: "finner", Controls: FamilyWise, Adjust: Finner,
			Doc: "step-down; family-wise under independence",
		},
	}
}

// Holm goes from the smallest of n p-values up and multiplies each by the
// number of those not yet passed:
//
//	max over j ≤ i of min(1, (n−j+1)·p_j)
//
// It controls the family-wise error rate under any dependence, and is what to
// use where nothing is known about the tests. It rejects whatever
// [Bonferroni] rejects.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Holm (1979), A simple sequentially rejective multiple test procedure,
// Scandinavian J. of Statistics 6.
func Holm(p []float64) ([]float64, error) {
	n := len(p)
	return stepDown(p, func(i int, p float64) float64 { return float64(n-i+1) * p })
}

// HolmSidak is [Holm] with the inequality of [Sidak], also known as Holland's
// procedure:
//
//	max over j ≤ i of 1 − (1 − p_j)^(n−j+1)
//
// It controls the family-wise error rate if the tests are independent or
// positively orthant dependent.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Holland and Copenhaver (1987), An improved sequentially rejective
// Bonferroni test procedure, Biometrics 43.
func HolmSidak(p []float64) ([]float64, error) {
	n := len(p)
	return stepDown(p, func(i int, p float64) float64 { return anyOf(float64(n-i+1), p) })
}

// Finner goes from the smallest of n p-values up and adjusts by
//
//	max over j ≤ i of 1 − (1 − p_j)^(n/j)
//
// It rejects whatever [HolmSidak] rejects, and controls the family-wise error
// rate if the tests are independent.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Finner (1993), On a monotonicity problem in step-down multiple test
// procedures, JASA 88.
func Finner(p []float64) ([]float64, error) {
	n := float64(len(p))
	return stepDown(p, func(i int, p float64) float64 { return anyOf(n/float64(i), p) })
}
