package dist

import "math"

// FSF returns the probability that a variable with Snedecor's F distribution
// with df1, df2 > 0 degrees of freedom exceeds f; df2 may be +Inf. It is 1 for
// f ≤ 0.
func FSF(f, df1, df2 float64) float64 {
	switch {
	case math.IsNaN(f) || !(df1 > 0) || !(df2 > 0) || math.IsInf(df1, 1):
		return math.NaN()
	case f <= 0:
		return 1
	case math.IsInf(f, 1):
		return 0
	case df2 >= normalDF:
		return ChiSquaredSF(df1*f, df1)
	}
	r := df1 * f / df2
	if math.IsInf(r, 1) {
		return 0
	}
	return BetaInc(0.5*df2, 0.5*df1, 1/(1+r), r/(1+r))
}
