package record

import (
	"fmt"
	"strconv"

	"github.com/learnbench/learnbench/learntest/split"
)

// SetDistinct sets DistinctRuns from how many of the protocol's own runs are
// different partitions. Protocol must be set.
func (h *Header) SetDistinct(runs int) {
	h.DistinctRuns = ""
	if s, err := split.ParseShape(h.Protocol); err != nil || runs != s.Runs {
		h.DistinctRuns = strconv.Itoa(runs)
	}
}

// Distinct returns how many of the protocol's own runs are different partitions:
// all of them unless DistinctRuns says otherwise. It is 0 if the protocol is none.
func (h *Header) Distinct() int {
	s, err := split.ParseShape(h.Protocol)
	if err != nil {
		return 0
	}
	if n, ok := parseCount(h.DistinctRuns); ok {
		return n
	}
	return s.Runs
}

// checkCount returns an error unless the text is a count.
func checkCount(text string) error {
	if !isCount(text) {
		return fmt.Errorf("%q is not a whole number from 1 to %d", excerpt([]byte(text)), maxCount)
	}
	return nil
}

// checkDistinct returns an error if DistinctRuns is all runs or more. A header without
// the key already says that all runs differ; one spelling only, so that shards agree.
func checkDistinct(h *Header) error {
	n, ok := parseCount(h.DistinctRuns)
	if !ok {
		return nil // most often there is none
	}
	if s, err := split.ParseShape(h.Protocol); err == nil && n >= s.Runs {
		return fmt.Errorf("Distinct-Runs: %d are not fewer than the %d of %q: leave the key out if all runs differ", n, s.Runs, h.Protocol)
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
