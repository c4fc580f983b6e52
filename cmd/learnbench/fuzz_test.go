package main

import "testing"

// FuzzParseLearner checks that any text is either a learner with a name or an
// error.
func FuzzParseLearner(f *testing.F) {
	for _, s := range []string{
		"nn", "mine=nn(k=5,weighting=inverse)", "c45(minleaf=3, pruning=none)",
		"=", "nn()", "ols(missing=indicator)", "x=median", "nn(k=1))", "(", "",
		"rf=exec(python3 x.py 'a b')", "exec()",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		l, err := parseLearner(spec)
		if err == nil && (l.name == "" || kinds(l) != 1) {
			t.Errorf("%q is a learner without name, or not of one kind", spec)
		}
		if err != nil && l != (chosen{}) {
			t.Errorf("%q is a learner and an error: %v", spec, err)
		}
	})
}

// kinds returns how many kinds of learners a chosen one is.
func kinds(l chosen) int {
	n := 0
	for _, is := range []bool{l.classifier != nil, l.regressor != nil, l.command != ""} {
		if is {
			n++
		}
	}
	return n
}
