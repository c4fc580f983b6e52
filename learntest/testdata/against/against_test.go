// Package against has a test that another test has go test run, to see whether it notices that
// a baseline has changed.
package against

import (
	"os"
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

func TestAgainst(t *testing.T) {
	if os.Getenv("AGAINST_BASELINE") == "" {
		t.Skip("another test runs it")
	}
	data := learntest.Examples("numbers", []int{1, 2, 3, 4, 5, 6, 7, 8}, []bool{true, false, true, false, true, false, true, false})
	odd := learntest.Pretrained("odd", func(i int) bool { return i%2 == 1 || i == 8 })
	c := learntest.AgainstWith(t, learntest.Config{Protocol: split.CV(2, 2)}, data, odd, os.Getenv("AGAINST_BASELINE"))
	t.Log(c.Judge(verdict.Claim{}).Summary())
}
