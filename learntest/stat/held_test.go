package stat

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHeldTestsAreAskedForTheNull(t *testing.T) {
	t.Parallel()
	type call struct {
		null float64
		alt  Alternative
	}
	var calls []call
	broken := errors.New("broken")
	test := Held("mine", "doc", func(null float64, alt Alternative) (Result, error) {
		calls = append(calls, call{null, alt})
		if null == 7 {
			return Result{}, broken
		}
		return Result{Null: null, Mean: 0.1, P: 0.2 + null}, nil
	})
	d := Differences{Runs: 1, Folds: 2, X: []float64{5, 6}}
	r, err := test.Run(d, Less)
	require.NoError(t, err)
	require.Equal(t, Result{Mean: 0.1, P: 0.2}, r)
	r, err = test.Against(d, 0.3, Greater)
	require.NoError(t, err)
	require.Equal(t, Result{Null: 0.3, Mean: 0.1, P: 0.5}, r)
	e, err := test.Equivalence(d, -0.1, 0.1)
	require.NoError(t, err)
	require.Equal(t, -0.1, e.Lower.Null)
	require.Equal(t, 0.1, e.Upper.Null)
	require.Equal(t, []call{{0, Less}, {0.3, Greater}, {-0.1, Greater}, {0.1, Less}}, calls)
	_, err = test.Against(d, 7, Greater)
	require.ErrorIs(t, err, broken)
}
