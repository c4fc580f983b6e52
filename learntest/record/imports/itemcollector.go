package imports

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
)

// An itemCollector takes the answers of all sources.
type itemCollector struct {
	*collector
	ItemOptions
	kind ItemFormat

	suite    string
	learners []string
	items    map[string]*record.Item
	answers  map[repeatKey]answer
	lines    map[repeatKey]record.Pos
	repeats  map[string]map[string]int // by learner and id
	named    map[string]Measure        // by metric
	byID     bool                      // content is unknown
	prompts  map[string]string         // digests of prompts by id, where files have them
	filter   string                    // that all answers of lm-eval have gone through
	qrels    map[string]map[string]int // judgements by query and document
}

// An answer is the score of a learner on an item.
type answer struct {
	id, cluster, content string
	slices               []string
	repeat               int
	values               map[string]float64
	cause                string // why there are no values; empty if there are
}

// A repeatKey is an answer's place.
type repeatKey struct {
	learner, id string
	repeat      int
}

// note adds a sentence to the notes, once.
func (c *itemCollector) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// required returns the text of a column that there must be.
func (c *itemCollector) required(o object, path string, line int) (string, error) {
	if x := o.get(path); x != nil {
		return text(x), nil
	}
	return "", c.errorf(line, "there is no %q", path)
}
