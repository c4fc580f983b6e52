package assert_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/split"
)

// told is a test that writes down its failures.
type told []string

func (t *told) Errorf(format string, args ...any) { *t = append(*t, fmt.Sprintf(format, args...)) }

func TestNoCopies(t *testing.T) {
	t.Parallel()
	var r told
	require.True(t, assert.NoCopies(&r, uci.Vehicle(), 0))
	require.True(t, assert.NoCopies(&r, uci.Iris(), 0.04))
	require.Empty(t, r)
	for _, c := range []struct {
		most float64
		says string
	}{
		{0.032, "3.33% of test examples have a copy in training, 3.2% are allowed: 5 examples in 2 sets of equal ones"},
		{0, "3.33% of test examples have a copy in training, 0% are allowed"},
		{1, "1 is not a share of test examples from 0 to below 1, such as 0.01"},
		{-0.1, "-0.1 is not a share"},
		{math.NaN(), "NaN is not a share"},
		{math.Inf(1), "+Inf is not a share"},
	} {
		r = nil
		require.False(t, assert.NoCopies(&r, uci.Iris(), c.most))
		require.Len(t, r, 1)
		require.Contains(t, strings.ReplaceAll(r[0], "\n\t            \t", "\n"),
			"Error:      \tClaim does not hold: few test examples of iris have a copy in training\n"+c.says)
	}
	r = nil
	functions := learntest.Examples("functions", make([]func(), 20),
		append(make([]bool, 19), true)).WithDigest(strings.Repeat("a", 64))
	require.False(t, assert.NoCopies(&r, functions, 0.5), "nobody knows")
	require.Contains(t, r[0], "value cannot be digested")
	require.False(t, assert.NoCopies(&r, learntest.Examples("few", []int{1, 2}, []bool{true, false}),
		0.5))
}

// Groups of equal examples keep them together.
func ExampleNoCopies() {
	var t testT // in a test, t *testing.T
	votes := uci.Vote()
	assert.NoCopies(t, votes, 0.01)
	found, err := learntest.FindCopies(votes, split.Protocol{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	if votes, err = votes.WithGroups("equal", found.Groups); err != nil {
		t.Fatalf("%v", err)
	}
	fmt.Println(assert.NoCopies(t, votes, 0.01))
	// Output:
	// Claim does not hold: few test examples of vote have a copy in training
	// 29.5% of test examples have a copy in training, 1% are allowed: 131 examples in 38 sets of equal ones
	// remove the copies, or keep them together: learntest.FindCopies names groups for split.Groups
	// 	Test:       	TestNearest
	// true
}
