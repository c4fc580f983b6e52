// Package report is what learnstat has found, as plain data: all formats are made from it,
// and only print. Its JSON form, described in the documentation of the command, is a format
// itself, from which all others can be made.
package report

// Schema is the version of the JSON form. A change that would break a reader changes it.
const Schema = "learnstat/1"

// A Report is all that there is to print.
type Report struct {
	Schema   string    `json:"schema"`
	Status   int       `json:"status"` // the exit status
	Settings Settings  `json:"settings"`
	Columns  []Column  `json:"columns"`
	Header   []Line    `json:"header"`
	Data     []DataSet `json:"data"`
	Tables   []Table   `json:"tables"`
	History  *History  `json:"history,omitempty"` // in place of tables
	Notes    []string  `json:"notes"`             // below the tables
	Problems []string  `json:"problems"`          // why something could not be judged; they are on standard error
	Gate     Gate      `json:"gate"`
}

// Settings are those of all verdicts.
type Settings struct {
	Alpha    float64 `json:"alpha"`
	Test     string  `json:"test"`     // that was asked for; "" for the one that fits the protocol
	Tail     string  `json:"tail"`     // both, better or worse
	Adjust   string  `json:"adjust"`   // how p is adjusted for the rows of a table
	Learners bool    `json:"learners"` // of one file are compared
	Verbose  bool    `json:"verbose"`  // the whole verdicts are shown
}

// A Column is a file, or whatever the columns are.
type Column struct {
	Label string `json:"label"`
	Title string `json:"title"` // the label, with a commit where they differ
}

// A Line is a line above the tables: what the results share, or what is of some columns
// only.
type Line struct {
	Key   string   `json:"key"`
	Value string   `json:"value"`
	Of    []string `json:"of,omitempty"` // empty if it is of all
}

// A DataSet is one that was compared.
type DataSet struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	ByName bool   `json:"by_name,omitempty"` // imported, and the digest is of name and size only
	Target string `json:"target,omitempty"`  // what is predicted, where a header says that
}

// A Unit is a metric.
type Unit struct {
	Name   string `json:"name"`
	Better string `json:"better"` // higher or lower
	Min    Number `json:"min"`
	Max    Number `json:"max"`
}

// A Table has the comparisons in one metric.
type Table struct {
	Keys   []Line `json:"keys,omitempty"` // that the tables are told apart by, beside the metric
	Metric string `json:"metric"`
	Unit   *Unit  `json:"unit,omitempty"` // nil if nothing was judged
	Rows   []Row  `json:"rows"`

	Over        []Over       `json:"over,omitempty"` // data sets
	Consistency *Consistency `json:"consistency,omitempty"`
}

// A Row has a cell for each column. The first one is the baseline.
type Row struct {
	Label string `json:"label"`
	Cells []Cell `json:"cells"`
}

// A Cell is the results of a learner on a data set. One without a learner is empty.
type Cell struct {
	Data       string   `json:"data,omitempty"`
	Learner    string   `json:"learner,omitempty"`
	Mean       Number   `json:"mean"` // score over all folds; null if it is not known
	CommitTime string   `json:"commit_time,omitempty"`
	Verdict    *Verdict `json:"verdict,omitempty"`
}

// A Verdict is that on the difference of a cell from the baseline's. Differences are
// candidate − baseline in the unit of the metric, whichever direction is better.
type Verdict struct {
	Outcome     string `json:"outcome"`
	Significant int    `json:"significant"` // 1 if the candidate is significantly better, -1 if worse, else 0
	Identical   bool   `json:"identical"`   // no score differs

	Difference Number `json:"difference"`
	Lo         Number `json:"lo"` // of the interval
	Hi         Number `json:"hi"`
	Level      Number `json:"level"`

	Test      string `json:"test"`
	Statistic Number `json:"statistic"`
	DF        Number `json:"df"`
	DF2       Number `json:"df2"`
	P         Number `json:"p"`
	AdjustedP Number `json:"adjusted_p"` // over the comparisons of the table
	LeastP    Number `json:"least_p"`    // the smallest p that the test could have, whatever the results
	Runs      int    `json:"runs"`
	Folds     int    `json:"folds"`

	Second     *Second  `json:"second,omitempty"` // where one was asked for
	Margin     *Margin  `json:"margin,omitempty"`
	Rerun      *Rerun   `json:"rerun,omitempty"`
	Bayes      *Regions `json:"bayes,omitempty"`
	Detectable Number   `json:"detectable"`

	Reason string   `json:"reason,omitempty"` // why it is invalid, or what keeps it from another outcome
	Notes  []string `json:"notes,omitempty"`  // footnotes
	Full   *Full    `json:"full,omitempty"`   // where the format shows it
}

