package verdict

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Facts are what a verdict has found, as plain data: its JSON form, which can be read back.
// Differences are candidate − baseline in the unit of the metric, whichever direction is better.
type Facts struct {
	Outcome     string `json:"outcome"`
	Significant int    `json:"significant"` // 1 if the candidate is significantly better, -1 if worse, else 0
	Identical   bool   `json:"identical"`   // no score differs
	Unchanged   bool   `json:"unchanged"`   // nor does the program, or its parameters

	Difference unit.Number `json:"difference"`
	Lo         unit.Number `json:"lo"`    // lower end of the interval
	Hi         unit.Number `json:"hi"`    // upper end
	Level      unit.Number `json:"level"` // of the interval

	Test      string      `json:"test"`
	Statistic unit.Number `json:"statistic"`
	DF        unit.Number `json:"df"`  // degrees of freedom
	DF2       unit.Number `json:"df2"` // of the denominator of an F
	P         unit.Number `json:"p"`
	AdjustedP unit.Number `json:"adjusted_p"` // over a family of comparisons
	LeastP    unit.Number `json:"least_p"`    // the smallest p that the test could have, whatever the results
	Runs      int         `json:"runs"`
	Planned   int         `json:"planned,omitempty"` // runs of the protocol, where fewer settle the verdict
	Folds     int         `json:"folds"`

	Second     *SecondFacts `json:"second,omitempty"` // where one was asked for
	Margin     *MarginFacts `json:"margin,omitempty"` // where the claim has one
	Rerun      *RerunFacts  `json:"rerun,omitempty"`  // where it is known
	Bayes      *Regions     `json:"bayes,omitempty"`  // where a posterior is asked for
	Detectable unit.Number  `json:"detectable"`       // as in Verdict

	Items *ItemFacts `json:"items,omitempty"` // of answers to items

	Reason string   `json:"reason,omitempty"` // why it is invalid, or what keeps it from another outcome
	Notes  []string `json:"notes,omitempty"`  // footnotes of a table
	Full   *Origin  `json:"full,omitempty"`   // where it is shown
}

// SecondFacts are the facts of a second opinion: P of the verdict is the larger of its p and the
// first test's.
type SecondFacts struct {
	P         unit.Number `json:"p"`               // of the second test
	FirstP    unit.Number `json:"first_p"`         // of the first test
	Estimate  unit.Number `json:"estimate"`        // difference with half of the examples
	Lo        unit.Number `json:"lo"`              // lower end of its interval
	Hi        unit.Number `json:"hi"`              // upper end
	Level     unit.Number `json:"level"`           // of the interval
	Bayes     *Regions    `json:"bayes,omitempty"` // with half of the examples, where a posterior is asked for
	Agrees    bool        `json:"agrees"`          // shows the claim as well
	Protocol  string      `json:"protocol"`        // of the halvings
	Trainings int         `json:"trainings"`       // of both learners
}

// MarginFacts say where the difference lies in relation to a margin.
type MarginFacts struct {
	Value       unit.Number `json:"value"`            // in the unit of the metric
	P           unit.Number `json:"p"`                // of the tests that the difference is within it
	Lo          unit.Number `json:"lo"`               // lower end of the interval that goes with them
	Hi          unit.Number `json:"hi"`               // upper end
	Within      bool        `json:"within"`           // shown to be within it
	NonInferior bool        `json:"non_inferior"`     // shown not to be worse by it
	Reason      string      `json:"reason,omitempty"` // why neither holds, although the tests show the margin

	Examples *ExampleFacts `json:"examples,omitempty"` // where predictions of single examples were kept of a side
}

// ExampleFacts say what single examples show of a margin: P of the margin is the larger of their p
// and the first test's, its interval the wider one.
type ExampleFacts struct {
	N       int         `json:"n"`                 // examples
	Differ  int         `json:"differ"`            // of these, on which one learner is right more often
	P       unit.Number `json:"p"`                 // by the examples
	FirstP  unit.Number `json:"first_p"`           // by the named test
	Lo      unit.Number `json:"lo"`                // lower end of the interval by the examples
	Hi      unit.Number `json:"hi"`                // upper end
	Lacking string      `json:"lacking,omitempty"` // the learner without them: the named test alone decides
}

