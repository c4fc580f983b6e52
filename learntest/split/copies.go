package split

// Copies say how many examples of a data set are equal to others: learntest.FindCopies finds them.
// Labels, groups and weights do not count. Missing numbers are equal.
type Copies struct {
	Plan          *Plan   // of the partitions
	Examples      int     // that are equal to another one
	Sets          int     // of equal examples
	Contradicting int     // of these sets, which have different labels
	Reachable     float64 // accuracy of always predicting the most frequent label of equal examples; 1 in regression
	Share         float64 // of test examples that have a copy in the training set of their trial

	// Groups has a group for each example, for WithGroups of data sets: equal examples are of one
	// group, so that [Groups] keeps them together. If the data have groups, these are joined where
	// they have equal examples. Groups change the data and the partitions: results without the
	// groups are not compared with results under them.
	Groups []string
}
