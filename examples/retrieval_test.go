package examples

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/items"
	"github.com/learnbench/learnbench/learntest/metric/ranking"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A query is a question with judgements of the messages that answer it, by their ids.
type query struct {
	ID, Text   string
	Judgements map[string]int
}

// search returns the messages with a word of the query. Rare words count more if weigh says so.
func search(messages []string, words string, weigh bool) (found []ranking.Document) {
	for i, m := range messages {
		score := 0.0
		for _, w := range strings.Fields(words) {
			in := func(m string) bool { return slices.Contains(strings.Fields(m), w) }
			n := len(slices.DeleteFunc(slices.Clone(messages), func(m string) bool { return !in(m) }))
			switch {
			case in(m) && weigh:
				score += math.Log(1 + float64(len(messages))/float64(n))
			case in(m):
				score++
			}
		}
		if score > 0 {
			found = append(found, ranking.Document{ID: id(i), Score: score})
		}
	}
	return found
}

func id(i int) string { return string(rune('A'+i/26)) + string(rune('a'+i%26)) }

// TestRetrieval compares two ways to search: a query is an item, and nDCG its score.
func TestRetrieval(t *testing.T) {
	var messages []string
	text, err := os.ReadFile(filepath.Join("testdata", "messages.csv"))
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:61] {
		message, _, _ := strings.Cut(line, ",")
		messages = append(messages, strings.ToLower(message))
	}
	var queries []query
	for i, m := range messages[:40] { // the last two words of a message ask for it, politely
		words := strings.Fields(m)
		text := "please again the " + strings.Join(words[len(words)-2:], " ")
		queries = append(queries, query{"q" + id(i), text, map[string]int{id(i): 1}})
	}
	ndcg, err := ranking.Lookup("ndcg@10")
	require.NoError(t, err)
	suite := items.New("messages", queries, func(q query) items.Item { return items.Item{ID: q.ID} })
	system := func(name string, weigh bool) items.System[query] {
		return items.NewSystem(name, func(_ context.Context, q query, _ int) (items.Scores, error) {
			score, err := ndcg.Score(q.Judgements, search(messages, q.Text, weigh))
			return items.Scores{ndcg.Name(): score}, err
		})
	}
	c := items.Compare(t, items.Config{Metrics: []unit.Unit{items.Graded(ndcg.Name())}}, suite, system("weighed", true), system("counted", false))
	assert.Improves(t, c)
}
