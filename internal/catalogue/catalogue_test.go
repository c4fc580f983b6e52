package catalogue_test

import (
	"errors"
	"testing"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/stretchr/testify/require"
)

var errUnknown = errors.New("unknown fruit")

func lookup(name string) (string, error) {
	return catalogue.Lookup(errUnknown, []string{"apple", "pear"}, func(s string) string { return s }, name)
}

func TestLookup(t *testing.T) {
	t.Parallel()
	got, err := lookup("pear")
	require.NoError(t, err)
	require.Equal(t, "pear", got)
	got, err = lookup("plum")
	require.Empty(t, got)
	require.ErrorIs(t, err, errUnknown)
	require.EqualError(t, err, `unknown fruit "plum": there are apple, pear`)
}

func TestMust(t *testing.T) {
	t.Parallel()
	require.Equal(t, "apple", catalogue.Must(lookup("apple")))
	require.PanicsWithError(t, `unknown fruit "": there are apple, pear`, func() { catalogue.Must(lookup("")) })
}

// A list is what all catalogues look like to a reader.
type list struct {
	what     string
	unknown  error
	names    []string
	lookup   func(name string) (named string, err error)
	mustFind func(name string)
}

func of[T any](what string, unknown error, values []T, name func(T) string, lookup func(string) (T, error), must func(string) T) list {
	l := list{what: what, unknown: unknown, mustFind: func(name string) { must(name) }}
	for _, v := range values {
		l.names = append(l.names, name(v))
	}
	l.lookup = func(n string) (string, error) {
		v, err := lookup(n)
		if err != nil {
			return "", err
		}
		return name(v), nil
	}
	return l
}

// All catalogues have one shape: each value is found under its name, and any other name
// is the same kind of error.
func TestCataloguesHaveOneShape(t *testing.T) {
	t.Parallel()
	for _, l := range []list{
		of("test", stat.ErrUnknown, stat.Tests(), func(t stat.Test) string { return t.Name }, stat.Lookup, stat.MustLookup),
		of("test of pairs", across.ErrUnknown, across.PairTests(), func(t across.PairTest) string { return t.Name }, across.Lookup, across.MustLookup),
		of("adjustment", adjust.ErrUnknown, adjust.Methods(), func(m adjust.Method) string { return m.Name }, adjust.Lookup, adjust.MustLookup),
		of("metric", metric.ErrUnknown, metric.Metrics(), func(m metric.Metric) string { return m.Name }, metric.Lookup, metric.MustLookup),
	} {
		require.NotEmpty(t, l.names, l.what)
		seen := map[string]bool{}
		known := ""
		for _, name := range l.names {
			require.False(t, seen[name], "%s is there twice", name)
			seen[name] = true
			got, err := l.lookup(name)
			require.NoError(t, err)
			require.Equal(t, name, got)
			require.NotPanics(t, func() { l.mustFind(name) })
			known += ", " + name
		}
		for _, name := range []string{"", "guess", " " + l.names[0], l.names[0] + "/df=1"} {
			_, err := l.lookup(name)
			require.ErrorIs(t, err, l.unknown)
			require.EqualError(t, err, "unknown "+l.what+` "`+name+`": there are `+known[2:])
			require.Panics(t, func() { l.mustFind(name) })
		}
	}
	_, err := uci.Load("guess")
	require.ErrorIs(t, err, uci.ErrUnknown)
	require.ErrorContains(t, err, `unknown data set "guess": there are balance-scale, breast-cancer, `)
	_, err = split.Parse("guess runs=1")
	require.ErrorIs(t, err, split.ErrSyntax)
	require.ErrorContains(t, err, `unknown kind of protocol "guess": there are cv, subsample, `)
}
