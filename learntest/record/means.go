package record

import "strings"

// Mean returns the mean score of a learner in a metric over the protocol's own runs, in the order of
// runs and folds. It is false unless the block has a score in each of them.
func (b *Block) Mean(learner, metric string) (mean float64, ok bool) {
	sc, err := newScores(b, learner, metric)
	if err != nil {
		return 0, false
	}
	return sc.mean(), true
}

// SetMeans sets Header.Means, a list of LEARNER/METRIC=MEAN in which names are escaped as they are in
// the names of trials: what has become of a file that is committed shows in its difference. It is
// of the trials that there are when it is called.
func (b *Block) SetMeans() {
	var means []string
	for _, learner := range b.Learners {
		for _, u := range b.Units {
			if mean, ok := b.Mean(learner, u.Name); ok {
				means = append(means, EscapeName(learner)+"/"+EscapeName(u.Name)+"="+string(appendFloat(nil, mean)))
			}
		}
	}
	b.Header.Means = strings.Join(means, " ")
}
