package adjust

import "fmt"

func romMethods() []Method {
	return []Method{
		{
			Name: "rom", FamilyWise: true, Adjust: rom,
			Doc: "step-up with exact critical values; family-wise under independence",
		},
	}
}

// romLimit bounds the number of hypotheses, each of whose critical values
// takes time that grows with the square of its rank.
const romLimit = 500

// romCritical returns the critical values of rom for n p-values at level alpha, that for the
// largest p-value first, in c, whose capacity must be 2n at least: the second half holds the
// powers c_(i+1)^(k−i) of the current k. They solve
//
//	c_1 = α,  c_k = (Σ α^i [i = 1..k−1] − Σ C(k,i)·c_(i+1)^(k−i) [i = 1..k−2]) / k
//
// It takes O(n²) time, 0.6 ms for n = 500.
func romCritical(c []float64, n int, alpha float64) []float64 {
	power := c[n : 2*n]
	c = append(c[:0], alpha)
	if n > 1 {
		c = append(c, alpha/2)
		power[1] = alpha / 2
	}
	powers := alpha // Σ α^i, i < k−1
	term := alpha   // α^(k−2)
	for k := 3; k <= n; k++ {
		term *= alpha
		powers += term
		sum := powers
		binomial := 1.0
		for i := 1; i <= k-2; i++ {
			binomial = binomial * float64(k-i+1) / float64(i)
			power[i] *= c[i]
			sum -= float64(binomial * power[i])
		}
		c = append(c, sum/float64(k))
		power[k-1] = c[k-1]
	}
	return c
}

// rom is a step-up procedure like hochberg with the largest critical values
// that keep the family-wise error rate at the level exactly when the tests
// are independent; see romCritical. The adjusted value of the i-th smallest
// of n p-values is the smallest level at which one of the p_j, j ≥ i, is at
// most its critical value. It rejects whatever Hochberg rejects.
//
// It returns errPValue if a value is not in [0, 1] and errTooMany if
// there are over 500. It takes O(n³) time at worst, some ten sets of critical
// values for each p-value: measured 0.1 s of processor time for n = 500 evenly
// spread p-values, and 1.6 s where they fall as 1/i, so that the bounds of
// hochberg and Šidák spare least of it.
//
// rom (1990), A sequentially rejective test procedure based on a modified
// bonferroni inequality, Biometrika 77.
func rom(p []float64) ([]float64, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	n := len(p)
	if n > romLimit {
		return nil, fmt.Errorf("%w: %d, limit %d", errTooMany, n, romLimit)
	}
	out := make([]float64, n)
	order := ascending(p)
	scratch := make([]float64, 2*n)
	last := 1.0
	for i := n - 1; i >= 0; i-- {
		v := p[order[i]]
		// The critical value is at least α/k, and at most the critical value if only the
		// smallest of k p-values counted.
		k := n - i
		lo, hi := max(v, anyOf(float64(k), v)), min(last, float64(k)*v)
		if lo < last {
			last = min(last, romLevel(scratch, k, v, lo, max(lo, hi)))
		}
		out[order[i]] = max(v, last)
	}
	return out, nil
}

// romLevel returns the level in [lo, hi] at which the k-th critical value is
// p, or hi if it is smaller than p even there, by the Illinois method.
func romLevel(scratch []float64, k int, p, lo, hi float64) float64 {
	if k <= 2 || p == 0 {
		return hi
	}
	excess := func(alpha float64) float64 { return romCritical(scratch, k, alpha)[k-1] - p }
	flo, fhi := excess(lo), excess(hi)
	if flo >= 0 {
		return lo
	}
	if fhi <= 0 {
		return hi
	}
	for hi-lo > 1e-15*hi {
		x := hi - fhi*(hi-lo)/(fhi-flo)
		if !(x > lo && x < hi) {
			x = 0.5 * (lo + hi)
		}
		f := excess(x)
		switch {
		case f == 0:
			return x
		case f > 0:
			hi, fhi = x, f
			flo /= 2
		default:
			lo, flo = x, f
			fhi /= 2
		}
	}
	return hi
}
