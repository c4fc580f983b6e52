package record

import (
	"fmt"
	"strconv"
	"strings"
)

// A MismatchError names what differs between results that do not belong
// together.
type MismatchError struct {
	Err            error  // ErrMismatch or ErrAmbiguous
	What           string // key of the header, "unit", "formula of" a metric, or the name of a value
	Cell           *Cell  // where it differs; nil if it is not a value of a cell
	WhereA, WhereB string // whose value it is, as in "candidate c45 of new.txt"
	A, B           string // the values
}

// Error names the differing key, unit or value, and both its values. It cuts digests to their first
// digits, where these differ, and names the data or the partitions that they are digests of.
func (e *MismatchError) Error() string {
	a, b := fmt.Sprintf("%q", e.A), fmt.Sprintf("%q", e.B)
	of := map[string]string{
		dataDigest:  "the data differ: ",
		splitDigest: "the partitions differ: ",
	}[e.What]
	if x, y := shortDigest(e.A), shortDigest(e.B); of != "" && x != y {
		a, b = x, y
	}
	what := e.What
	if metric, ok := e.metricOf(); ok {
		of, what = fmt.Sprintf("metric %s is another formula now: ", metric), "its fingerprint"
	}
	if e.Cell != nil {
		what += fmt.Sprintf(" of %v", *e.Cell)
	}
	return fmt.Sprintf("%v: %s%s is %s for %s but %s for %s", e.Err, of, what, a, e.WhereA, b,
		e.WhereB)
}

// shortDigest returns the first digits of a digest, and any other text in quotes.
func shortDigest(text string) string {
	if checkDigest(text) != nil {
		return strconv.Quote(text)
	}
	return text[:12]
}

// Unwrap returns e.Err.
func (e *MismatchError) Unwrap() error { return e.Err }

// metricOf returns the metric whose formula differs, if that is what does.
func (e *MismatchError) metricOf() (string, bool) { return strings.CutPrefix(e.What, formulaOf) }
