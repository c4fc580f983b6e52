package stat

// Held returns a test that holds its differences itself, beside the argument of Run, as a test
// needs that does not move with them: at tests that the mean difference is null. [Test.Against] and
// [Test.Equivalence] return what at returns.
func Held(name, doc string, at func(null float64, alt Alternative) (Result, error)) Test {
	return Test{
		Name: name, Doc: doc, held: at,
		Run: func(_ Differences, alt Alternative) (Result, error) { return at(0, alt) },
	}
}
