package dist

import "math"

const (
	// wallaceDF is the number of degrees of freedom from which the transformation
	// of Wallace (1959) to a normal variable is exact to the last digits.
	wallaceDF = 1e12

	// normalDF is that from which F is χ² and the density of t is normal.
	normalDF = 1e20
)

// StudentSF returns the probability that a variable with Student's t
// distribution with df > 0 degrees of freedom exceeds t; df may be +Inf, the
// normal limit.
func StudentSF(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return NormalSF(t)
	case t < 0:
		return 1 - StudentSF(-t, df)
	case math.IsInf(t, 1):
		return 0
	}
	q := t / math.Sqrt(df)
	q2 := q * q
	if df >= wallaceDF {
		// df·log(1+q²), where df times the smallest q² need not be exact
		if q2 < 1e-17 {
			return NormalSF(t)
		}
		return NormalSF(math.Sqrt(df) * math.Sqrt(math.Log1p(q2)) * (1 - 0.25/df))
	}
	if math.IsInf(q2, 1) {
		return studentKernel(df, 2*math.Log(t)-math.Log(df)) / (df * math.SqrtPi)
	}
	x, y := 1/(1+q2), q2/(1+q2)
	a := 0.5 * df
	if x <= (a+1)/(a+2.5) {
		// I_x(a, 1/2)/2, with x^a·√y/(a·B(a, 1/2)) as the leading factor.
		return 0.5 * studentKernel(df, math.Log1p(q2)) * math.Sqrt(y) / math.SqrtPi * betaFraction(a, 0.5,
			x, y)
	}
	// 1/2 − I_y(1/2, a)/2, with x^a·√y/(1/2·B(a, 1/2)) as the leading factor.
	return 0.5 - 0.5*studentKernel(df, math.Log1p(q2))*math.Sqrt(y)/math.SqrtPi*betaFraction(0.5, a, y,
		x)
}

// StudentPDF returns the density of Student's t with df > 0 degrees of freedom
// at t; df may be +Inf.
func StudentPDF(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case df >= normalDF:
		return NormalPDF(t)
	case math.IsInf(t, 0):
		return 0
	}
	q := math.Abs(t) / math.Sqrt(df)
	l := math.Log1p(q * q)
	if math.IsInf(l, 1) {
		l = 2*math.Log(math.Abs(t)) - math.Log(df)
	}
	return studentKernel(df, l) * math.Exp(-0.5*l) / math.Sqrt(df*math.Pi)
}

// studentKernel returns Γ((df+1)/2)/Γ(df/2) · exp(−df/2 · l).
func studentKernel(df, l float64) float64 {
	a := 0.5 * df
	return GammaRatioHalf(a) * math.Exp(-a*l)
}

// StudentInvSF returns the t that a variable with Student's t distribution with
// df > 0 degrees of freedom exceeds with probability p. It is +Inf for p = 0,
// -Inf for p = 1 and NaN outside of [0, 1].
//
// The start is the approximation of Wallace (1959) turned round; Newton's
// method follows, on the logarithms of t and of the tail where p is small.
func StudentInvSF(p, df float64) float64 {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1 || !(df > 0):
		return math.NaN()
	case df >= normalDF:
		return NormalInvSF(p)
	case p == 0:
		return math.Inf(1)
	case p == 1:
		return math.Inf(-1)
	case p > 0.5:
		return -StudentInvSF(1-p, df)
	case p == 0.5:
		return 0
	case df == 1:
		return 1 / math.Tan(math.Pi*p)
	case df == 2:
		return (1 - 2*p) / math.Sqrt(2*p*(1-p))
	case df < 1 && StudentSF(math.MaxFloat64, df) > p:
		return math.Inf(1)
	case df < 1:
		// The tails are too heavy for Newton's method.
		return math.Exp(Root(func(l float64) float64 { return math.Log(p / StudentSF(math.Exp(l), df)) },
			-745, 709.7))
	}
	w := NormalInvSF(p) * (8*df + 3) / (8*df + 1)
	e := w * w / df
	t := math.Sqrt(df * math.Expm1(e))
	if df >= wallaceDF {
		return t
	}
	if e > 500 {
		t = math.Sqrt(df) * math.Exp(0.5*math.Min(e, 1400))
	}
	for range 60 {
		sf := StudentSF(t, df)
		pdf := StudentPDF(t, df)
		last := t
		if p > 0.1 {
			t += (sf - p) / pdf
		} else if sf == 0 || pdf == 0 {
			t = math.Sqrt(t)
			continue
		} else {
			t *= math.Exp(math.Log(sf/p) * sf / (t * pdf))
		}
		if math.Abs(t-last) <= 1e-8*t+4*epsilon { // the convergence is quadratic
			break
		}
	}
	return t
}
