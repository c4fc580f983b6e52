package verdict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// under returns scores of a candidate that is better, under the given protocol.
func under(protocol string, runs, folds, trainN, testN int) *record.Pairs {
	r := rand.New(rand.NewPCG(3, 4))
	p := &record.Pairs{
		Data: "d", Candidate: "a", Baseline: "b", Unit: score, Runs: runs, Folds: folds,
		CandidateHeader: &record.Header{Protocol: protocol},
		BaselineHeader:  &record.Header{Protocol: protocol},
	}
	for range runs * folds {
		b := 0.6 + 0.02*r.NormFloat64()
		p.B = append(p.B, b)
		p.A = append(p.A, b+0.05+0.02*r.NormFloat64())
		p.TrainN = append(p.TrainN, int32(trainN))
		p.TestN = append(p.TestN, int32(testN))
	}
	return p
}

const (
	groups10x3 = "groups runs=10 folds=3 unstratified seed=1 v1"
	series5    = "timeseries folds=5 seed=1 v1"
)

// fourGroups are ten runs of three folds of four groups, which only six partitions
// are possible of.
func fourGroups() *record.Pairs {
	p := under(groups10x3, 10, 3, 30, 10)
	p.CandidateHeader.DistinctRuns, p.BaselineHeader.DistinctRuns = "6", "6"
	return p
}

func TestProtocolsThatTheDefaultTestDoesNotFit(t *testing.T) {
	t.Parallel()
	one := fourGroups() // by the header of one side only
	one.CandidateHeader.DistinctRuns = ""
	few := under("cv runs=10 folds=2 stratified seed=1 v1", 10, 2, 2, 2)
	few.CandidateHeader.DistinctRuns = "3"
	for name, c := range map[string]struct {
		p      *record.Pairs
		reason string
	}{
		"leave-one-out": {
			under("loo seed=1 v1", 1, 20, 19, 1),
			`"loo seed=1 v1" is leave-one-out of 20 examples, and no source supports the default test for that: use repeated cross-validation, or name a test`,
		},
		"leave-one-out under another name": {
			under("cv runs=1 folds=20 stratified seed=1 v1", 1, 20, 19, 1),
			`"cv runs=1 folds=20 stratified seed=1 v1" is leave-one-out of 20 examples, and no source supports the default test for that: use repeated cross-validation, or name a test`,
		},
		"leave-one-out, again and again": {
			under("weka runs=3 folds=20 seed=1 v1", 3, 20, 19, 1),
			`"weka runs=3 folds=20 seed=1 v1" is leave-one-out of 20 examples, and no source supports the default test for that: use repeated cross-validation, or name a test`,
		},
		"time series": {
			under(series5, 1, 5, 50, 10),
			`"timeseries folds=5 seed=1 v1" is a time series, and no source supports the default test for that: name the test diebold-mariano, or another one`,
		},
		"time series of single examples": {
			under(series5, 1, 5, 4, 1),
			`"timeseries folds=5 seed=1 v1" is a time series, and no source supports the default test for that: name the test diebold-mariano, or another one`,
		},
		"four groups": {
			fourGroups(),
			`only 6 of the 10 runs of "groups runs=10 folds=3 unstratified seed=1 v1" are different partitions, and no source supports the default test for runs that repeat one another, 30 folds in all: ask for fewer runs, or name a test`,
		},
		"four groups by one header": {
			one,
			`only 6 of the 10 runs of "groups runs=10 folds=3 unstratified seed=1 v1" are different partitions, and no source supports the default test for runs that repeat one another, 30 folds in all: ask for fewer runs, or name a test`,
		},
		"few examples": {
			few,
			`only 3 of the 10 runs of "cv runs=10 folds=2 stratified seed=1 v1" are different partitions, and no source supports the default test for runs that repeat one another, 20 folds in all: ask for fewer runs, or name a test`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []Kind{Differs, Improves, NoRegression, Equivalent} {
				v := Judge(c.p, Claim{Kind: kind})
				assert.Equal(t, Invalid, v.Outcome)
				assert.False(t, v.Holds)
				assert.Equal(t, c.reason, v.Reason)
				assert.Equal(t, "a vs b on d: invalid: "+c.reason, v.Summary())
			}
			// A test that the claim names is used, with a warning.
			why, _, _ := strings.Cut(c.reason, ": ")
			v := Judge(c.p, Claim{Kind: Improves, Test: stat.MustLookup("b03-use-all-data/df=4")})
			assert.Equal(t, Improved, v.Outcome)
			assert.Equal(t, "b03-use-all-data/df=4", v.Difference.Result.Test)
			require.Len(t, v.Warnings, 1)
			assert.EqualError(t, v.Warnings[0],
				why+": b03-use-all-data/df=4 is used because the claim names it")
			// The default test by its name is one of them.
			v = Judge(c.p, Claim{Kind: Improves, Test: stat.MustLookup("corrected-cv-t")})
			assert.Equal(t, Improved, v.Outcome)
			require.Len(t, v.Warnings, 1)
			assert.EqualError(t, v.Warnings[0], why+": corrected-cv-t is used because the claim names it")
		})
	}
}

