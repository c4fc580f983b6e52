package study

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTallyIsAWeightedMean(t *testing.T) {
	t.Parallel()
	var l tally
	assert.True(t, math.IsNaN(l.mean()))
	assert.True(t, math.IsNaN(l.se()))
	l.add("a", 3, 2)
	l.add("a", 1, 1)
	l.add("none", 5, 0)
	assert.InDelta(t, 4.0/3, l.mean(), 1e-15)
	assert.True(t, math.IsNaN(l.se()), "one cluster")
	l.add("b", 6, 3)
	assert.InDelta(t, 10.0/6, l.mean(), 1e-15)
	// Each cluster is 1 off, in opposite directions.
	assert.InDelta(t, math.Sqrt(2*2)/6, l.se(), 1e-15)
}

// The standard error is the spread of the mean over samples, though the values of a
// cluster have much in common.
func TestStandardErrorOfATally(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	var means, squares, errs float64
	const samples = 2000
	for range samples {
		var l tally
		for c := range 25 {
			common := rng.NormFloat64()
			for range 1 + c%3 {
				l.add(string(rune('a'+c)), common+0.3*rng.NormFloat64(), 1)
			}
		}
		m := l.mean()
		means += m
		squares += m * m
		errs += l.se()
	}
	sd := math.Sqrt(squares/samples - means/samples*means/samples)
	assert.InEpsilon(t, sd, errs/samples, 0.1)
}

func TestTablesAreMarkdown(t *testing.T) {
	t.Parallel()
	a := Table{Title: "One", Notes: []string{"Say it."}, Columns: []string{"θ", "n"}}
	a.Add("x", "1")
	a.Add("±y", "22222")
	r := Report{Tables: []Table{a, {Title: "Two", Columns: []string{"c"}}}}
	require.Equal(t, strings.TrimPrefix(`
## One

Say it.

| θ   |     n |
| --- | ----: |
| x   |     1 |
| ±y  | 22222 |

## Two

| c   |
| --- |
`, "\n"), r.String())
	assert.Empty(t, lab.Figure(math.NaN(), 2))
	assert.Empty(t, lab.Signed(math.NaN(), 3))
	assert.Equal(t, "+0.000", lab.Signed(math.Copysign(0, -1), 3))
	assert.Equal(t, "12.5", lab.Percent(0.125))
}
