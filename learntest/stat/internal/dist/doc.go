// Package dist holds the probability distributions that the tests of package
// stat need, as plain functions on float64.
//
// Tail probabilities are computed as such, never as one minus the other tail,
// and are accurate to about 1e-13 relative to themselves however small they
// are; quantiles take an upper tail probability for the same reason. Arguments
// outside of a function's domain give NaN; nothing panics.
//
// # Why not gonum
//
// Where gonum's special functions are as accurate, they are used: its quantile of the
// normal distribution is. The largest relative errors, over tails from one half to
// 1e-300 and up to 1e14 degrees of freedom (testdata/tails.py), are
//
//	function        here     gonum
//	StudentSF       5.9e-14  8.0e-09  distuv.StudentsT, by the same 1−x
//	StudentInvSF    9.7e-15  all      distuv.StudentsT: infinite in far tails
//	FSF             6.7e-14  all      distuv.F: one minus the other tail
//	BetaInc         1.6e-11  0.59     mathext.RegIncBeta: large shapes
//	BinomialSF      4.4e-14  7.8e-13  mathext.RegIncBeta
//	ChiSquaredSF    4.1e-13  2.6e-13  mathext.GammaIncRegComp
//	ChiSquaredCDF   4.1e-13  all      mathext.GammaIncReg: one minus the other tail
//	NormalInvSF     4.4e-16  4.4e-16  mathext.NormalQuantile, which it is
//
// where "all" are errors in all digits. The error of BetaInc comes from its argument 1−x;
// ChiSquaredSF comes with ChiSquaredCDF. Besides, distuv has no studentized range, and reaches
// gonum's linear algebra, which nothing here may link.
package dist