func TestProtocolsThatTheDefaultTestFits(t *testing.T) {
	t.Parallel()
	uneven := under("cv runs=1 folds=4 stratified seed=1 v1", 1, 4, 3, 1) // of 5 examples
	uneven.TestN[2]++
	uneven.TrainN[2]--
	headless := under("", 10, 10, 90, 10)
	headless.CandidateHeader, headless.BaselineHeader = new(record.Header), new(record.Header)
	for _, p := range []*record.Pairs{
		under("cv runs=10 folds=10 stratified seed=1 v1", 10, 10, 90, 10),
		under("cv runs=1 folds=10 stratified seed=1 v1", 1, 10, 9, 2),
		under("weka runs=2 folds=5 seed=1 v1", 2, 5, 4, 2),
		under(groups10x3, 10, 3, 30, 10),
		under("subsample runs=20 train=0.9 unstratified seed=1 v1", 20, 1, 9, 1),
		under("subsample runs=2 train=0.5 unstratified seed=1 v1", 2, 1, 1, 1),
		under("predefined runs=1 folds=5 sha256=5f seed=1 v1", 1, 5, 50, 1),
		uneven, headless,
	} {
		v := Judge(p, Claim{Kind: Improves})
		assert.NotEqual(t, Invalid, v.Outcome, "%s", v.Reason)
		assert.Empty(t, v.Warnings)
	}
}

func TestDieboldMarianoIsForTimeSeries(t *testing.T) {
	t.Parallel()
	for protocol, want := range map[string]struct {
		size int
		test string
	}{
		series5:                                                   {10, "diebold-mariano"},
		"timeseries folds=5 gap=0 seed=1 v1":                      {10, "diebold-mariano"},
		"timeseries folds=5 gap=1 seed=1 v1":                      {10, "diebold-mariano/h=2"},
		"timeseries folds=5 gap=10 seed=1 v1":                     {10, "diebold-mariano/h=2"},
		"timeseries folds=5 gap=11 seed=1 v1":                     {10, "diebold-mariano/h=3"},
		"timeseries folds=5 test=1 maxtrain=20 gap=3 seed=1 v1":   {1, "diebold-mariano/h=4"},
		"timeseries folds=5 test=100 maxtrain=20 gap=3 seed=1 v1": {100, "diebold-mariano/h=2"},
	} {
		p := under(protocol, 1, 5, 50, want.size)
		p.A[1] += 0.01 // so that neighbours are alike, and all lags have a variance
		p.A[2] += 0.02
		p.A[3] += 0.02
		p.A[4] += 0.05
		v := Judge(p, Claim{Kind: Improves, Test: stat.MustLookup("diebold-mariano")})
		test, err := stat.Lookup(want.test)
		require.NoError(t, err)
		r, err := test.Run(differences(p, 0, 1), stat.TwoSided)
		require.NoError(t, err)
		assert.Equal(t, want.test, v.Difference.Result.Test, protocol)
		assert.Equal(t, r.P, v.Difference.Result.P)
		assert.Contains(t, v.String(), want.test+", n = 1×5, t = ")
		assert.Empty(t, v.Warnings)
		assert.Equal(t, want.test, v.Claim.Test.Name)

		// A horizon that the claim gives is that.
		v = Judge(p, Claim{Kind: Improves, Test: stat.MustLookup("diebold-mariano/h=1")})
		assert.Equal(t, "diebold-mariano/h=1", v.Difference.Result.Test)
		assert.Empty(t, v.Warnings)
	}
}

