package record

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProtocolsThatAreNone(t *testing.T) {
	t.Parallel()
	for text, msg := range map[string]string{
		"":                              `unknown kind ""`,
		"v1":                            `unknown kind "v1"`,
		"CV runs=1 folds=2 seed=1 v1":   `unknown kind "CV"`,
		" cv runs=1 folds=2 seed=1 v1":  `unknown kind ""`,
		"cv":                            "it does not end with a version, such as v1",
		"cv runs=1 folds=2 seed=1":      "it does not end with a version, such as v1",
		"cv runs=1 folds=2 seed=1 1":    "it does not end with a version, such as v1",
		"cv runs=1 folds=2 seed=1 v":    "it does not end with a version, such as v1",
		"cv runs=1 folds=2 seed=1 v0":   "it does not end with a version, such as v1",
		"cv runs=1 folds=2 seed=1 v1.2": "it does not end with a version, such as v1",
		"cv runs=1 folds=2 seed=1 v1 ":  "it does not end with a version, such as v1",
		"cv runs=1  folds=2 seed=1 v1":  `invalid word ""`,
		"cv runs=0 folds=2 seed=1 v1":   `invalid word "runs=0"`,
		"cv runs=01 folds=2 seed=1 v1":  `invalid word "runs=01"`,
		"cv runs=+1 folds=2 seed=1 v1":  `invalid word "runs=+1"`,
		"cv runs=1/ folds=2 seed=1 v1":  `invalid word "runs=1/"`,
		"cv runs=1: folds=2 seed=1 v1":  `invalid word "runs=1:"`,
		"cv runs= folds=2 seed=1 v1":    `invalid word "runs="`,
		"cv runs folds=2 seed=1 v1":     `invalid word "runs"`,
		"cv runs=1 folds=two v1":        `invalid word "folds=two"`,
		"cv runs=1 folds=16777217 v1":   `invalid word "folds=16777217"`,
		"cv runs=1 folds=123456789 v1":  `invalid word "folds=123456789"`,
		"cv runs=1 folds=2 seed=-1 v1":  `invalid word "seed=-1"`,
		"cv runs=1 folds=2 seed= v1":    `invalid word "seed="`,
		"cv runs=1 folds=2 runs=1 v1":   "runs is there twice",
		"cv runs=1 folds=2 x x=1 v1":    "x is there twice",
		"cv runs=1 v1":                  "folds= is missing, or does not belong there",
		"cv folds=1 v1":                 "runs= is missing, or does not belong there",
		"weka folds=2 v1":               "runs= is missing, or does not belong there",
		"groups runs=2 v1":              "folds= is missing, or does not belong there",
		"predefined v1":                 "runs= is missing, or does not belong there",
		"subsample runs=2 folds=1 v1":   "folds= is missing, or does not belong there",
		"subsample train=0.9 v1":        "runs= is missing, or does not belong there",
		"loo runs=2 seed=1 v1":          "runs= is missing, or does not belong there",
		"loo folds=2 v1":                "folds= is missing, or does not belong there",
		"timeseries seed=1 v1":          "folds= is missing, or does not belong there",
		"timeseries runs=2 folds=2 v1":  "runs= is missing, or does not belong there",
	} {
		_, err := parseShape(text)
		require.EqualError(t, err, fmt.Sprintf("%q is no protocol: %s", text, msg))
	}
}

func TestShapeOfProtocols(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]shape{
		"cv runs=10 folds=16777216 stratified seed=1 v1":       {runs: 10, folds: maxCount, all: true, even: true, cover: true},
		"weka runs=16777216 folds=3 seed=1 v1":                 {runs: maxCount, folds: 3, all: true, even: true, cover: true},
		"groups runs=2 folds=3 unstratified seed=1 v1":         {runs: 2, folds: 3, all: true, cover: true},
		"subsample runs=7 train=0.9 unstratified seed=1 v1":    {runs: 7, folds: 1, all: true},
		"loo seed=18446744073709551615 v1":                     {runs: 1, all: true, even: true, cover: true},
		"timeseries folds=5 test=20 maxtrain=9 gap=2 seed=1 v": {},
		"timeseries folds=5 test=20 maxtrain=9 gap=2 v12":      {runs: 1, folds: 5},
		"predefined runs=1 folds=3 sha256=5f seed=1 v1":        {runs: 1, folds: 3},
	} {
		got, err := parseShape(text)
		if want == (shape{}) {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"1": 1, "9": 9, "10": 10, "16777216": maxCount} {
		n, ok := parseCount(text)
		require.True(t, ok)
		require.Equal(t, want, n)
	}
	for _, text := range []string{"", "0", "-1", "1a", "a", "16777217", "99999999", "100000000", "1 "} {
		require.False(t, isCount(text), text)
	}
}

