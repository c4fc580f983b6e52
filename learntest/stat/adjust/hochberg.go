package adjust

func hochbergMethods() []Method {
	return []Method{
		{
			Name: "hochberg", FamilyWise: true, Adjust: hochberg,
			Doc: "step-up; family-wise under independence or positive dependence",
		},
	}
}

// hochberg goes from the largest of n p-values down and multiplies each by
// the number of those from it upward:
//
//	min over j ≥ i of (n−j+1)·p_j
//
// It rejects whatever holm rejects, and controls the family-wise error rate
// under independence and those kinds of positive dependence for which Simes'
// inequality holds.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// hochberg (1988), A sharper Bonferroni procedure for multiple tests of
// significance, Biometrika 75.
func hochberg(p []float64) ([]float64, error) {
	n := len(p)
	return stepUp(p, func(i int, p float64) float64 { return float64(n-i+1) * p })
}
