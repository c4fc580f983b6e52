package naivebayes

import "github.com/learnbench/learnbench/learntest/learner/internal/detmath"

// normalCDF returns the distribution function of the standard normal at x, by
// the rational approximations of Cephes' ndtr [1].
//
// Their switch points matter beyond accuracy: in the upper tail the result is
// exactly 1 from about x = 8.3, whereas in the lower tail it stays positive
// down to x = -37.67. A difference of two values thus vanishes in the one tail
// and not in the other.
//
// [1] S. L. Moshier, Cephes Mathematical Library 2.1, ndtr.c, 1987 (the
// coefficients and the intervals).
func normalCDF(x float64) float64 {
	const sqrtHalf = 7.07106781186547524401e-1
	x = float64(x * sqrtHalf)
	z := x
	if z < 0 {
		z = -z
	}
	if z < sqrtHalf {
		return 0.5 + float64(0.5*erf(x))
	}
	y := float64(0.5 * erfc(z))
	if x > 0 {
		return 1 - y
	}
	return y
}

// erf returns the error function for |x| <= 1.
func erf(x float64) float64 {
	z := float64(x * x)
	num := float64(9.60497373987051638749e0*z) + 9.00260197203842689217e1
	num = float64(num*z) + 2.23200534594684319226e3
	num = float64(num*z) + 7.00332514112805075473e3
	num = float64(num*z) + 5.55923013010394962768e4
	den := z + 3.35617141647503099647e1
	den = float64(den*z) + 5.21357949780152679795e2
	den = float64(den*z) + 4.59432382970980127987e3
	den = float64(den*z) + 2.26290000613890934246e4
	den = float64(den*z) + 4.92673942608635921086e4
	return x * num / den
}

// erfc returns 1 - erf(x) for x >= 0.
func erfc(x float64) float64 {
	const maxLog = 7.09782712893383996732e2 // exp(-maxLog) is the smallest that counts
	if x < 1 {
		return 1 - erf(x)
	}
	z := float64(-x * x)
	if z < -maxLog {
		return 0
	}
	z = detmath.Exp(z)
	var num, den float64
	if x < 8 {
		num = float64(2.46196981473530512524e-10*x) + 5.64189564831068821977e-1
		num = float64(num*x) + 7.46321056442269912687e0
		num = float64(num*x) + 4.86371970985681366614e1
		num = float64(num*x) + 1.96520832956077098242e2
		num = float64(num*x) + 5.26445194995477358631e2
		num = float64(num*x) + 9.34528527171957607540e2
		num = float64(num*x) + 1.02755188689515710272e3
		num = float64(num*x) + 5.57535335369399327526e2
		den = x + 1.32281951154744992508e1
		den = float64(den*x) + 8.67072140885989742329e1
		den = float64(den*x) + 3.54937778887819891062e2
		den = float64(den*x) + 9.75708501743205489753e2
		den = float64(den*x) + 1.82390916687909736289e3
		den = float64(den*x) + 2.24633760818710981792e3
		den = float64(den*x) + 1.65666309194161350182e3
		den = float64(den*x) + 5.57535340817727675546e2
	} else {
		num = float64(5.64189583547755073984e-1*x) + 1.27536670759978104416e0
		num = float64(num*x) + 5.01905042251180477414e0
		num = float64(num*x) + 6.16021097993053585195e0
		num = float64(num*x) + 7.40974269950448939160e0
		num = float64(num*x) + 2.97886665372100240670e0
		den = x + 2.26052863220117276590e0
		den = float64(den*x) + 9.39603524938001434673e0
		den = float64(den*x) + 1.20489539808096656605e1
		den = float64(den*x) + 1.70814450747565897222e1
		den = float64(den*x) + 9.60896809063285878198e0
		den = float64(den*x) + 3.36907645100081516050e0
	}
	return z * num / den
}
