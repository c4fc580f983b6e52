package report

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
