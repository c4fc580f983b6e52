package record

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A shape is what the text of a protocol says about the cells and the sizes of
// their training and test sets. The text belongs to package split; here it is
// read only as far as that.
type shape struct {
	runs  int
	folds int  // 0: one for each example
	all   bool // every example is in the training or in the test set
	even  bool // the sizes of the test sets of a run differ by at most one
	cover bool // every example is in one test set of each run
}

// parseShape parses the canonical text of a protocol, which is a kind, settings
// and a version.
func parseShape(text string) (shape, error) {
	words := strings.Split(text, " ")
	s := shape{runs: 1}
	needsRuns, needsFolds := true, true
	switch words[0] {
	case "cv", "weka":
		s.all, s.even, s.cover = true, true, true
	case "groups":
		s.all, s.cover = true, true
	case "subsample":
		s.all, s.folds, needsFolds = true, 1, false
	case "loo":
		s.all, s.even, s.cover = true, true, true
		needsRuns, needsFolds = false, false
	case "timeseries":
		needsRuns = false
	case "predefined":
	default:
		return s, fmt.Errorf("%q is no protocol: unknown kind %q", text, words[0])
	}
	version := words[len(words)-1]
	if digits, ok := strings.CutPrefix(version, "v"); !ok || !isCount(digits) {
		return s, fmt.Errorf("%q is no protocol: it does not end with a version, such as v1", text)
	}
	seen := make(map[string]bool)
	for _, word := range words[1 : len(words)-1] {
		name, value, _ := strings.Cut(word, "=")
		if seen[name] {
			return s, fmt.Errorf("%q is no protocol: %s is there twice", text, name)
		}
		seen[name] = true
		ok := word != ""
		switch name {
		case "runs":
			s.runs, ok = parseCount(value)
		case "folds":
			s.folds, ok = parseCount(value)
		case "seed":
			ok = value != "" && strings.Trim(value, "0123456789") == ""
		}
		if !ok {
			return s, fmt.Errorf("%q is no protocol: invalid word %q", text, word)
		}
	}
	switch {
	case needsRuns != seen["runs"]:
		return s, fmt.Errorf("%q is no protocol: runs= is missing, or does not belong there", text)
	case needsFolds != seen["folds"]:
		return s, fmt.Errorf("%q is no protocol: folds= is missing, or does not belong there", text)
	}
	return s, nil
}

// ProtocolKind returns the kind of the protocol, the first word of its text: cv,
// subsample, loo, groups, timeseries, predefined or weka.
func (h *Header) ProtocolKind() string {
	kind, _, _ := strings.Cut(h.Protocol, " ")
	return kind
}

// ProtocolSetting returns the value of a setting of the protocol, such as gap, or
// "" if its text does not have the setting.
func (h *Header) ProtocolSetting(name string) string {
	for _, word := range strings.Split(h.Protocol, " ")[1:] {
		if n, value, ok := strings.Cut(word, "="); ok && n == name {
			return value
		}
	}
	return ""
}

// SetDistinct sets DistinctRuns from how many of the protocol's own runs are
// different partitions. Protocol must be set.
func (h *Header) SetDistinct(runs int) {
	h.DistinctRuns = ""
	if s, err := parseShape(h.Protocol); err != nil || runs != s.runs {
		h.DistinctRuns = strconv.Itoa(runs)
	}
}

// Distinct returns how many of the protocol's own runs are different partitions:
// all of them unless DistinctRuns says otherwise. It is 0 if the protocol is none.
func (h *Header) Distinct() int {
	s, err := parseShape(h.Protocol)
	if err != nil {
		return 0
	}
	if n, ok := parseCount(h.DistinctRuns); ok {
		return n
	}
	return s.runs
}

// checkCount returns an error unless the text is a count.
func checkCount(text string) error {
	if !isCount(text) {
		return fmt.Errorf("%q is not a whole number from 1 to %d", excerpt([]byte(text)), maxCount)
	}
	return nil
}

// checkDistinct returns an error if DistinctRuns is all runs or more: that all runs
// differ is said in one way only, so that shards agree.
func (h *Header) checkDistinct() error {
	s, err := parseShape(h.Protocol)
	if n, ok := parseCount(h.DistinctRuns); err == nil && ok && n >= s.runs {
		return fmt.Errorf("Distinct-Runs: %d are not fewer than the %d of %q: leave the key out if all runs differ", n, s.runs, h.Protocol)
	}
	return nil
}

// checkSizes returns an error unless a training and a test set of these sizes
// can be of the protocol on n examples, 0 if that is not known.
func (s *shape) checkSizes(trainN, testN, n int) error {
	switch {
	case trainN < 0 || trainN > math.MaxInt32:
		return fmt.Errorf("%s is %d", unitTrain, trainN)
	case testN < 1 || testN > math.MaxInt32:
		return fmt.Errorf("%s is %d", unitTest, testN)
	case !s.all:
		return nil
	}
	all := trainN + testN
	if n > 0 && all != n {
		return fmt.Errorf("%d training and %d test examples are %d, not the %d of the data set", trainN, testN, all, n)
	}
	if folds := s.folds; s.even {
		if folds == 0 {
			folds = all
		}
		if testN != all/folds && testN != (all+folds-1)/folds {
			return fmt.Errorf("%d of %d examples are no test set of %d even folds", testN, all, folds)
		}
	}
	return nil
}

// maxCount bounds every count in a file.
const maxCount = 1 << 24

func isCount(s string) bool {
	_, ok := parseCount(s)
	return ok
}

// parseCount parses a number from 1 to maxCount without sign and leading zeros.
func parseCount(v string) (int, bool) {
	if v == "" || v[0] == '0' || len(v) > 8 {
		return 0, false
	}
	n := 0
	for i := range len(v) {
		if v[i] < '0' || v[i] > '9' {
			return 0, false
		}
		n = n*10 + int(v[i]-'0')
	}
	return n, n <= maxCount
}
