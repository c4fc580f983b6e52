package adjust

func shafferMethods() []Method {
	return []Method{
		{
			Name: "shaffer", FamilyWise: true, AllPairs: true, Adjust: shaffer,
			Doc: "step-down over all pairs of learners; family-wise under any dependence",
		},
	}
}

// shaffer is holm for the p-values of all pairs out of m learners, with the
// number of hypotheses not yet passed replaced by the number that can be true
// at once (the static version of the procedure):
//
//	max over j ≤ i of min(1, t_j·p_j)
//
// where t_j is the largest element of S(m) that is at most n−j+1, n =
// m(m−1)/2, and S(m) holds the numbers of pairs of equal learners that m
// learners can have. It controls the family-wise error rate under any
// dependence and rejects whatever Holm rejects.
//
// p must hold the two-sided p-values of all pairs; their order does not
// matter to this method.
//
// It returns errPValue if a value is not in [0, 1] and errPairs if len(p)
// is not m(m−1)/2 for an m of at least 2, no p-values apart. It takes O(m⁴)
// time.
//
// shaffer (1986), Modified sequentially rejective multiple test procedures,
// JASA 81. García and Herrera (2008), An extension on "Statistical
// comparisons of classifiers over multiple data sets", JMLR 9, section 2.
func shaffer(p []float64) ([]float64, error) {
	if len(p) == 0 {
		return []float64{}, nil
	}
	m, err := learners(len(p))
	if err != nil {
		return nil, err
	}
	possible := truePairs(m)
	most := make([]int, len(p)+1) // most[i] is the largest possible number up to i
	for i := 1; i <= len(p); i++ {
		most[i] = most[i-1]
		if possible[i] {
			most[i] = i
		}
	}
	n := len(p)
	return stepDown(p, func(i int, p float64) float64 { return float64(most[n-i+1]) * p })
}

// truePairs returns S(m) as a set: element t is true if m learners can have
// exactly t pairs of equal ones, that is, if t is the number of pairs inside
// of the blocks of a partition of m.
func truePairs(m int) []bool {
	// S(k) is the union over the size b of one block of S(k−b) + b(b−1)/2.
	sets := make([][]bool, m+1)
	sets[0] = []bool{true}
	for k := 1; k <= m; k++ {
		sets[k] = make([]bool, k*(k-1)/2+1)
		for b := 1; b <= k; b++ {
			inside := b * (b - 1) / 2
			for t, ok := range sets[k-b] {
				if ok {
					sets[k][t+inside] = true
				}
			}
		}
	}
	return sets[m]
}
