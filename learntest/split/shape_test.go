package split

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProtocolsThatAreNone(t *testing.T) {
	t.Parallel()
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	all := strings.Join(names, ", ")
	for text, msg := range map[string]string{
		"":   `unknown kind of protocol "": there are ` + all,
		"v1": `unknown kind of protocol "v1": there are ` + all,
		"CV runs=1 folds=2 seed=1 v1": `unknown kind of protocol "CV": did you mean cv? There are ` +
			all,
		" cv runs=1 folds=2 seed=1 v1":  `unknown kind of protocol "": there are ` + all,
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
		"halves runs=2 folds=2 v1":      "m= is missing, or does not belong there",
		"halves m=0 folds=2 v1":         `invalid word "m=0"`,
	} {
		_, err := ParseShape(text)
		require.EqualError(t, err, fmt.Sprintf("split: cannot parse protocol %q: %s", text, msg))
		require.ErrorIs(t, err, ErrSyntax)
	}
}

func TestShapeOfProtocols(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for text, want := range map[string]Shape{
		"cv runs=10 folds=16777216 stratified seed=1 v1": {
			Runs: 10, Folds: maxShape,
			sizes: sizes{all: true, even: true, cover: true},
		},
		"weka runs=16777216 folds=3 seed=1 v1": {
			Runs: maxShape, Folds: 3,
			sizes: sizes{all: true, even: true, cover: true},
		},
		"groups runs=2 folds=3 unstratified seed=1 v1": {
			Runs: 2, Folds: 3,
			sizes: sizes{all: true, cover: true},
		},
		"subsample runs=7 train=0.9 unstratified seed=1 v1": {
			Runs: 7, Folds: 1,
			sizes: sizes{all: true},
		},
		"loo seed=18446744073709551615 v1": {
			Runs:  1,
			sizes: sizes{all: true, even: true, cover: true},
		},
		"timeseries folds=5 test=20 maxtrain=9 gap=2 seed=1 v": {},
		"timeseries folds=5 test=20 maxtrain=9 gap=2 v12":      {Runs: 1, Folds: 5},
		"predefined runs=1 folds=3 sha256=5f seed=1 v1":        {Runs: 1, Folds: 3},
		"halves m=20 folds=5 seed=1 v1": {
			Runs: 20, Folds: 10, halves: true,
			sizes: sizes{cover: true},
		},
		"grouphalves m=20 folds=5 unstratified seed=1 v1": {
			Runs: 20, Folds: 10, halves: true,
			sizes: sizes{cover: true},
		},
	} {
		name, _, _ := strings.Cut(text, " ")
		seen[name] = true
		got, err := ParseShape(text)
		if want == (Shape{}) {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
	for _, k := range kinds() {
		require.True(t, seen[k.name], "no shape of %s is checked", k.name)
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
		{
			protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 31, trainN: 22, testN: 9,
			msg: "9 of 31 examples are no test set of 3 even folds",
		},
		{
			protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 31, trainN: 19, testN: 12,
			msg: "12 of 31 examples are no test set of 3 even folds",
		},
		{
			protocol: "cv runs=1 folds=3 stratified seed=1 v1", n: 30, trainN: 19, testN: 11,
			msg: "11 of 30 examples are no test set of 3 even folds",
		},
		{protocol: "weka runs=1 folds=3 seed=1 v1", n: 31, trainN: 20, testN: 11},
		{
			protocol: "weka runs=1 folds=3 seed=1 v1", n: 31, trainN: 19, testN: 12,
			msg: "12 of 31 examples are no test set of 3 even folds",
		},
		{protocol: "loo seed=1 v1", n: 31, trainN: 30, testN: 1},
		{
			protocol: "loo seed=1 v1", n: 31, trainN: 29, testN: 2,
			msg: "2 of 31 examples are no test set of 31 even folds",
		},
		{protocol: "subsample runs=1 train=0.9 unstratified seed=1 v1", n: 31, trainN: 28, testN: 3},
		{protocol: "subsample runs=1 train=0.9 unstratified seed=1 v1", n: 31, trainN: 0, testN: 31},
		{protocol: "groups runs=1 folds=3 unstratified seed=1 v1", n: 31, trainN: 1, testN: 30},
		{protocol: "timeseries folds=3 seed=1 v1", n: 31, trainN: 1, testN: 2},
		{protocol: "predefined runs=1 folds=3 sha256=5f seed=1 v1", n: 31, trainN: 100, testN: 200},
	} {
		s, err := ParseShape(c.protocol)
		require.NoError(t, err)
		for _, n := range []int{0, c.n} {
			if err := s.CheckSizes(c.trainN, c.testN, n); c.msg == "" {
				require.NoError(t, err, c.protocol)
			} else {
				require.EqualError(t, err, c.msg)
			}
		}
		if err := s.CheckSizes(c.trainN, c.testN, c.n+1); s.all {
			require.EqualError(t, err, fmt.Sprintf("%d training and %d test examples are %d, not the %d of the data set", c.trainN, c.testN, c.n, c.n+1))
		} else {
			require.NoError(t, err)
		}
		require.EqualError(t, s.CheckSizes(-1, 1, 0), "-1 training examples")
		require.EqualError(t, s.CheckSizes(1, 0, 0), "0 test examples")
	}
}

func TestSizesOutOfRange(t *testing.T) {
	t.Parallel()
	s := Shape{Folds: 1}
	require.NoError(t, s.CheckSizes(math.MaxInt32, math.MaxInt32, 0))
	require.NoError(t, s.CheckSizes(0, 1, 0))
	over := math.MaxInt32
	over++ // negative where an int has 32 bits
	require.EqualError(t, s.CheckSizes(over, 1, 0), fmt.Sprintf("%d training examples", over))
	require.EqualError(t, s.CheckSizes(0, over, 0), fmt.Sprintf("%d test examples", over))
}
