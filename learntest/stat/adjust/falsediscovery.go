package adjust

func falseDiscoveryMethods() []Method {
	return []Method{
		{
			Name: "benjamini-hochberg", Adjust: benjaminiHochberg,
			Doc: "step-up; false discovery rate under independence or positive dependence",
		},
		{
			Name: "benjamini-yekutieli", Adjust: benjaminiYekutieli,
			Doc: "step-up; false discovery rate under any dependence",
		},
	}
}

// benjaminiHochberg adjusts n p-values by
//
//	min over j ≥ i of n·p_j/j
//
// It controls the false discovery rate, the expected fraction of false ones
// among the rejections, under independence and positive regression
// dependence. It does not control the family-wise error rate.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Benjamini and Hochberg (1995), Controlling the false discovery rate, J.
// Royal Statistical Society B 57.
func benjaminiHochberg(p []float64) ([]float64, error) {
	n := float64(len(p))
	return stepUp(p, func(i int, p float64) float64 { return n / float64(i) * p })
}

// benjaminiYekutieli adjusts n p-values by
//
//	min over j ≥ i of (1 + 1/2 + ... + 1/n)·n·p_j/j
//
// It controls the false discovery rate under any dependence.
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n log n)
// time.
//
// Benjamini and Yekutieli (2001), The control of the false discovery rate in
// multiple testing under dependency, Annals of Statistics 29, theorem 1.3.
func benjaminiYekutieli(p []float64) ([]float64, error) {
	n := float64(len(p))
	harmonic := 0.0
	for i := len(p); i >= 1; i-- {
		harmonic += 1 / float64(i)
	}
	return stepUp(p, func(i int, p float64) float64 { return harmonic * n / float64(i) * p })
}
