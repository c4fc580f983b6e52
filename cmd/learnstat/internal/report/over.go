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
	Hierarchical    *Hierarchical    `json:"hierarchical,omitempty"` // where that was asked for
	Notes           []string         `json:"notes,omitempty"`
}

// A Hierarchical is the outcome of the hierarchical Bayesian test, which takes all folds of all
// data sets.
type Hierarchical struct {
	Rope    unit.Number     `json:"rope"`    // largest difference of no practical importance, in the unit of the metric
	P       verdict.Regions `json:"p"`       // probabilities that a further data set is most probably worse, in the rope or better
	Errors  verdict.Regions `json:"errors"`  // Monte Carlo standard errors of p
	Theta   verdict.Regions `json:"theta"`   // probabilities of a further data set itself
	Mean    unit.Number     `json:"mean"`    // difference at the center of the data sets
	Lo      unit.Number     `json:"lo"`      // its 95% interval
	Hi      unit.Number     `json:"hi"`      // its 95% interval
	Spread  unit.Number     `json:"spread"`  // of the differences of data sets
	Draws   int             `json:"draws"`   // from the posterior distribution
	RHat    unit.Number     `json:"r_hat"`   // of the worst parameter; 1 for chains that have mixed
	ESS     unit.Number     `json:"ess"`     // effective number of draws, of the worst parameter
	Outcome string          `json:"outcome"` // the region with a p above 0.95, or inconclusive
	Sets    []Shrunken      `json:"sets"`
	Notes   []string        `json:"notes,omitempty"`
}

// A Shrunken is what the hierarchical test says of one data set in the light of the others.
type Shrunken struct {
	Data       string          `json:"data"`
	Difference unit.Number     `json:"difference"` // of the means
	Mean       unit.Number     `json:"mean"`       // the shrunken difference
	P          verdict.Regions `json:"p"`
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
