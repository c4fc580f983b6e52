package plot

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A difference that is nothing but rounding is printed as none.
func TestRoundingIsNoDifference(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "+0.00  [−2.00, +2.00]", numbers(&Row{Difference: 1.11e-15, Lo: -2, Hi: 2}))
	assert.Equal(t, "+1e−06  [−2.00, +2.00]", numbers(&Row{Difference: 1e-6, Lo: -2, Hi: 2}))
	assert.Equal(t, "+1e−15  [+1e−16, +2e−15]", numbers(&Row{Difference: 1e-15, Lo: 1e-16, Hi: 2e-15}))
}
