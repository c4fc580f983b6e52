package print

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
)

func TestReplicabilityIsPrintedByItsIntervalWhereItIsOutside(t *testing.T) {
	t.Parallel()
	none := unit.Number(math.NaN())
	for _, c := range []struct {
		r          verdict.RerunFacts
		short, all string
	}{
		{verdict.RerunFacts{R: 0.953, Lo: 0.93, Hi: 0.97, Runs: 10}, ".953", "0.953"},
		{verdict.RerunFacts{R: 0.753, Lo: 0.53, Hi: 0.97, Runs: 10}, ".753", "0.753 (0.53–0.97)"},
		{verdict.RerunFacts{R: none, Lo: 0.981, Hi: 0.998, Runs: 10}, ">.981", "0.981–0.998"},
		{verdict.RerunFacts{R: none, Lo: 0.99999, Hi: 1, Runs: 10}, ">.999", "> 0.999"},
		{
			verdict.RerunFacts{R: 0.9, Lo: none, Hi: none, Runs: 10, Repeats: 10, Agreeing: 9},
			".900",
			"0.900 (9 of 10)",
		},
	} {
		assert.Equal(t, c.short, shortRerun(&c.r))
		assert.Equal(t, c.all, formatRerun(&c.r))
	}
	assert.Empty(t, shortRerun(nil))
}
