// Package ranking scores rankings of documents by relevance judgements, query by query, as
// trec_eval does.
//
// Documents are ranked by their scores, and by descending id where scores are equal: a rank that a
// file states does not count. Gains are the judgements themselves, discounted by log2(rank+1); the
// gains of ndcg-exp are 2^judgement−1, which is not trec_eval's definition. A document without a
// judgement, or with a negative one, is not relevant.
//
// Two systems are compared on queries that both are judged by. Therefore a query that a run lacks
// scores 0, as with trec_eval -c, and a query without relevant documents has no score, for any run:
// [ErrNoRelevant]; its precision is 0.
package ranking

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ErrNoRelevant means that a query has no relevant document, so that no ranking is better than
// another.
var ErrNoRelevant = errors.New("no relevant document")

// A Document is a document that a run has found for a query.
type Document struct {
	ID    string  // by which judgements know it
	Score float64 // higher ones come first
}

// A Metric scores the ranking of a query, from 0 to 1.
type Metric struct {
	name  string
	depth int // how many of the first documents count; 0 for all
	score func(ranked, relevant []int, depth int) float64
}

var metrics = []Metric{
	{name: "ndcg", score: ndcg},
	{name: "ndcg-exp", score: exponential},
	{name: "map", score: averagePrecision},
	{name: "mrr", score: reciprocalRank},
	{name: "recall", score: recall},
	{name: atK, score: precision},
}

// atK is the metric that takes a number of documents.
const atK = "precision"

// Lookup returns the metric of a name: ndcg, ndcg-exp (exponential gains), map (average precision),
// mrr (reciprocal rank), recall or precision, with @K if only the first K documents count.
// Precision is the share of relevant documents in K, and takes it.
func Lookup(name string) (Metric, error) {
	base, depth, cut := strings.Cut(name, "@")
	for _, m := range metrics {
		if m.name != base {
			continue
		}
		if cut {
			k, err := strconv.Atoi(depth)
			if err != nil || k < 1 || strconv.Itoa(k) != depth {
				return Metric{}, fmt.Errorf("%q: %q is no number of documents", name, depth)
			}
			m.name, m.depth = name, k
		} else if base == atK {
			return Metric{}, fmt.Errorf("%q is of a number of documents, as in %s@10", name, name)
		}
		return m, nil
	}
	return Metric{}, fmt.Errorf("unknown metric %q of rankings: there are ndcg, ndcg-exp, map, mrr, recall and precision, and ndcg@10 and so on", name)
}

// Name returns the name by which [Lookup] finds the metric.
func (m Metric) Name() string { return m.name }

// Score scores what a run has found for a query, in any order, by the judgements of documents by
// id.
//
// It returns [ErrNoRelevant] if no judgement is positive, except for precision, and an error that
// names the document if one was found twice or has a score of NaN.
func (m Metric) Score(judgements map[string]int, found []Document) (float64, error) {
	var relevant []int // positive judgements, in descending order
	for _, grade := range judgements {
		if grade > 0 {
			relevant = append(relevant, grade)
		}
	}
	if len(relevant) == 0 && !strings.HasPrefix(m.name, atK) {
		return 0, ErrNoRelevant
	}
	slices.Sort(relevant)
	slices.Reverse(relevant)
	order, err := rank(found)
	if err != nil {
		return 0, err
	}
	order = first(order, m.depth)
	ranked := make([]int, len(order))
	for i, d := range order {
		ranked[i] = max(0, judgements[d.ID])
	}
	x := m.score(ranked, relevant, m.depth)
	if math.IsNaN(x) {
		return 0, fmt.Errorf("a judgement of %d is too large for %s", relevant[0], m.name)
	}
	return x, nil
}

// rank returns the documents in their order.
func rank(found []Document) ([]Document, error) {
	order := slices.Clone(found)
	seen := make(map[string]bool, len(order))
	for _, d := range order {
		if math.IsNaN(d.Score) {
			return nil, fmt.Errorf("document %q has the score NaN", d.ID)
		}
		if seen[d.ID] {
			return nil, fmt.Errorf("document %q was found twice", d.ID)
		}
		seen[d.ID] = true
	}
	slices.SortFunc(order, func(a, b Document) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return strings.Compare(b.ID, a.ID)
	})
	return order, nil
}

// discounted returns the discounted sum of the gains of judgements in their order.
func discounted(grades []int, gain func(grade int) float64) (sum float64) {
	for i, grade := range grades {
		sum += gain(grade) / math.Log2(float64(i+2))
	}
	return sum
}

// first returns the first so many elements, or all for 0.
func first[T any](x []T, depth int) []T {
	if depth == 0 {
		return x
	}
	return x[:min(len(x), depth)]
}

func ndcg(ranked, relevant []int, depth int) float64 {
	return shareOfGain(ranked, relevant, depth, func(grade int) float64 { return float64(grade) })
}

func exponential(ranked, relevant []int, depth int) float64 {
	return shareOfGain(ranked, relevant, depth,
		func(grade int) float64 { return math.Exp2(float64(grade)) - 1 })
}

// shareOfGain returns the share of what the best ranking gains.
func shareOfGain(ranked, relevant []int, depth int, gain func(grade int) float64) float64 {
	return discounted(ranked, gain) / discounted(first(relevant, depth), gain)
}

func averagePrecision(ranked, relevant []int, _ int) (sum float64) {
	n := 0
	for i, grade := range ranked {
		if grade > 0 {
			n++
			sum += float64(n) / float64(i+1)
		}
	}
	return sum / float64(len(relevant))
}

func reciprocalRank(ranked, _ []int, _ int) float64 {
	for i, grade := range ranked {
		if grade > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

func recall(ranked, relevant []int, _ int) float64 {
	return float64(hits(ranked)) / float64(len(relevant))
}

func precision(ranked, _ []int, depth int) float64 {
	return float64(hits(ranked)) / float64(depth)
}

// hits counts the relevant documents.
func hits(ranked []int) (n int) {
	for _, grade := range ranked {
		if grade > 0 {
			n++
		}
	}
	return n
}