// RerunFacts say whether other partitions would lead to the same conclusion.
type RerunFacts struct {
	R        unit.Number `json:"r"`                  // replicability; null where the interval says it all
	Lo       unit.Number `json:"lo"`                 // lower end of its interval
	Hi       unit.Number `json:"hi"`                 // upper end
	Agrees   unit.Number `json:"agrees"`             // probability that a rerun agrees with this verdict
	Runs     int         `json:"runs"`               // that it was found from
	Repeats  int         `json:"repeats,omitempty"`  // where it was counted
	Agreeing int         `json:"agreeing,omitempty"` // of these
}

// Regions are the posterior probabilities that the candidate is worse, practically equal and
// better.
type Regions struct {
	Worse  unit.Number `json:"worse"`  // below the region
	Rope   unit.Number `json:"rope"`   // within the region of practical equivalence
	Better unit.Number `json:"better"` // above it
}

// An Origin says what a verdict is on, with its text.
type Origin struct {
	Protocol       string   `json:"protocol"`            // text form
	DataSHA256     string   `json:"data_sha256"`         // of the data set
	SplitSHA256    string   `json:"split_sha256"`        // of the partitions
	Commit         string   `json:"commit"`              // of the candidate
	BaselineCommit string   `json:"baseline_commit"`     // of the baseline
	Reproduce      string   `json:"reproduce,omitempty"` // command
	Warnings       []string `json:"warnings,omitempty"`
	Text           string   `json:"text"` // the verdict as a test in Go prints it

	Copies unit.Number `json:"copies,omitempty"` // share of test examples with a copy in training, if it is more than 0.01
}

// Judged reports whether the verdict is not invalid.
func (f *Facts) Judged() bool { return f.Outcome != Invalid.String() }

// Facts returns the findings of the verdict; of an invalid verdict only the reason. It leaves out
// LeastP and Full, which take time and which MarshalJSON adds.
func (v Verdict) Facts() *Facts {
	nan, number := unit.NaN(), func(x float64) unit.Number { return unit.Number(x) }
	f := &Facts{
		Outcome: v.Outcome.String(), Identical: v.same, Unchanged: v.Unchanged, Reason: v.Reason,
		Difference: nan, Lo: nan, Hi: nan, Level: nan,
		Statistic: nan, DF: nan, DF2: nan, P: nan, AdjustedP: nan, LeastP: nan, Detectable: nan,
	}
	if v.Outcome == Invalid {
		return f
	}
	d := &v.Difference
	f.Significant = v.Significance()
	f.Difference, f.Lo, f.Hi, f.Level = number(v.Estimate), number(d.Lo), number(d.Hi), number(d.Level)
	f.Test, f.Statistic, f.DF, f.DF2 = d.Result.Test, number(d.Result.Statistic), number(d.Result.DF),
		number(d.Result.DF2)
	f.P, f.Runs, f.Folds, f.Detectable = number(d.P), v.Runs, v.Folds, number(v.Detectable)
	if v.isEarly() {
		f.Planned = v.Settled.Runs
	}
	if v.Adjustment != "" {
		f.AdjustedP = number(v.AdjustedP)
	}
	if v.Claim.Margin > 0 {
		f.Margin = &MarginFacts{
			Value: number(v.Claim.Margin), P: number(max(v.Above.P, v.Below.P)), Lo: number(v.Above.Lo),
			Hi:     number(v.Above.Hi),
			Within: v.Within(), NonInferior: v.Above.Shown,
		}
	}
	if e := v.Examples; e != nil && f.Margin != nil {
		f.Margin.Examples = e.facts()
	}
	if r := v.Rerun; r != nil {
		value := r.R
		if r.outside() {
			value = math.NaN()
		}
		f.Rerun = &RerunFacts{
			number(value), number(r.Lo), number(r.Hi), number(r.P), r.Runs, r.Repeats,
			r.Agreeing,
		}
	}
	if s := v.Second; s != nil && s.Asked {
		f.Second = &SecondFacts{
			P: number(s.P), FirstP: number(s.First), Estimate: number(s.Estimate), Lo: number(s.Lo),
			Hi: number(s.Hi), Level: number(s.Level),
			Bayes: regionsOf(s.Posterior), Agrees: s.Agrees, Protocol: s.Protocol, Trainings: s.Trainings,
		}
	}
	f.Bayes = regionsOf(v.Posterior)
	if v.Items != nil {
		f.Items = v.Items.facts()
	}
	return f
}

