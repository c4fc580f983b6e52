package learnercheck

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/split"
)

// tableOf reads a table whose class is y.
func tableOf(t *testing.T, header string, line func(i int) string) *dataset.Table {
	t.Helper()
	lines := []string{header}
	for i := range 60 {
		lines = append(lines, line(i))
	}
	table, err := dataset.ReadCSV(strings.NewReader(strings.Join(lines, "\n")+"\n"), "t.csv", dataset.ReadOptions{Target: "y"})
	require.NoError(t, err)
	return table
}

func TestDataRules(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	half := func(i int) string { return map[bool]string{true: "no", false: "yes"}[i < 30] }
	for name, c := range map[string]struct {
		line func(i int) string
		opts DataOptions
		rule Rule // the only one that is broken; "" if none is
		says string
	}{
		"nothing":        {func(i int) string { return fmt.Sprintf("%v,%d,%s", r.NormFloat64(), i%7, half(i)) }, DataOptions{MaxCopies: -1, MaxContradictions: -1}, "", ""},
		"an id":          {func(i int) string { return fmt.Sprintf("%d,%d,%s", i+17, i%7, half(i)) }, DataOptions{}, Columns, "column a numbers the rows, and those of each label are together"},
		"a shuffled id":  {func(i int) string { return fmt.Sprintf("%d,%d,%s", (i*7)%60, i%7, half((i*7)%60)) }, DataOptions{}, Columns, "column a numbers the rows"},
		"time stamps":    {func(i int) string { return fmt.Sprintf("%d,%d,%s", -i*i, i%7, half(i)) }, DataOptions{}, Columns, "column a numbers the rows"},
		"an honest id":   {func(i int) string { return fmt.Sprintf("%d,%d,%s", i, i%7, half(r.IntN(60))) }, DataOptions{}, "", ""},
		"a constant":     {func(i int) string { return fmt.Sprintf("%v,3,%s", r.NormFloat64(), half(i)) }, DataOptions{}, Columns, "column b is the same in all 60 rows"},
		"copies":         {func(i int) string { return fmt.Sprintf("%d,%d,%s", i/2, i/2%7, half(i)) }, DataOptions{MaxCopies: 0.01}, Copies, "% of test examples have a copy in training (60 examples in 30 sets of equal ones), and 1% may"},
		"allowed copies": {func(i int) string { return fmt.Sprintf("%d,%d,%s", i*31%60/2, i%2, half(r.IntN(60))) }, DataOptions{}, "", ""},
		"contradictions": {func(i int) string { return fmt.Sprintf("%d,%d,%s", i%30, i%3, half(i)) }, DataOptions{MaxContradictions: 0.05}, Contradictions, "30 sets of equal examples have different labels, so that no accuracy is above 50.00%, and 5% of the examples"},
		"missing is missing": {
			func(i int) string {
				return fmt.Sprintf("%s,%d,%s", map[bool]string{true: "", false: fmt.Sprint(i * 37 % 101)}[i > 57], min(i, 58), half(i))
			},
			DataOptions{MaxCopies: -1},
			Copies, "% of test examples have a copy in training (2 examples in 1 sets of equal ones), and 0% may",
		},
	} {
		err := Check(t.Context(), Data(tableOf(t, "a,b,y", c.line), c.opts))
		if c.rule == "" {
			assert.NoError(t, err, name)
			continue
		}
		found := flawsIn(t, err)
		require.Len(t, found, 1, name)
		assert.Equal(t, c.rule, found[0].Rule, name)
		assert.Contains(t, found[0].Err.Error(), c.says, name)
	}
}

// Equal structs are copies; groups keep them together.
func TestDataOfAnyType(t *testing.T) {
	t.Parallel()
	type pair struct{ A, B int }
	xs, ys, groups := make([]pair, 60), make([]string, 60), make([]string, 60)
	for i := range xs {
		xs[i], ys[i], groups[i] = pair{i % 20, 1}, []string{"x", "y"}[i%2], fmt.Sprint(i%20)
	}
	data := learntest.Examples("pairs", xs, ys)
	findings, err := Inspect(t.Context(), Data(data, DataOptions{}))
	require.NoError(t, err)
	require.Len(t, findings, 3)
	assert.Equal(t, "100.0% of test examples have a copy in training (60 examples in 20 sets of equal ones)", findings[0].Detail)
	assert.Equal(t, "0 sets of equal examples have different labels", findings[1].Detail)
	require.Error(t, Check(t.Context(), Data(data, DataOptions{MaxCopies: 0.9})))
	require.NoError(t, Check(t.Context(), Data(data.WithGroups(groups), DataOptions{MaxCopies: -1, Protocol: split.Groups(2, 10)})))
	Run(t, Data(learntest.Data[dataset.Row, int](uci.Iris()), DataOptions{MaxCopies: 0.05}))
	_, err = Inspect(t.Context(), Data(data, DataOptions{Protocol: split.Groups(1, 5)}))
	require.ErrorContains(t, err, `data set "pairs"`)
	require.ErrorIs(t, Check(t.Context(), Data(learntest.Examples("few", []int{1}, []bool{}), DataOptions{})), learntest.ErrData)
}
