package unit

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSplitListKeepsParentheses(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		"":                          {""},
		"nn":                        {"nn"},
		"nn, c45":                   {"nn", "c45"},
		"nn(k=5,weighting=x),c45":   {"nn(k=5,weighting=x)", "c45"},
		"f(g(a,b),c),h(d)":          {"f(g(a,b),c)", "h(d)"},
		"odd),even":                 {"odd)", "even"},
		"open(a,b":                  {"open(a,b"},
		"größe,日本":                  {"größe", "日本"},
		",":                         {"", ""},
		"nn(k=5) , nn(k=7,x=(1,2))": {"nn(k=5)", "nn(k=7,x=(1,2))"},
	} {
		assert.Equal(t, want, SplitList(list), "%q", list)
	}
}
