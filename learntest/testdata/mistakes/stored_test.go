package mistakes

import (
	"fmt"
	"os"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

// stored reads the name of a model and the bound below which it is wrong.
func stored(t *testing.T) learntest.Learner[int, bool] {
	text, err := os.ReadFile("model.txt")
	if err != nil {
		t.Fatal(err)
	}
	var name string
	var bound int
	if _, err := fmt.Sscan(string(text), &name, &bound); err != nil {
		t.Fatal(err)
	}
	return wrongBelow(name, bound)
}

// There is no baseline. commands.txt writes one, and changes the model's file.
//
//	FAIL Claim does not hold: forest vs forest on numbers: invalid configuration: baseline stored.txt: there is no such file; LEARNTEST_UPDATE=1 go test -count=1 -run '^TestStoredModel$' example.com/model writes it anew
func TestStoredModel(t *testing.T) {
	c := learntest.Against(t, numbers(200), stored(t), "stored.txt")
	assert.NoRegression(t, c, assert.Margin(0.01))
}

// So it is with a test that also looks for a baseline that is beaten.
//
//	FAIL Claim does not hold: forest vs forest on numbers: invalid configuration: baseline beaten.txt: there is no such file; LEARNTEST_UPDATE=1 go test -count=1 -run '^TestBaselineThatIsBeaten$' example.com/model writes it anew
func TestBaselineThatIsBeaten(t *testing.T) {
	c := learntest.Against(t, numbers(200), stored(t), "beaten.txt")
	assert.NoRegression(t, c, assert.Margin(0.1))
	assert.BaselineIsCurrent(t, c)
}
