package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Names of outcomes that a gate may fail on or require.
const (
	improved     = "improved"
	regressed    = "regressed"
	equivalent   = "equivalent"
	inconclusive = "inconclusive"
	invalid      = "invalid"
	notImproved  = "not-improved"
	nonInferior  = report.NonInferior
)

// FailOn is a flag: what a gate fails on.
type FailOn []string

// String returns the names.
func (f *FailOn) String() string { return strings.Join(*f, ",") }

// Set adds the names of a list.
func (f *FailOn) Set(list string) error {
	names := []string{notImproved}
	for _, o := range verdict.Outcomes() {
		names = append(names, o.String())
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(names, name) {
			slices.Sort(names)
			return fmt.Errorf("no outcome is called %q; the outcomes are %s%s", name,
				strings.Join(names, ", "), catalogue.Suggest(name, names))
		}
		if !slices.Contains(*f, name) {
			*f = append(*f, name)
		}
	}
	return nil
}

// Require is a flag: what every comparison must show.
type Require []requirement

type requirement struct{ what, metric string }

// String returns the list.
func (r *Require) String() string {
	items := make([]string, len(*r))
	for i, q := range *r {
		items[i] = q.String()
	}
	return strings.Join(items, ",")
}

// of reports whether the requirement is about comparisons in the metric.
func (q requirement) of(metric string) bool { return q.metric == "" || q.metric == metric }

// met reports whether a comparison that was judged meets the requirement.
func (q requirement) met(c *report.Comparison) bool {
	switch q.what {
	case nonInferior:
		return c.Margin != nil && c.Margin.NonInferior
	case equivalent:
		return c.Margin != nil && c.Margin.Within
	}
	return c.Outcome == q.what
}

func (q requirement) String() string {
	if q.metric == "" {
		return q.what
	}
	return q.what + ":" + q.metric
}

// Set adds the items of a list.
func (r *Require) Set(list string) error {
	for item := range strings.SplitSeq(list, ",") {
		var q requirement
		q.what, q.metric, _ = strings.Cut(strings.TrimSpace(item), ":")
		if known := []string{improved, equivalent, nonInferior}; !slices.Contains(known, q.what) {
			return fmt.Errorf("%q cannot be required; what can is %s, %s and %s, of all metrics or of one, as in %s:accuracy, and ratio<=1.2:fit-sec%s",
				q.what, improved, equivalent, nonInferior, improved, catalogue.Suggest(q.what, known))
		}
		*r = append(*r, q)
	}
	return nil
}
