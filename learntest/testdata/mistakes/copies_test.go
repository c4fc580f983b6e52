package mistakes

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

// Each row is there twice. Real tables of few values repeat themselves, too: the claim holds, and its
// first line warns.
//
//	PASS memory is 44.60 points better than never on points in accuracy: holds on this data set; 91.6% of test examples have a copy in training: a learner that remembers them looks better than it is on new examples; see split.Groups with the groups of learntest.FindCopies
func TestRowsThatAreThereTwice(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, points(100, 2), memory("memory"), always[point]("never", false)))
}

// Nobody has said whose visits the rows are.
//
//	PASS memory is 52.00 points better than never on points in accuracy: holds on this data set; 100% of test examples have a copy in training: a learner that remembers them looks better than it is on new examples; see split.Groups with the groups of learntest.FindCopies
func TestVisitsOfPatientsWithoutNames(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, points(50, 8), memory("memory"), always[point]("never", false)))
}

// The test asks for data without copies.
//
//	FAIL Claim does not hold: few test examples of points have a copy in training
func TestCopiesWhereNobodyWantsThem(t *testing.T) {
	assert.NoCopies(t, points(100, 2), 0.01)
}

// Groups keep copies together, so that nothing is left to remember.
//
//	FAIL Claim does not hold: memory is on a par with never on points in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold
func TestCopiesInGroups(t *testing.T) {
	data := points(100, 2)
	found, err := learntest.FindCopies(data, split.Protocol{})
	if err != nil {
		t.Fatal(err)
	}
	never := always[point]("never", false)
	assert.Improves(t, learntest.Compare(t, data.WithGroups(found.Groups), memory("memory"), never))
}
