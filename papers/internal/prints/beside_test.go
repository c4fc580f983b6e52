package prints

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFiguresBesideThePrinted(t *testing.T) {
	t.Parallel()
	f := Print("0.95")
	require.Equal(t, []string{"0.9512", "0.95", "none"}, Beside(0.9512, f))
	require.Equal(t, []string{"0.9449", "0.95", "-0.005"}, Beside(0.9449, f))

	require.Equal(t, []string{"0.98", "0.03", "0.95", "+0.6"}, BesideError(0.98, 0.03, 2, f, 0.04))
	require.Equal(t, []string{"0.92", "0.03", "0.95", "-1.0"}, BesideError(0.92, 0.03, 2, f, 0))
	require.Equal(t, []string{"0.98", "0.00", "0.95", ""}, BesideError(0.98, 0, 2, f, 0))
	require.Empty(t, InErrors(1, math.NaN()))
}
