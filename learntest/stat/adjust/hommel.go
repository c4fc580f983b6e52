package adjust

func hommelMethods() []Method {
	return []Method{
		{
			Name: "hommel", Controls: FamilyWise, Adjust: Hommel,
			Doc: "closed Simes tests; family-wise under independence or positive dependence",
		},
	}
}

// Hommel applies the closure principle to Simes' test: a hypothesis is
// rejected if every set of hypotheses with it in it is rejected by Simes'
// test, which for a set of k with the sorted p-values q has the p-value
//
//	min over j of k·q_j/j
//
// It rejects whatever [Hochberg] rejects, and controls the family-wise error
// rate where Simes' inequality holds: under independence and certain kinds of
// positive dependence.
//
// It returns [ErrPValue] if a value is not in [0, 1]. It takes O(n²) time and
// O(n) space for n p-values.
//
// Hommel (1988), A stagewise rejective multiple test procedure based on a
// modified Bonferroni test, Biometrika 75. Wright (1992), Adjusted p-values
// for simultaneous inference, Biometrics 48, appendix.
func Hommel(p []float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	n := len(p)
	order := ascending(p)
	adjusted := make([]float64, n)
	for i, k := range order {
		adjusted[i] = p[k]
	}
	for k := 2; k <= n; k++ {
		// Of the sets of k that hold hypothesis i, the one with the k−1 largest
		// other p-values is the last to be rejected.
		size := float64(k)
		others := 1.0
		for j := 2; j <= k; j++ {
			others = min(others, size*p[order[n-k+j-1]]/float64(j))
		}
		largest := min(others, size*p[order[n-k]])
		for i := range n {
			v := largest
			if i < n-k {
				v = min(others, size*p[order[i]])
			}
			adjusted[i] = max(adjusted[i], v)
		}
	}
	out := make([]float64, n)
	for i, k := range order {
		out[k] = min(1, adjusted[i])
	}
	return out, nil
}
