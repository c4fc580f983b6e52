package study

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A learner of one's own has the figures of the same learner in the study gate.
func TestOwnGatesAreThoseOfTheStudy(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	const sets = 10
	got, err := Gates(t.Context(), Config{Sets: sets, Parallel: 2},
		[]learntest.Learner[dataset.Row, int]{learntest.FromClassifier(neighbor.New(neighbor.Config{}))},
		[]learntest.Learner[dataset.Row, float64]{learntest.FromRegressor(ols.New(ols.Config{}))})
	require.NoError(t, err)
	var all []null
	for _, name := range []string{"1-NN, n = 100", "1-NN, n = 300", "least squares, RMSE, n = 300"} {
		all = append(all, *named(t, name, nulls))
	}
	want, err := gateRows(t.Context(), lab.Config{Parallel: 2, Seed: 1}, all, sets, sets)
	require.NoError(t, err)
	typeI, power := typeITable(want).Rows, gatePowerTable(want).Rows
	require.Len(t, got.Tables[0].Rows, 6)
	rejections := 0
	for i, row := range []int{0, 1, 4} {
		require.Equal(t, typeI[i][1:], got.Tables[0].Rows[row][1:])
		require.Equal(t, power[i][1:], got.Tables[1].Rows[row][1:])
		rejections += want[i].rejected[defaultGate].K
	}
	require.Positive(t, rejections)
	var names []string
	for _, row := range got.Tables[0].Rows {
		names = append(names, row[0])
	}
	require.Equal(t, []string{
		"nn, n = 100", "nn, n = 300", "nn, 4 attributes, shift 0.5, balanced, n = 100",
		"ols, RMSE, n = 100", "ols, RMSE, n = 300", "ols, RMSE, noise 10, n = 100",
	}, names)
	require.NotEqual(t, got.Tables[0].Rows[0][2:], got.Tables[0].Rows[2][2:])
	require.NotEqual(t, got.Tables[0].Rows[3][2:], got.Tables[0].Rows[5][2:])
}

// A study that would say nothing is refused, and one whose trials fail has their error.
func TestOwnGatesRefuse(t *testing.T) {
	t.Parallel()
	nn := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	mean := learntest.FromRegressor(baseline.Mean())
	broken := errors.New("broken")
	fails := learntest.Func("fails", func(context.Context, learntest.Sample[dataset.Row, int],
		uint64,
	) (func(dataset.Row) int, error) {
		return nil, broken
	})
	type classes = []learntest.Learner[dataset.Row, int]
	type numbers = []learntest.Learner[dataset.Row, float64]
	for _, c := range []struct {
		cfg     Config
		classes classes
		numbers numbers
		want    string
		refused bool
	}{
		{want: "invalid study: no learner", refused: true},
		{cfg: Config{Store: "scores"}, classes: classes{nn}, want: "are not kept", refused: true},
		{cfg: Config{Parallel: -1}, classes: classes{nn}, want: "Parallel is negative", refused: true},
		{classes: classes{nn, nn}, want: "two learners are called nn", refused: true},
		{numbers: numbers{mean}, want: "both halves of the attributes are equally good in all trials", refused: true},
		{classes: classes{fails}, want: "broken"},
	} {
		c.cfg.Sets = 2
		_, err := Gates(t.Context(), c.cfg, c.classes, c.numbers)
		require.ErrorContains(t, err, c.want)
		assert.Equal(t, c.refused, errors.Is(err, ErrConfig), c.want)
		assert.False(t, strings.Contains(err.Error(), "nil"), err)
	}
}