// A Second is the second opinion: P of the verdict is the larger of its p and that of the
// first test.
type Second struct {
	P         Number `json:"p"`
	FirstP    Number `json:"first_p"`
	Agrees    bool   `json:"agrees"`
	Protocol  string `json:"protocol"`
	Trainings int    `json:"trainings"` // of both learners
}

// A Margin says where the difference lies in relation to a margin.
type Margin struct {
	Value       Number `json:"value"` // in the unit of the metric
	P           Number `json:"p"`     // of the tests that the difference is within it
	Lo          Number `json:"lo"`    // of the interval that goes with them
	Hi          Number `json:"hi"`
	Within      bool   `json:"within"`       // shown to be within it
	NonInferior bool   `json:"non_inferior"` // shown not to be worse by it
}

// A Rerun says whether other partitions would lead to the same conclusion.
type Rerun struct {
	R        Number `json:"r"`
	Lo       Number `json:"lo"`
	Hi       Number `json:"hi"`
	Agrees   Number `json:"agrees"` // probability that a rerun agrees with this verdict
	Runs     int    `json:"runs"`
	Repeats  int    `json:"repeats,omitempty"`
	Agreeing int    `json:"agreeing,omitempty"`
}

// Full is what is known beside of a verdict.
type Full struct {
	Protocol       string   `json:"protocol"`
	DataSHA256     string   `json:"data_sha256"`
	SplitSHA256    string   `json:"split_sha256"`
	Commit         string   `json:"commit"`
	BaselineCommit string   `json:"baseline_commit"`
	Reproduce      string   `json:"reproduce,omitempty"`
	Warnings       []string `json:"warnings,omitempty"`
	Text           string   `json:"text"` // the verdict as a test in Go prints it
}

// Judged reports whether there is a verdict that is not invalid.
func (c *Cell) Judged() bool { return c.Verdict != nil && c.Verdict.Outcome != invalid }

const invalid = "invalid"

// Judged returns the number of comparisons with a verdict.
func (r *Report) Judged() int {
	n := 0
	for t := range r.Tables {
		n += r.Tables[t].Judged()
	}
	return n
}

// Judged returns the number of comparisons with a verdict.
func (t *Table) Judged() int {
	n := 0
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			if t.Rows[i].Cells[j].Judged() {
				n++
			}
		}
	}
	return n
}

// Empty reports whether there is nothing to show.
func (r *Report) Empty() bool {
	return r.Judged() == 0 && (r.History == nil || r.History.Segments() == 0)
}

// Comparisons returns the number of comparisons, those that could not be judged included.
func (r *Report) Comparisons() int {
	n := 0
	for t := range r.Tables {
		for i := range r.Tables[t].Rows {
			for j := range r.Tables[t].Rows[i].Cells {
				if r.Tables[t].Rows[i].Cells[j].Verdict != nil {
					n++
				}
			}
		}
	}
	return n
}

// ManyComparisons is up to how many comparisons tables for people say how replicable each is:
// of few runs, a prediction takes much longer than all else.
const ManyComparisons = 300

// Many reports whether there are more than that.
func (r *Report) Many() bool { return r.Comparisons() > ManyComparisons }

