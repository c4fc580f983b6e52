package study

import (
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
)

// relabelled is the source of data sets with the examples of a table and random classes, which
// do not depend on the attributes. Cross-validation then expects the same accuracy of all
// learners, but how the classes have to be drawn for that depends on the folds: independently,
// all with the same probability, for folds that are not stratified; as many of each
// as can be, in random order, for stratified folds. (Whatever class is more frequent by
// chance would be so in each stratified training and test set: who prefers it would be better.)
type relabelled struct {
	table    *dataset.Table
	digest   string
	balanced bool
}

var _ lab.Source = (*relabelled)(nil)

func newRelabelled(t *dataset.Table, balanced bool) (*relabelled, error) {
	if t.NumClasses() < 2 {
		return nil, fmt.Errorf("%w: data set %s has no classes, of which random ones could be drawn",
			ErrConfig, t.Name())
	}
	digest, err := t.Digest()
	return &relabelled{t, digest, balanced}, err
}

func (r *relabelled) ID() string {
	how := "random classes"
	if r.balanced {
		how = "equally frequent random classes"
	}
	return fmt.Sprintf("examples of %q sha256 %s with %s", r.table.Name(), r.digest[:12], how)
}

// Table draws classes for all examples, whose number n has to be.
func (r *relabelled) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	t := r.table
	if n != t.Len() {
		return nil, fmt.Errorf("%w: %d examples of %s, which has %d", ErrConfig, n, t.Name(), t.Len())
	}
	rng := rand.New(rand.NewPCG(seed, 0x1d8e4e27c47d124f))
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j].Attribute = t.Attribute(j)
		switch {
		case j == t.ClassIndex():
			cols[j].Codes = randomClasses(rng, n, t.NumClasses(), r.balanced)
		case cols[j].Kind == dataset.Nominal:
			cols[j].Codes = t.Codes(j)
		default:
			cols[j].Numbers = t.Numbers(j)
		}
	}
	return dataset.New(name, cols, t.ClassIndex(), t.Weights())
}

// same is the source that is one table: what differs between its data sets are the seeds.
type same struct {
	table  *dataset.Table
	digest string
}

var _ lab.Source = (*same)(nil)

func (s *same) ID() string {
	return fmt.Sprintf("data set %q sha256 %s", s.table.Name(), s.digest[:12])
}

func (s *same) Table(string, int, uint64) (*dataset.Table, error) { return s.table, nil }
