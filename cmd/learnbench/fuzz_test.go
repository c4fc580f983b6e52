package main

import "testing"

// FuzzParseLearner checks that any text is either a learner with a name or an
// error.
func FuzzParseLearner(f *testing.F) {
	for _, s := range []string{"nn", "mine=nn(k=5,weighting=inverse)", "c45(minleaf=3, pruning=none)", "=", "nn()", "ols(missing=indicator)", "x=median", "nn(k=1))", "(", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		l, err := parseLearner(spec)
		if err == nil && (l.name == "" || (l.classifier == nil) == (l.regressor == nil)) {
			t.Errorf("%q is a learner without name, or neither of classes nor of numbers", spec)
		}
		if err != nil && l != (chosen{}) {
			t.Errorf("%q is a learner and an error: %v", spec, err)
		}
	})
}