// A Gate says what the report is held against, and what came of it.
type Gate struct {
	FailOn   []string  `json:"fail_on"`
	Require  []string  `json:"require"`
	Adjusted bool      `json:"adjusted"` // improved and regressed go by the adjusted p
	Offences []Offence `json:"offences"`
	Spared   int       `json:"spared"`    // comparisons that only the adjustment keeps from being an offence
	SparedAt []Offence `json:"spared_at"` // which

	// Undecided are the comparisons that a gate on regressions lets pass although they may be a loss.
	Undecided []Undecided `json:"undecided"`
}

// Not stands before the name of what is required in why a comparison is an offence.
const Not = "not "

// NonInferior is the name of the requirement that a candidate is not worse by the margin.
const NonInferior = "non-inferior"

// An Undecided is a comparison that is no offence, since nothing was shown of it.
type Undecided struct {
	Table  int    `json:"table"` // index
	Row    int    `json:"row"`
	Column int    `json:"column"`
	Loss   Number `json:"loss"` // at the worse end of the interval, in the unit of the metric; NaN if there is none
}

// Verdict returns that of the comparison.
func (u *Undecided) Verdict(r *Report) *Verdict {
	return r.Tables[u.Table].Rows[u.Row].Cells[u.Column].Verdict
}

// An Offence is a comparison that the gate fails on.
type Offence struct {
	Table  int    `json:"table"` // index
	Row    int    `json:"row"`
	Column int    `json:"column"`
	Why    string `json:"why"`              // the name of what the gate fails on, or what is required
	Waived string `json:"waived,omitempty"` // why it is let pass all the same
}

// Over compares the columns of a table over data sets, for the rows of one learner.
type Over struct {
	Learner  string       `json:"learner"` // of the candidates
	DataSets int          `json:"data_sets"`
	Test     string       `json:"test"` // of the columns with the first, and of pairs
	Columns  []OverColumn `json:"columns"`
	Ranks    *Ranks       `json:"ranks,omitempty"` // of more than two columns
}

// An OverColumn compares a column with the first one. Data sets are the sample.
type OverColumn struct {
	Mean            Number   `json:"mean"`       // over the data sets
	Difference      Number   `json:"difference"` // of the means
	Better          int      `json:"better"`     // data sets with a better mean score
	Same            int      `json:"same"`
	Worse           int      `json:"worse"`
	P               Number   `json:"p"`
	BayesSign       *Regions `json:"bayes_sign,omitempty"`
	BayesSignedRank *Regions `json:"bayes_signed_rank,omitempty"`
	Notes           []string `json:"notes,omitempty"`
}

// Regions are the posterior probabilities that the candidate is worse, practically equal and
// better.
type Regions struct {
	Worse  Number `json:"worse"`
	Rope   Number `json:"rope"`
	Better Number `json:"better"`
}

// Ranks compare more than two columns: Friedman's test, corrected for ties, and all pairs.
type Ranks struct {
	Mean      []Number `json:"mean"` // rank of each column, 1 the best
	Statistic Number   `json:"statistic"`
	DF        Number   `json:"df"`
	P         Number   `json:"p"`
	F         Number   `json:"f"` // of Iman and Davenport
	FP        Number   `json:"f_p"`
	W         Number   `json:"w"` // Kendall's
	Pairs     []Pair   `json:"pairs"`
	Notes     []string `json:"notes,omitempty"`
}

// A Pair compares two columns over data sets.
type Pair struct {
	A          int    `json:"a"` // index
	B          int    `json:"b"`
	P          Number `json:"p"`
	AdjustedP  Number `json:"adjusted_p"`   // Holm's, over all pairs
	MeanRanksP Number `json:"mean_ranks_p"` // Nemenyi's, where that was asked for
}

// A Consistency says how well repetitions of the tests agree over the rows of a table, as
// Bouckaert and Frank's tables do.
type Consistency struct {
	Comparisons int    `json:"comparisons"`
	Consistent  int    `json:"consistent"`
	Almost      int    `json:"almost"`
	MeanR       Number `json:"mean_r"`
}
