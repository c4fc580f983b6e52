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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errUnknown = errors.New("unknown fruit")

func lookup(name string) (string, error) {
	return catalogue.Lookup(errUnknown, []string{"apple", "pear"}, func(s string) string { return s },
		name)
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

// Each wrong name is one that a user of another tool would try, or a typing error.
func TestLookupSuggestsTheNearestName(t *testing.T) {
	t.Parallel()
	metricOf := func(n string) error { _, err := metric.Lookup(n); return err }
	testOf := func(n string) error { _, err := stat.Lookup(n); return err }
	adjustmentOf := func(n string) error { _, err := adjust.Lookup(n); return err }
	dataOf := func(n string) error { _, err := uci.Load(n); return err }
	protocolOf := func(n string) error { _, err := split.Parse(n + " runs=2 folds=2"); return err }
	for _, tt := range []struct {
		find         func(string) error
		name, advice string
	}{
		{metricOf, "f1", "did you mean macro-f1?"},
		{metricOf, "Accuracy", "did you mean accuracy?"},
		{metricOf, "acc", "did you mean accuracy?"},
		{metricOf, "acuracy", "did you mean accuracy?"},
		{metricOf, "balanced_accuracy", "did you mean balanced-accuracy?"},
		{metricOf, "log_loss", "did you mean logloss?"},
		{metricOf, "roc_auc", "did you mean auc?"},
		{metricOf, "brier_score", "did you mean brier?"},
		{testOf, "corrected-t", "did you mean corrected-cv-t?"},
		{testOf, "corrected_cv_t", "did you mean corrected-cv-t?"},
		{adjustmentOf, "Holm", "did you mean holm?"},
		{adjustmentOf, "bonferoni", "did you mean bonferroni?"},
		{dataOf, "irs", "did you mean iris?"},
		{dataOf, "IRIS", "did you mean iris?"},
		{dataOf, "balance", "did you mean balance-scale?"},
		{protocolOf, "subsamples", "did you mean subsample?"},
		{protocolOf, "group", "did you mean groups?"},
	} {
		require.ErrorContains(t, tt.find(tt.name), tt.advice, tt.name)
	}
	for _, name := range []string{"", "x", "f", "guess", "zzz", "-"} {
		require.NotContains(t, metricOf(name).Error(), "did you mean", name)
	}
}

func TestMust(t *testing.T) {
	t.Parallel()
	require.Equal(t, "apple", catalogue.Must(lookup("apple")))
	require.PanicsWithError(t, `unknown fruit "": there are apple, pear`,
		func() { catalogue.Must(lookup("")) })
}

// A list is a catalogue as its readers see it.
type list struct {
	what     string
	unknown  error
	names    []string
	others   string // what errors list behind the names
	lookup   func(name string) (named string, err error)
	mustFind func(name string)
}

func of[T any](what string, unknown error, values []T, name func(T) string,
	lookup func(string) (T, error), must func(string) T,
) list {
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
// is one kind of error.
func TestCataloguesHaveOneShape(t *testing.T) {
	t.Parallel()
	tests := of("test", stat.ErrUnknown, stat.Tests(), func(t stat.Test) string { return t.Name },
		stat.Lookup, stat.MustLookup)
	tests.others = "; for items cluster-flip, mcnemar"
	for _, l := range []list{
		tests,
		of("test of pairs", across.ErrUnknown, across.PairTests(),
			func(t across.PairTest) string { return t.Name }, across.Lookup, across.MustLookup),
		of("adjustment", adjust.ErrUnknown, adjust.Methods(),
			func(m adjust.Method) string { return m.Name }, adjust.Lookup, adjust.MustLookup),
		of("metric", metric.ErrUnknown, metric.Metrics(), func(m metric.Metric) string { return m.Name },
			metric.Lookup, metric.MustLookup),
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
		for name, advice := range map[string]string{
			"": "there", "guess": "there",
			" " + l.names[0]:    "did you mean " + l.names[0] + "? There",
			l.names[0] + "/x=1": "did you mean " + l.names[0] + "? There",
		} {
			_, err := l.lookup(name)
			require.ErrorIs(t, err, l.unknown)
			require.EqualError(t, err, "unknown "+l.what+` "`+name+`": `+advice+" are "+known[2:]+l.others)
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

func TestSuggest(t *testing.T) {
	t.Parallel()
	names := []string{"nn", "naivebayes", "k", "evil\x1b[31m"}
	for name, want := range map[string]string{
		"nnn": "; did you mean nn?", "NaiveBays": "; did you mean naivebayes?", "kk": "; did you mean k?",
		"evil": `; did you mean "evil\x1b[31m"?`, "svm": "", "n": "", "": "",
		"the learner nn against naivebayes": "",
	} {
		assert.Equal(t, want, catalogue.Suggest(name, names), name)
	}
}
