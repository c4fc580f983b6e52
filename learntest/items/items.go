// Package items compares fixed systems, such as agents, prompts, extractors or rankers, on the
// fixed cases of a suite, in go test.
//
//	suite := items.New("faq", questions, func(q question) items.Item {
//		return items.Item{ID: q.ID, Cluster: q.Document} // Cluster may be left out
//	})
//	agent := items.NewSystem("agent", func(ctx context.Context, q question, repeat int) (items.Scores, error) {
//		a, err := bot.Ask(ctx, q.Text)
//		return items.Scores{"correct": grade(a, q.Want)}, err
//	})
//	c := items.Against(t, items.Config{Repeats: 3}, suite, agent, "testdata/agent.txt")
//	assert.NoRegression(t, c, assert.Margin(0.03))
//
// Nothing is trained: each system answers each item, perhaps several times, and the test grades the
// answers. [Compare] asks two systems, [Against] one, whose answers until now are in a file;
// [Scored] takes scores that something else has made. The claims of package assert are made about
// these comparisons, too, but for claims about random partitions or training. The test is the items
// t test of package itemwise.
//
// Systems are asked by the first claim, after it is known to make sense: a claim that the items
// cannot decide costs nothing.
package items

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// An Item identifies a case of a suite.
type Item struct {
	ID string // unique in the suite; stored, so that it tells the same case in later versions

	// Cluster names what items have in common that makes them succeed and fail together, such as a
	// document or a topic. If empty, the item stands for itself.
	Cluster string

	// Slices are the names of the parts of the suite that the item is in, such as "lang=de". Claims
	// with assert.Slices are about each of them.
	Slices []string
}

// A Suite is a named list of cases. The digest of each case, with all its fields, is stored: a case
// that has changed is another one.
type Suite[T any] struct {
	name  string
	cases []T // by ascending id
	items []record.Item
	err   error
}

// New returns a suite of cases. The function says which item each one is. A suite that makes no
// sense, with an id that is empty or there twice, ends the test that uses it.
func New[T any](name string, cases []T, item func(T) Item) Suite[T] {
	s := Suite[T]{name: name}
	if name == "" {
		s.err = fmt.Errorf("a suite without a name")
		return s
	}
	number := make(map[string]int, len(cases))
	var all []record.Item
	for i, c := range cases {
		it := item(c)
		digest, err := dataset.DigestOf(c)
		if err != nil {
			s.err = fmt.Errorf("case %d of suite %s has no digest: %w", i, name, err)
			return s
		}
		number[it.ID] = i
		all = append(all, record.Item{ID: it.ID, Cluster: it.Cluster, Content: digest, Slices: it.Slices})
	}
	if s.items, s.err = record.SortItems(all); s.err != nil {
		s.err = fmt.Errorf("suite %s: %w", name, s.err)
	}
	for _, it := range s.items {
		s.cases = append(s.cases, cases[number[it.ID]])
	}
	return s
}

// Scores are what an answer scores, by the name of the metric.
type Scores map[string]float64

// A System answers items: an agent, a prompt with its model, a ranker.
type System[T any] struct {
	name, version string
	ask           func(ctx context.Context, item T, repeat int) (Scores, error)
}

// NewSystem returns a system. The function asks it for an answer to an item and grades the answer;
// repeats count from 1. It may be called by several goroutines at a time. An error, a panic, or
// scores that Config.Metrics does not declare are a failed answer, with which no claim holds.
func NewSystem[T any](name string, ask func(ctx context.Context, item T, repeat int) (Scores,
	error),
) System[T] {
	return System[T]{name: name, ask: ask}
}

// WithVersion returns the system with a text that says which version it is, where the code of the
// test does not: the name of the model, a digest of the prompt. The text is stored with the
// answers, and verdicts show the versions of both sides, which may differ. A run does not go on
// from the answers of another version, and responses that were recorded for one are not replayed.
func (s System[T]) WithVersion(version string) System[T] {
	s.version = version
	return s
}

// Correct is the metric of answers that are right, 1, or wrong, 0, or partly right: the default.
func Correct() unit.Unit { return Graded("correct") }

// Graded returns a metric from 0 to 1, of which more is better.
func Graded(name string) unit.Unit {
	return unit.Unit{Name: name, Better: unit.Higher, Min: 0, Max: 1, Mean: true}
}

// Cost returns a metric without an upper bound, of which less is better, such as usd or tokens.
func Cost(name string) unit.Unit {
	return unit.Unit{Name: name, Better: unit.Lower, Min: 0, Max: inf}
}
