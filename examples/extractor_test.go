package examples

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/items"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// An order is a text with the amount that a reader finds in it. Orders of one shop are written
// alike.
type order struct {
	ID, Shop, Text, Want string
}

// orders are ten orders of each of 60 shops, which differ in their words, and in whether they write
// 1,250.00 or 1250.00.
func orders() (all []order) {
	words := []string{"Total: %s EUR", "You pay %s EUR", "Amount due %s EUR", "EUR %s in all"}
	for shop := range 60 {
		for k := range 10 {
			cents := (shop*7919 + k*104729) % 120000
			want := fmt.Sprintf("%d.%02d", cents/100, cents%100)
			shown := want
			if shop%3 == 0 && cents >= 100000 {
				shown = want[:1] + "," + want[1:]
			}
			text := fmt.Sprintf("%d pieces. ", k+1) + fmt.Sprintf(words[shop%len(words)], shown)
			all = append(all, order{ID: fmt.Sprintf("shop-%02d-%d", shop, k), Shop: fmt.Sprint(shop), Text: text, Want: want})
		}
	}
	return all
}

// extractor returns a system with rules, of which the first one that fits finds the amount.
func extractor(name string, rules ...string) items.System[order] {
	var compiled []*regexp.Regexp
	for _, r := range rules {
		compiled = append(compiled, regexp.MustCompile(r))
	}
	return items.NewSystem(name, func(_ context.Context, o order, _ int) (items.Scores, error) {
		for _, r := range compiled {
			if m := r.FindStringSubmatch(o.Text); m != nil {
				found := strings.ReplaceAll(m[1], ",", "")
				return items.Scores{"correct": map[bool]float64{true: 1}[found == o.Want]}, nil
			}
		}
		return items.Scores{"correct": 0}, nil
	})
}

// TestExtractor guards an extractor whose rules change: for the better, and for the worse, where
// the whole suite does not show it.
func TestExtractor(t *testing.T) {
	suite := items.New("orders", orders(), func(o order) items.Item {
		slice := "below 1000"
		if len(o.Want) > len("999.99") {
			slice = "from 1000"
		}
		return items.Item{ID: o.ID, Cluster: o.Shop, Slices: []string{slice}}
	})
	old := extractor("old", `Total: ([\d,.]+)`, `pay ([\d,.]+)`, `due ([\d,.]+)`)

	// A new rule for the shops that the old ones do not read.
	more := items.Compare(t, items.Config{}, suite, extractor("more", `Total: ([\d,.]+)`, `pay ([\d,.]+)`, `due ([\d,.]+)`, `EUR ([\d,.]+) in all`), old)
	assert.Improves(t, more)
	assert.NoRegression(t, more, assert.Margin(0.05), assert.Slices())

	// One rule in place of four: it reads all shops, and loses the thousands.
	one := items.Compare(t, items.Config{}, suite, extractor("one", `(\d[\d.]*)(?: EUR| in all)`), old)
	assert.NoRegression(t, one, assert.Margin(0.05))
	judged := one.Verdicts(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.05, Slices: &verdict.Slices{Patterns: []string{"from 1000"}}})
	require.NoError(t, judged[0].Err)
	require.False(t, judged[0].Holds, "a test would fail with assert.Slices()")
	require.Positive(t, judged[0].Items.Worse)
	t.Log(judged[0])
}
