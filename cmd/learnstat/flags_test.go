package main

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
		assert.Equal(t, want, splitList(list), "%q", list)
	}
}

func TestChooseKeepsTheOrderOfTheFiles(t *testing.T) {
	t.Parallel()
	have := []string{"nn", "a,b", "a", "c45"}
	for _, c := range []struct {
		flags names
		want  []string
	}{
		{nil, have},
		{names{"c45,nn"}, []string{"nn", "c45"}},
		{names{"c45", "nn", "nn"}, []string{"nn", "c45"}},
		{names{"a,b"}, []string{"a,b"}},
		{names{"a,c45"}, []string{"a", "c45"}},
	} {
		got, err := c.flags.choose("learner", have)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%v", c.flags)
	}
	_, err := names{"a,b,c45"}.choose("learner", have)
	assert.EqualError(t, err, `no learner is called "b"; there are: "nn", "a,b", "a", "c45"`)
	_, err = names{""}.choose("learner", have)
	assert.ErrorContains(t, err, `no learner is called ""`)
}

func TestMarginsOfMetrics(t *testing.T) {
	t.Parallel()
	var m margins
	require.NoError(t, m.Set("accuracy:0.01,time:s:2"))
	require.NoError(t, m.Set("f(a,b):1e-3"))
	got, err := m.of([]string{"accuracy", "time:s", "f(a,b)", "other"})
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"accuracy": 0.01, "time:s": 2, "f(a,b)": 0.001}, got)
	require.Error(t, m.Set("0.5"))
	require.Error(t, m.Set("time:s:3"))

	var one margins
	require.NoError(t, one.Set("0.01"))
	got, err = one.of([]string{"accuracy"})
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"accuracy": 0.01}, got)
	_, err = one.of([]string{"accuracy", "kappa"})
	assert.Error(t, err)
	for _, bad := range []string{"", "x", "0", "-1", "NaN", "Inf", "accuracy:", "accuracy:x", ":"} {
		assert.Error(t, new(margins).Set(bad), "%q", bad)
	}
}

func TestSourcesHaveLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want []string }{
		{[]string{"old.txt", "new.txt"}, []string{"old.txt", "new.txt"}},
		{[]string{"/tmp/x/old.txt", "/tmp/x/new.txt"}, []string{"old.txt", "new.txt"}},
		{[]string{"main/v.txt", "change/v.txt"}, []string{"main/v.txt", "change/v.txt"}},
		{[]string{"a/b/c.txt", "a/c.txt"}, []string{"b/c.txt", "c.txt"}},
		{[]string{"a/b", "a/b"}, []string{"b", "b"}},
		{[]string{"before=x/old.txt", "x/new.txt"}, []string{"before", "new.txt"}},
		{[]string{"a=b=c", "./d=e"}, []string{"a", "./d=e"}},
		{[]string{"=x", "y"}, []string{"=x", "y"}},
	} {
		var cfg config
		require.NoError(t, cfg.setSources(c.args, false))
		var got []string
		for _, s := range cfg.sources {
			got = append(got, s.label)
		}
		assert.Equal(t, c.want, got)
	}
	var cfg config
	require.NoError(t, cfg.setSources([]string{"a=b=c", "./d=e"}, false))
	assert.Equal(t, "b=c", cfg.sources[0].path)
	assert.Equal(t, "./d=e", cfg.sources[1].path)
}
