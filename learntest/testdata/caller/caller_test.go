// Package caller_test has tests that another test has go test run, to see what
// they say of themselves.
package caller_test

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/testdata/caller/helper"
)

func TestPlain(t *testing.T) { helper.Compare(t) }

func TestSub(t *testing.T) {
	for _, name := range []string{"a/b", "it's \"quoted\" (1|2) [x] $5", "a b", "a.b", "\x00é"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			helper.Compare(t)
		})
	}
	helper.Run(t)
}

// TestSubTwo is not to run when TestSub is.
func TestSubTwo(t *testing.T) {}
