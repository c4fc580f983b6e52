package adjust

func stepUpMethods() []Method {
	return []Method{
		{
			Name: "hochberg", Controls: FamilyWise, Adjust: Hochberg,
			Doc: "step-up; family-wise under independence or positive dependence",
		},
		{
			Name: "benjamini-hochberg", Controls: FalseDiscovery, Adjust: BenjaminiHochberg,
			Doc: "step-up; false discovery rate under independence or positive dependence",
		},
		{
			Name: "benjamini-yekutieli", Controls: FalseDiscovery, Adjust: BenjaminiYekutieli,
			Doc: "step-up; false discovery rate under any dependence",
		},
	}
}

// Hochberg goes from the largest of n p-values down and multiplies each by
// the number of those from it upward:
//
//	min over j ≥ i of (n−j+1)·p_j
//
// It rejects whatever [Holm] rejects, and controls the family-wise error rate
// under independence and those kinds of positive dependence for which Simes'
// inequality holds.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Hochberg (1988), A sharper Bonferroni procedure for multiple tests of
// significance, Biometrika 75.
func Hochberg(p []float64) ([]float64, error) {
	n := len(p)
	return stepUp(p, func(i int, p float64) float64 { return float64(n-i+1) * p })
}

// BenjaminiHochberg adjusts n p-values by
//
//	min over j ≥ i of n·p_j/j
//
// It controls the false discovery rate, the expected fraction of false ones
// among the rejections, under independence and positive regression
// dependence. It does not control the family-wise error rate.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Benjamini and Hochberg (1995), Controlling the false discovery rate, J.
// Royal Statistical Society B 57.
func BenjaminiHochberg(p []float64) ([]float64, error) {
	n := float64(len(p))
	return stepUp(p, func(i int, p float64) float64 { return n / float64(i) * p })
}

// BenjaminiYekutieli adjusts n p-values by
//
//	min over j ≥ i of (1 + 1/2 + ... + 1/n)·n·p_j/j
//
// It controls the false discovery rate under any dependence.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Benjamini and Yekutieli (2001), The control of the false discovery rate in
// multiple testing under dependency, Annals of Statistics 29, theorem 1.3.
func BenjaminiYekutieli(p []float64) ([]float64, error) {
	n := float64(len(p))
	harmonic := 0.0
	for i := len(p); i >= 1; i-- {
		harmonic += 1 / float64(i)
	}
	return stepUp(p, func(i int, p float64) float64 { return harmonic * n / float64(i) * p })
}
