package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// maxMore is how many times the examples are worth naming.
const maxMore = 100

// Words says in a few words what a comparison is: why the gate fails on it for the reason given,
// else its outcome. Differences may have been looked for in one direction only.
func (c *Comparison) Words(why, tail string) string {
	required := strings.TrimPrefix(why, Not)
	switch {
	case !c.Judged(), why == "", why == c.Outcome && why != verdict.Inconclusive.String():
		return c.Outcome
	case c.Outcome == verdict.Regressed.String():
		return c.Outcome
	case c.Margin != nil && c.Margin.Reason != "" && required != why:
		return "not shown"
	}
	left := c.left(required, tail)
	switch {
	case left <= 0 && (required == NonInferior || required == verdict.Same.String()):
		return "beyond the margin"
	case left <= 0 && required == verdict.Improved.String():
		return "no gain"
	case left <= 0:
		return c.Outcome
	}
	if text := c.more(left); text != "" {
		return text
	}
	if required != why {
		return "not shown"
	}
	return c.Outcome
}

// left returns the part of the difference that the requirement leaves, in the direction in which it
// would be shown.
func (c *Comparison) left(required, tail string) float64 {
	u := c.Table.Measure()
	better := float64(u.Better) * float64(c.Difference)
	switch {
	case required == NonInferior && c.Margin != nil:
		return float64(c.Margin.Value) + better
	case required == verdict.Same.String() && c.Margin != nil:
		return float64(c.Margin.Value) - math.Abs(better)
	case required == verdict.Improved.String() || required == "not-improved" || tail == "better":
		return better
	case tail == "worse":
		return -better
	}
	return math.Abs(better)
}

// more names how many times the examples it would take at the difference that was found, as the
// help of a verdict does; nothing where that is unknown, such as for the halves of a second
// opinion.
func (c *Comparison) more(left float64) string {
	detectable := float64(c.Detectable)
	u := c.Table.Measure()
	if !(detectable > left) || math.IsInf(detectable, 1) || c.Second != nil ||
		u.FormatMargin(left) == u.FormatMargin(0) {
		return ""
	}
	times := detectable / left * (detectable / left)
	if times > maxMore {
		return fmt.Sprintf("needs >%d× data", maxMore)
	}
	return fmt.Sprintf("needs %.2g× data", math.Ceil(10*times)/10)
}
