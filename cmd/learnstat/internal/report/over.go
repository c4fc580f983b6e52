package report

import (
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Over compares the columns of a table over data sets, for the rows of one learner.
type Over struct {
	Learner  string       `json:"learner"` // of the candidates
	DataSets int          `json:"data_sets"`
	Test     string       `json:"test"` // of the columns with the first, and of pairs
	Columns  []OverColumn `json:"columns"`
	Ranks    *Ranks       `json:"ranks,omitempty"` // of more than two columns
	Alike    *Alike       `json:"alike,omitempty"` // where that was asked for
}

// An OverColumn compares a column with the first one. Data sets are the sample.
type OverColumn struct {
	Mean            unit.Number      `json:"mean"`       // over the data sets
	Difference      unit.Number      `json:"difference"` // of the means
	Better          int              `json:"better"`     // data sets with a better mean score
	Same            int              `json:"same"`
	Worse           int              `json:"worse"`
	P               unit.Number      `json:"p"`
	Outcome         string           `json:"outcome"` // by its own p: improved, regressed, equivalent if all scores are equal, or inconclusive
	BayesSign       *verdict.Regions `json:"bayes_sign,omitempty"`
	BayesSignedRank *verdict.Regions `json:"bayes_signed_rank,omitempty"`
	Notes           []string         `json:"notes,omitempty"`
}

// Alike says whether all columns perform alike, by a test of the user's choice.
type Alike struct {
	Test      string        `json:"test"`    // name
	What      string        `json:"what"`    // the figures are
	Figures   []unit.Number `json:"figures"` // of each column
	Statistic unit.Number   `json:"statistic"`
	DF        unit.Number   `json:"df"`
	DF2       unit.Number   `json:"df2"` // of an F, the degrees of freedom of the denominator
	P         unit.Number   `json:"p"`
	Notes     []string      `json:"notes,omitempty"`
}

// Ranks compare more than two columns: Friedman's test, corrected for ties, and all pairs.
type Ranks struct {
	Mean      []unit.Number `json:"mean"` // rank of each column, 1 the best
	Statistic unit.Number   `json:"statistic"`
	DF        unit.Number   `json:"df"`
	P         unit.Number   `json:"p"`
	F         unit.Number   `json:"f"` // of Iman and Davenport
	FP        unit.Number   `json:"f_p"`
	W         unit.Number   `json:"w"` // Kendall's
	Pairs     []Pair        `json:"pairs"`
	Notes     []string      `json:"notes,omitempty"`
}

// A Pair compares two columns over data sets.
type Pair struct {
	A          int         `json:"a"` // index
	B          int         `json:"b"`
	P          unit.Number `json:"p"`
	AdjustedP  unit.Number `json:"adjusted_p"`   // Holm's, over all pairs
	MeanRanksP unit.Number `json:"mean_ranks_p"` // Nemenyi's, where that was asked for
}

// A Consistency says how well repetitions of the tests agree over the rows of a table, as
// Bouckaert and Frank's tables do.
type Consistency struct {
	Comparisons int         `json:"comparisons"`
	Consistent  int         `json:"consistent"`
	Almost      int         `json:"almost"`
	MeanR       unit.Number `json:"mean_r"`
}
