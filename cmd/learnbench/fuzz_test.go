package main

import "testing"

// FuzzParseLearner checks that any text is either a learner with a name or an
// error.
func FuzzParseLearner(f *testing.F) {
	for _, s := range []string{"nn", "mine=nn(k=5,weighting=inverse)", "c45(minleaf=3, pruning=none)", "=", "nn()", "nn(k=1))", "(", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		l, err := parseLearner(spec)
		if err == nil && (l.Name == "" || l.Fit == nil) {
			t.Errorf("%q is a learner without name or Fit", spec)
		}
		if err != nil && l.Fit != nil {
			t.Errorf("%q is a learner and an error: %v", spec, err)
		}
	})
}