// regionsOf returns the regions of a posterior distribution, if there is one.
func regionsOf(p *stat.Posterior) *Regions {
	if p == nil {
		return nil
	}
	return &Regions{unit.Number(p.Worse), unit.Number(p.Equivalent), unit.Number(p.Better)}
}

// Origin returns protocol, digests and commits of the judged records, with the text and warnings of
// the verdict. A verdict without records has text and warnings alone.
func (v Verdict) Origin() *Origin {
	o := &Origin{Text: v.String(), Copies: unit.Number(v.copies())}
	if h := v.CandidateHeader; h != nil {
		o.Protocol, o.DataSHA256, o.SplitSHA256, o.Commit, o.Reproduce = h.Protocol, h.DataDigest,
			h.SplitDigest, h.Commit, h.Reproduce
	}
	if h := v.BaselineHeader; h != nil {
		o.BaselineCommit = h.Commit
	}
	for _, w := range v.Warnings {
		o.Warnings = append(o.Warnings, w.Error())
	}
	return o
}

// A Subject is what a verdict is about.
type Subject struct {
	Metric    string      `json:"metric"`    // name
	Data      string      `json:"data"`      // name of the data set
	Candidate string      `json:"candidate"` // name of the learner
	Baseline  string      `json:"baseline"`  // name of the learner
	Old       unit.Number `json:"old"`       // mean score of the baseline
	New       unit.Number `json:"new"`       // and of the candidate
	Alpha     unit.Number `json:"alpha"`     // level of significance

	Slice   string `json:"slice,omitempty"`   // of the examples; empty of all
	Members int    `json:"members,omitempty"` // examples of the slice

	Row    string `json:"row,omitempty"`    // of a table
	Column string `json:"column,omitempty"` // of a table
}

// Subject returns what the verdict is about.
func (v Verdict) Subject() Subject {
	s := Subject{
		Metric: v.Unit.Name, Data: v.Data, Candidate: v.Candidate, Baseline: v.Baseline,
		Old: unit.NaN(), New: unit.NaN(), Alpha: unit.Number(v.Claim.Alpha),
	}
	if v.Slice != nil {
		s.Slice, s.Members = v.Slice.Name, v.Slice.Members
	}
	if v.Outcome != Invalid {
		s.Old, s.New = unit.Number(v.BaselineMean), unit.Number(v.CandidateMean)
	}
	return s
}

// MarshalJSON implements json.Marshaler: a verdict is its Subject and all its Facts, also LeastP
// and Full.
func (v Verdict) MarshalJSON() ([]byte, error) {
	f := v.Facts()
	f.Full = v.Origin()
	if f.Judged() {
		f.LeastP = unit.Number(LeastP(&v, v.Difference.Result.Alternative))
	}
	return json.Marshal(struct {
		Subject
		*Facts
	}{v.Subject(), f})
}

func (e *Examples) facts() *ExampleFacts {
	if e.Lacking != "" {
		nan := unit.NaN()
		return &ExampleFacts{P: nan, FirstP: nan, Lo: nan, Hi: nan, Lacking: e.Lacking}
	}
	return &ExampleFacts{
		N: e.N, Differ: e.Differ, P: unit.Number(e.P), FirstP: unit.Number(e.First),
		Lo: unit.Number(e.Lo), Hi: unit.Number(e.Hi),
	}
}

// Size returns on how many scores of each side the verdict is, in runs and folds, as in "10×10", or
// in items.
func (f *Facts) Size() string {
	switch {
	case f.Items == nil:
		return fmt.Sprintf("%d×%d", f.Runs, f.Folds)
	case f.Items.Clusters < f.Items.Items:
		return inClusters(f.Items.Items, f.Items.Clusters, f.Items.Weight == record.ByCluster)
	}
	return fmt.Sprintf("%d items", f.Items.Items)
}
