package gotest

import (
	"encoding/json"
	"fmt"
)

// StaleKey is the attribute of a test that cannot compare with its baseline, which is of other
// data.
const StaleKey = "learntest.stale"

// A Stale is a baseline of other data than its test has.
type Stale struct {
	Dir  string `json:"dir"`  // of the package
	Path string `json:"path"` // of the baseline, absolute or from there

	Learner  string `json:"learner"`
	Data     string `json:"data"`
	Protocol string `json:"protocol"`

	// Pkg, Test and Commit have stored the baseline.
	Pkg    string `json:"pkg"`
	Test   string `json:"test"`
	Commit string `json:"commit"`

	// Was and Is are the digests of the examples then and now, and Before and Examples their
	// numbers. Kept says that the examples now begin with the examples of then.
	Was      string `json:"was"`
	Is       string `json:"is"`
	Before   int    `json:"before"`
	Examples int    `json:"examples"`
	Kept     bool   `json:"kept"`

	Files []string `json:"files"` // that the examples were read from, absolute
}

// Attribute returns the value of the attribute, in one line.
func (s Stale) Attribute() string {
	text, _ := json.Marshal(s) // of texts and numbers, without an error
	return string(text)
}

// ParseStale reads the value of an attribute.
func ParseStale(value string) (Stale, error) {
	var s Stale
	if err := json.Unmarshal([]byte(value), &s); err != nil {
		return s, fmt.Errorf("attribute %s is %q: %w", StaleKey, value, err)
	}
	return s, nil
}