// The horizon against its definition: folds h−1 apart have examples after their
// training sets in common, folds h apart have none.
func TestHorizonOverAGap(t *testing.T) {
	t.Parallel()
	for gap := range 30 {
		for size := 1; size <= 12; size++ {
			p := under(fmt.Sprintf("timeseries folds=40 test=%d gap=%d seed=1 v1", size, gap), 1, 40, 50,
				size)
			test, doubts, err := Claim{Test: stat.MustLookup("diebold-mariano")}.fit(p)
			require.NoError(t, err)
			require.Empty(t, doubts)
			require.False(t, test.Naive)
			h := 1
			for apart := 1; apart*size-gap < size; apart++ {
				h = apart + 1
			}
			want := "diebold-mariano"
			if h > 1 {
				want = fmt.Sprintf("diebold-mariano/h=%d", h)
			}
			require.Equal(t, want, test.Name, "gap %d, size %d", gap, size)
		}
	}
	// The smallest test set asks for the longest horizon.
	p := under("timeseries folds=9 gap=6 seed=1 v1", 1, 9, 50, 6)
	p.TestN[4] = 2
	test, _, err := Claim{Test: stat.MustLookup("diebold-mariano")}.fit(p)
	require.NoError(t, err)
	require.Equal(t, "diebold-mariano/h=4", test.Name)
	p.TestN[4] = 0 // as no file has it
	test, _, err = Claim{Test: stat.MustLookup("diebold-mariano")}.fit(p)
	require.NoError(t, err)
	require.Equal(t, "diebold-mariano/h=7", test.Name)
}

func TestDieboldMarianoThatCannotBeApplied(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p      *record.Pairs
		test   string
		reason string
	}{
		"gap too long": {
			under("timeseries folds=5 test=2 gap=9 seed=1 v1", 1, 5, 50, 2),
			"diebold-mariano",
			"test does not fit the design: diebold-mariano/h=6 needs one run of more than 6 folds, not 1 of 5: h = 6 follows from a gap of 9 examples before test sets of 2: ask for more folds, or for larger test sets",
		},
		"one fold": {
			under("timeseries folds=1 seed=1 v1", 1, 1, 50, 2),
			"diebold-mariano",
			"test does not fit the design: diebold-mariano needs one run of more than 1 folds, not 1 of 1",
		},
		"a gap of words": {
			under("timeseries folds=5 gap=wide seed=1 v1", 1, 5, 50, 2),
			"diebold-mariano",
			`the gap of "timeseries folds=5 gap=wide seed=1 v1" is not a number of examples: run the trials again`,
		},
		"negative gap": {
			under("timeseries folds=5 gap=-1 seed=1 v1", 1, 5, 50, 2),
			"diebold-mariano",
			`the gap of "timeseries folds=5 gap=-1 seed=1 v1" is not a number of examples: run the trials again`,
		},
		"gap beyond all numbers": {
			under("timeseries folds=5 gap=2147483647 seed=1 v1", 1, 5, 50, 1),
			"diebold-mariano",
			`the gap of "timeseries folds=5 gap=2147483647 seed=1 v1" is not a number of examples: run the trials again`,
		},
		"repeated cross-validation": {
			under("cv runs=10 folds=10 stratified seed=1 v1", 10, 10, 90, 10),
			"diebold-mariano",
			"test does not fit the design: diebold-mariano needs one run of more than 1 folds, not 10 of 10",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := Judge(c.p, Claim{Test: stat.MustLookup(c.test)})
			assert.Equal(t, Invalid, v.Outcome)
			assert.False(t, v.Holds)
			assert.Equal(t, c.reason, v.Reason)
		})
	}
}

// Elsewhere the test of Diebold and Mariano is as naive as the paired t test.
func TestDieboldMarianoIsNaiveUnderCrossValidation(t *testing.T) {
	t.Parallel()
	v := Judge(under("cv runs=1 folds=10 stratified seed=1 v1", 1, 10, 90, 10),
		Claim{Test: stat.MustLookup("diebold-mariano")})
	require.Len(t, v.Warnings, 1)
	assert.EqualError(t, v.Warnings[0],
		"diebold-mariano takes the folds for independent, which overlapping training sets are not: expect far more false alarms than the level says")
	v = Judge(under("loo seed=1 v1", 1, 10, 9, 1), Claim{Test: stat.MustLookup("diebold-mariano")})
	require.Len(t, v.Warnings, 2)
	assert.EqualError(t, v.Warnings[0],
		`"loo seed=1 v1" is leave-one-out of 10 examples, and no source supports the default test for that: diebold-mariano is used because the claim names it`)
}

func TestUnfitDoesNotModifyThePairs(t *testing.T) {
	t.Parallel()
	p := fourGroups()
	train, test, h := slices.Clone(p.TrainN), slices.Clone(p.TestN), *p.CandidateHeader
	Judge(p, Claim{})
	assert.Equal(t, train, p.TrainN)
	assert.Equal(t, test, p.TestN)
	assert.Equal(t, h, *p.CandidateHeader)
}
