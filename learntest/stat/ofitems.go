package stat

import "fmt"

// itemTests returns the tests that are found by name and judge answers to items alone: they hold
// clusters and scores, which differences of folds do not have. Package itemwise has them as
// functions.
func itemTests() []Test {
	of := func(name, doc string) Test {
		refuse := func() error {
			return fmt.Errorf("%w: %s is a test of fixed systems on items, and not of folds", ErrDesign,
				name)
		}
		return Test{
			Name: name, Doc: doc,
			Design: func(int, int) error { return refuse() },
			Run:    func(Differences, Alternative) (Result, error) { return Result{}, refuse() },
		}
	}
	return []Test{
		of("cluster-flip", "sign-flip permutation test of clusters: for items in six clusters or more, without an interval"),
		of("mcnemar", "McNemar's exact test: for items without clusters, answered once with scores of 0 and 1"),
	}
}
