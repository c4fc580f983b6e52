package assert

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	testify "github.com/stretchr/testify/assert"
)

// NoCopies claims that no more than a share of the test examples, such as 0.01, have an equal
// example in the training set of their trial: a learner that remembers its training examples is
// right on these. Labels, groups and weights do not count. The partitions are the default ones of
// learntest.Compare; for another protocol see learnercheck.Data.
//
//	assert.NoCopies(t, payments, 0.01)
//
// Real tables of few values repeat themselves: the groups that learntest.FindCopies names keep
// equal examples together.
func NoCopies[X any, Y comparable](t TestingT, data learntest.Data[X, Y], most float64) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	if err := tooManyCopies(data, most); err != nil {
		return testify.Fail(t, fmt.Sprintf("Claim does not hold: few test examples of %s have a copy in training\n%v", data.Name(), err))
	}
	return true
}

func tooManyCopies[X any, Y comparable](data learntest.Data[X, Y], most float64) error {
	if !(most >= 0 && most < 1) {
		return fmt.Errorf("%v is not a share of test examples from 0 to below 1, such as 0.01", most)
	}
	found, err := learntest.FindCopies(data, split.Protocol{})
	if err != nil {
		return err
	}
	if found.Share <= most {
		return nil
	}
	return fmt.Errorf("%.3g%% of test examples have a copy in training, %.3g%% are allowed: %d examples in %d sets of equal ones\n"+
		"remove the copies, or keep them together: learntest.FindCopies names groups for split.Groups",
		100*found.Share, 100*most, found.Examples, found.Sets)
}
