package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Majority is the class that is most frequent among the test examples, and what always
// predicting it scores: the mean over the folds of the protocol's own runs. A learner that is no
// better has learned nothing that shows in that metric.
type Majority struct {
	Class  string
	Units  []string  // names of metrics
	Scores []float64 // of each
}

// SetMajority sets Header.Majority, which is empty if there are no scores: the class and a list of
// METRIC=SCORE, with names escaped as in the names of trials.
func (h *Header) SetMajority(m Majority) {
	h.Majority = ""
	if len(m.Units) == 0 {
		return
	}
	list := ""
	for i, name := range m.Units {
		list = addOf(list, name, string(appendFloat(nil, m.Scores[i])))
	}
	h.Majority = EscapeName(m.Class) + " " + list
}

// MajorityIn returns the majority class and its score in a metric, and whether the header has
// them.
func (h *Header) MajorityIn(metric string) (class string, score float64, ok bool) {
	if h.Majority == "" {
		return "", 0, false
	}
	m, err := parseMajority(h.Majority)
	if err != nil {
		return "", 0, false
	}
	i := slices.Index(m.Units, metric)
	if i < 0 {
		return "", 0, false
	}
	return m.Class, m.Scores[i], true
}

// NoBetter reports whether a mean score in a metric is no better than what always predicting the
// most frequent class scores, and returns both. It does not if the header does not say what that
// scores.
func (h *Header) NoBetter(u unit.Unit, mean float64) (class string, score float64, noBetter bool) {
	class, score, ok := h.MajorityIn(u.Name)
	return class, score, ok && float64(u.Better)*(mean-score) <= 0
}

func parseMajority(text string) (Majority, error) {
	var m Majority
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return m, fmt.Errorf("%q is not a class and its scores", excerpt([]byte(text)))
	}
	var err error
	if m.Class, err = unescapeName(fields[0]); err != nil {
		return m, err
	}
	for _, f := range fields[1:] {
		escaped, value, ok := strings.Cut(f, "=")
		name, err := unescapeName(escaped)
		x, bad := strconv.ParseFloat(value, 64)
		if !ok || err != nil || bad != nil || math.IsNaN(x) || math.IsInf(x, 0) ||
			slices.Contains(m.Units, name) {
			return m, fmt.Errorf("%q is not the score of a metric", excerpt([]byte(f)))
		}
		m.Units, m.Scores = append(m.Units, name), append(m.Scores, x)
	}
	return m, nil
}

func checkMajority(text string) error {
	_, err := parseMajority(text)
	return err
}
