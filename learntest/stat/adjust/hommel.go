package adjust

import "sort"

func hommelMethods() []Method {
	return []Method{
		{
			Name: "hommel", FamilyWise: true, Adjust: hommel,
			Doc: "closed Simes tests; family-wise under independence or positive dependence",
		},
	}
}

// hommel applies the closure principle to Simes' test: a hypothesis is rejected if every set
// of hypotheses with it in it is rejected by Simes' test, which for a set of k with the sorted
// p-values q has the p-value
//
//	min over j of k·q_j/j
//
// It rejects whatever Hochberg's procedure rejects. It controls the family-wise error rate
// under Simes' inequality: that the test keeps its level on each set of true hypotheses.
// Independent tests have it, and tests with certain kinds of positive dependence, such as
// comparisons of several metrics of the same two learners. Negatively dependent tests, such as
// all pairs of some learners, may not.
//
// With S_k that p-value of the set of the k largest, which falls with k, the adjusted value is
//
//	min over k = 0..n of max(k·p_i, S_(k+1)),  S_(n+1) = 0
//
// It returns errPValue if a value is not in [0, 1]. It takes O(n log n) time.
//
// hommel (1988), A stagewise rejective multiple test procedure based on a modified Bonferroni
// test, Biometrika 75. Meijer, Krebs and Goeman (2019), Hommel's procedure in linear time,
// Biometrical Journal 61, have the form of the adjusted value.
func hommel(p []float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	order := ascending(p)
	simes := simesOfLargest(p, order) // simes[k-1] is S_k
	out := make([]float64, len(p))
	k := len(p) // the smallest with k·p_i ≥ S_(k+1), which falls as p_i rises
	for _, i := range order {
		for k > 0 && float64(k-1)*p[i] >= simes[k-1] {
			k--
		}
		if k > 0 { // else all are 0
			out[i] = min(float64(k)*p[i], simes[k-1])
		}
	}
	return out, nil
}

// simesOfLargest returns at k−1 the p-value of Simes' test on the k largest of the n p-values,
// given their ascending order.
//
// Over k it is the least slope from the point (n−k, 0) to the points (i, p_i), i > n−k, with
// the p-values in order. The lower convex hull of these points has the point of least slope, to
// the left of which slopes fall along it and to the right of which they rise.
func simesOfLargest(p []float64, order []int) []float64 {
	n := len(p)
	at := func(x int) float64 { return p[order[x]] } // x counts from 0: the point is (x+1, p)
	simes := make([]float64, n)
	last := 1.0
	hull := make([]int, 0, n) // from right to left
	for k := 1; k <= n; k++ {
		x := n - k
		for len(hull) >= 2 {
			b, c := hull[len(hull)-1], hull[len(hull)-2]
			if (at(b)-at(x))*float64(c-x) < (at(c)-at(x))*float64(b-x) {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, x)
		value := func(i int) float64 { return float64(k) * at(hull[i]) / float64(hull[i]-x+1) }
		leftmost := len(hull) - 1
		i := leftmost - sort.Search(leftmost, func(steps int) bool {
			return value(leftmost-steps-1) >= value(leftmost-steps)
		})
		last = min(last, value(i)) // rounding apart, the latter
		simes[k-1] = last
	}
	return simes
}