// Each protocol has its own rules for the sizes of training and test sets.
func TestSizesOfProtocols(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		protocol         string
		n, trainN, testN int
		msg              string
	}{
		{protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 31, trainN: 20, testN: 11},
		{protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 31, trainN: 21, testN: 10},
		{protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 30, trainN: 20, testN: 10},
		{protocol: "cv runs=1 folds=5 stratified seed=1 v1", n: 3, trainN: 2, testN: 1},
		{protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 31, trainN: 22, testN: 9, msg: "9 of 31 examples are no test set of 3 even folds"},
		{protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 31, trainN: 19, testN: 12, msg: "12 of 31 examples are no test set of 3 even folds"},
		{protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 30, trainN: 19, testN: 11, msg: "11 of 30 examples are no test set of 3 even folds"},
		{protocol: "weka runs=1 folds=3 seed=1 v1", n: 31, trainN: 20, testN: 11},
		{protocol: "weka runs=1 folds=3 seed=1 v1", n: 31, trainN: 19, testN: 12, msg: "12 of 31 examples are no test set of 3 even folds"},
		{protocol: "loo seed=1 v1", n: 31, trainN: 30, testN: 1},
		{protocol: "loo seed=1 v1", n: 31, trainN: 29, testN: 2, msg: "2 of 31 examples are no test set of 31 even folds"},
		{protocol: "subsample runs=1 train=0.9 unstratified seed=1 v1", n: 31, trainN: 28, testN: 3},
		{protocol: "subsample runs=1 train=0.9 unstratified seed=1 v1", n: 31, trainN: 0, testN: 31},
		{protocol: "groups runs=1 folds=3 unstratified seed=1 v1", n: 31, trainN: 1, testN: 30},
		{protocol: "timeseries folds=3 seed=1 v1", n: 31, trainN: 1, testN: 2},
		{protocol: "predefined runs=1 folds=3 sha256=5f seed=1 v1", n: 31, trainN: 100, testN: 200},
	} {
		s, err := parseShape(c.protocol)
		require.NoError(t, err)
		for _, n := range []int{0, c.n} {
			if err := s.checkSizes(c.trainN, c.testN, n); c.msg == "" {
				require.NoError(t, err, c.protocol)
			} else {
				require.EqualError(t, err, c.msg)
			}
		}
		if err := s.checkSizes(c.trainN, c.testN, c.n+1); s.all {
			require.EqualError(t, err, fmt.Sprintf("%d training and %d test examples are %d, not the %d of the data set", c.trainN, c.testN, c.n, c.n+1))
		} else {
			require.NoError(t, err)
		}
		require.EqualError(t, s.checkSizes(-1, 1, 0), "train-n is -1")
		require.EqualError(t, s.checkSizes(1, 0, 0), "test-n is 0")
	}
}

// The first trial says how many examples there are, where the protocol uses them
// all.
func TestSizesMustAgreeWithinABlock(t *testing.T) {
	t.Parallel()
	h := sampleHeader("vehicle", 1, 2)
	tr := Trial{Data: "vehicle", Learner: "a", Run: 1, Fold: 1, TrainN: 5, TestN: 6, Values: []float64{1}}
	other := tr
	other.Fold, other.TrainN = 2, 6
	b, err := NewBlock(h, []string{"a"}, []Unit{accuracy}, 0)
	require.NoError(t, err)
	require.NoError(t, b.Add(tr))
	require.EqualError(t, b.Add(other), "invalid record: data set vehicle, learner a, run 1, fold 2: 6 training and 6 test examples are 12, not the 11 of the data set")
	h.Protocol = "predefined runs=1 folds=2 sha256=5f seed=1 v1"
	b, err = NewBlock(h, []string{"a"}, []Unit{accuracy}, 0)
	require.NoError(t, err)
	require.NoError(t, b.Add(tr))
	require.NoError(t, b.Add(other))
}
