package stat

func pairedTests() []Test {
	return []Test{{
		Name:   "paired-t",
		Doc:    "uncorrected paired t test: a wrong baseline under cross-validation, with far too many false alarms",
		Naive:  true,
		Design: designFolds("paired-t", 1, 1),
		Run:    PairedTTest,
	}}
}

// PairedTTest is Student's t test on the differences as if they were independent:
// mean/√(s²/n) with n−1 degrees of freedom.
//
// Under cross-validation and resampling the differences are not independent, and the test
// finds differences that do not exist; more runs make it worse. It is in the catalogue as
// the baseline of the literature (there also the resampled and the k-fold cross-validated t
// test), and it is right for scores on independent data. d.Ratio is not used.
//
// Errors and special cases are as for [CorrectedCVTTest], except that one fold is enough.
//
// Source: Bouckaert and Frank (2004), sections 3.1 to 3.3.
func PairedTTest(d Differences, alt Alternative) (Result, error) {
	return meanT("paired-t", &d, alt, 0)
}
