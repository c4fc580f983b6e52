package study

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/internal/papers"
	"github.com/stretchr/testify/require"
)

func TestFiguresBesideThePrinted(t *testing.T) {
	t.Parallel()
	f := papers.Print("0.95")
	require.Equal(t, []string{"0.9512", "0.95", "none"}, besidePrint(0.9512, f))
	require.Equal(t, []string{"0.9449", "0.95", "-0.005"}, besidePrint(0.9449, f))

	require.Equal(t, []string{"0.98", "0.03", "0.95", "+0.6"}, besideError(0.98, 0.03, 2, f, 0.04))
	require.Equal(t, []string{"0.92", "0.03", "0.95", "-1.0"}, besideError(0.92, 0.03, 2, f, 0))
	require.Equal(t, []string{"0.98", "0.00", "0.95", ""}, besideError(0.98, 0, 2, f, 0))
	require.Empty(t, inErrors(1, math.NaN()))
}
