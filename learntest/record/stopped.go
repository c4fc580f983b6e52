package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/split"
)

// A Stop says that the training of a learner was stopped after the first runs of its protocol,
// since these settle the claims that were made about it.
type Stop struct {
	Runs  int     // done, fewer than the protocol has
	Error float64 // the smallest of the claims' probabilities that all runs decide otherwise: readers settle their claims by it
	Claim string  // the one that took the most runs, in words
}

// SetStop notes in Header.Stopped that the training of the learner was stopped: a list of
// LEARNER=RUNS,ERROR,CLAIM with names escaped as in the names of trials. The block has then exactly
// these runs of the learner.
func (e Entry) SetStop(s Stop) {
	value := appendFloat(append(strconv.AppendInt(nil, int64(s.Runs), 10), ','), s.Error)
	e.header.Stopped = addOf(e.header.Stopped, e.learner,
		string(appendName(append(value, ','), s.Claim, "=,")))
}

// Stop returns where the training of the learner was stopped; false if it was not.
func (e Entry) Stop() (Stop, bool) {
	if e.header.Stopped == "" {
		return Stop{}, false
	}
	s, err := parseStop(valueOf(e.header.Stopped, e.learner))
	return s, err == nil
}

func parseStop(value string) (s Stop, err error) {
	runs, rest, _ := strings.Cut(value, ",")
	gamma, claim, ok := strings.Cut(rest, ",")
	if s.Runs, ok = parseCountIf(ok, runs); !ok {
		return s, fmt.Errorf("%q is not RUNS,ERROR,CLAIM", excerpt([]byte(value)))
	}
	if s.Error, err = strconv.ParseFloat(gamma, 64); err != nil || !(s.Error > 0 && s.Error < 1) {
		return s, fmt.Errorf("the error %q is not between 0 and 1", excerpt([]byte(gamma)))
	}
	s.Claim, err = unescapeName(claim)
	return s, err
}

func parseCountIf(ok bool, text string) (int, bool) {
	if !ok {
		return 0, false
	}
	return parseCount(text)
}

// checkStops returns an error if Header.Stopped says of a learner anything but that it was stopped
// once, early.
func checkStops(h *Header, learners map[string]int) error {
	if h.Stopped == "" {
		return nil
	}
	shape, err := split.ParseShape(h.Protocol)
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for f := range strings.FieldsSeq(h.Stopped) {
		escaped, value, _ := strings.Cut(f, "=")
		name, err := unescapeName(escaped)
		_, known := learners[name]
		if err != nil || !known || seen[name] {
			return fmt.Errorf("%s: %q is no learner of the block, or there twice", keyStopped,
				excerpt([]byte(escaped)))
		}
		seen[name] = true
		s, err := parseStop(value)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", keyStopped, escaped, err)
		}
		if s.Runs < 2 || s.Runs >= shape.Runs || shape.Halves() {
			return fmt.Errorf("%s: %s: %q cannot be stopped after run %d", keyStopped, escaped, h.Protocol,
				s.Runs)
		}
	}
	return nil
}

// TrainOn says how the runs are trained that were left out when training was stopped.
const TrainOn = "the test that has stored them trains the others under LEARNTEST_RESUME=1 LEARNTEST_SETTLE=off, and learnbench run with -resume and without -settle"
