package gotest

import (
	"encoding/json"
	"fmt"
)

// ClaimKey is the attribute of a test that says of a claim what came of it.
const ClaimKey = "learntest.claim"

// A Claim is the verdict on a claim in a test.
type Claim struct {
	Text   string `json:"claim"`
	Judged bool   `json:"judged"` // there is a verdict
	Holds  bool   `json:"holds"`

	// Estimate is the difference in the direction in which the metric is better, and Loss, if
	// it is known, the loss that the claim would catch in a share Power of cases. Fraction
	// says that both are of a metric with the range 0 to 1.
	Estimate float64  `json:"estimate"`
	Loss     *float64 `json:"loss,omitempty"`
	Power    float64  `json:"power"`
	Fraction bool     `json:"fraction"`
	Items    bool     `json:"items,omitempty"` // the claim is about answers to items, not about predictions

	// Warning says that the candidate has learned nothing that shows; empty if it has.
	Warning string `json:"warning,omitempty"`
}

// Attribute returns the value of the attribute, in one line.
func (c Claim) Attribute() string {
	text, err := json.Marshal(c)
	if err != nil { // a number that is not finite
		c.Estimate, c.Loss, c.Judged = 0, nil, false
		text, _ = json.Marshal(c)
	}
	return string(text)
}

// ParseClaim reads the value of an attribute.
func ParseClaim(value string) (Claim, error) {
	var c Claim
	if err := json.Unmarshal([]byte(value), &c); err != nil {
		return c, fmt.Errorf("attribute %s is %q: %w", ClaimKey, value, err)
	}
	return c, nil
}
