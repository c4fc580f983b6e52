package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// sliceOf returns the pairs of a slice of 50 members, ten in each of five test sets of 20, in which
// the baseline has five hits each and the candidate as many more as are given.
func sliceOf(gains ...float64) *record.Pairs {
	h := &record.Header{Protocol: "cv runs=1 folds=5 stratified seed=1 v1"}
	p := &record.Pairs{
		Data: "visits", Candidate: "new", Baseline: "old", CandidateHeader: h, BaselineHeader: h,
		Runs: 1, Folds: 5,
		Unit: unit.Unit{Name: "accuracy{clinic=A}", Better: unit.Higher, Max: 1, Mean: true},
		Slice: &record.PairedSlice{
			Slice: record.Slice{Name: "clinic=A", Members: 50, Digest: "0123abcd"},
			Scale: 5,
		},
	}
	for _, g := range gains {
		p.Slice.Counts = append(p.Slice.Counts, 10)
		p.A, p.B = append(p.A, 5*(5+g)/50), append(p.B, 5*5./50)
		p.TrainN, p.TestN = append(p.TrainN, 80), append(p.TestN, 20)
	}
	return p
}

// TestEqualDifferencesOnASliceAreNoProof checks the floor of the variance: one hit more in each
// fold, which rounding may have made equal, has a p above 0.
func TestEqualDifferencesOnASliceAreNoProof(t *testing.T) {
	t.Parallel()
	v := Judge(sliceOf(1, 1, 1, 1, 1), Claim{})
	require.NoError(t, v.Err)
	assert.InDelta(t, 0.1, v.Estimate, 1e-12)
	assert.InDelta(t, 0.6, v.CandidateMean, 1e-12)
	assert.InDelta(t, 0.5, v.BaselineMean, 1e-12)
	const step = 1. / 10 // a hit of ten members
	assert.InDelta(t, step*step/12*(1./5+1./4), v.Difference.Result.SE*v.Difference.Result.SE, 1e-12)
	assert.Greater(t, v.Difference.P, 1e-4)
	assert.Nil(t, v.Rerun, "nothing foretells what other partitions would say")
	assert.Positive(t, v.Detectable)

	v = Judge(sliceOf(0, 0, 0, 0, 0), Claim{Kind: NoRegression, Margin: 0.05})
	require.NoError(t, v.Err)
	assert.False(t, v.Holds, "50 examples cannot show 5 points")
	assert.Equal(t, 50, v.Tested)
	assert.True(t, Judge(sliceOf(0, 0, 0, 0, 0), Claim{Kind: NoRegression, Margin: 0.06}).Holds)
}

func TestSlicesMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a", "a", true},
		{"a", "ab", false},
		{"", "a", false},
		{"*", "a", true},
		{"*", "", true},
		{"a*", "a", true},
		{"a*", "ab/c", true},
		{"a*", "ba", false},
		{"*a", "ba", true},
		{"*a", "ab", false},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"a*b*c", "a-b-c", true},
		{"a*b*c", "a-c-b", false},
		{"a**c", "abc", true},
		{"*b*", "abc", true},
		{"*b*b", "ab", false},
		{"?", "a", false},
		{"[a]", "a", false},
	} {
		assert.Equal(t, c.want, matches(c.pattern, c.name), "%q %q", c.pattern, c.name)
	}
	all := []record.Slice{{Name: "a=1"}, {Name: "a=2"}, {Name: "b=1"}}
	of := func(patterns ...string) []record.Slice {
		s := Slices{Patterns: patterns}
		got, err := s.Match(all)
		require.NoError(t, err)
		return got
	}
	assert.Equal(t, all, of())
	assert.Equal(t, all[:2], of("a=*", "a=2"))
	assert.Equal(t, []record.Slice{all[0], all[2]}, of("*=1"))
	_, err := (&Slices{}).Match(nil)
	require.ErrorIs(t, err, ErrClaim)
	_, err = (&Slices{Patterns: []string{"a=*", "c=*"}}).Match(all)
	require.ErrorIs(t, err, ErrClaim)
}
