package match

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

func TestChooseKeepsTheOrderOfTheFiles(t *testing.T) {
	t.Parallel()
	have := []string{"nn", "a,b", "a", "c45"}
	for _, c := range []struct {
		flags Names
		want  []string
	}{
		{nil, have},
		{Names{"c45,nn"}, []string{"nn", "c45"}},
		{Names{"c45", "nn", "nn"}, []string{"nn", "c45"}},
		{Names{"a,b"}, []string{"a,b"}},
		{Names{"a,c45"}, []string{"a", "c45"}},
	} {
		got, err := c.flags.choose("learner", have)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%v", c.flags)
	}
	_, err := Names{"a,b,c45"}.choose("learner", have)
	assert.EqualError(t, err, `no learner is called "b"; there are: "nn", "a,b", "a", "c45"`)
	_, err = Names{""}.choose("learner", have)
	assert.ErrorContains(t, err, `no learner is called ""`)
}
