package plot

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func simplexOf(at ...Regions) *Picture {
	s := &Simplex{Title: "t"}
	for i := range at {
		s.Rows = append(s.Rows, Row{Label: fmt.Sprintf("d%d/nn", i), Posterior: &at[i]})
	}
	return s.Picture()
}

// Points in one place have a number and one title that names all of them.
func TestSimplexCountsPointsInOnePlace(t *testing.T) {
	t.Parallel()
	better, middle := Regions{0, 0, 1}, Regions{0.3, 0.4, 0.3}
	p := simplexOf(better, middle, better, Regions{0, 0.001, 0.999}, Regions{1, 0, 0})
	for _, w := range []float64{Wide, Narrow} {
		d := read(t, p.SVG(w))
		check(t, d)
		var numbers []string
		for _, x := range d.texts {
			if _, err := strconv.Atoi(x.text); err == nil {
				numbers = append(numbers, x.text)
			}
		}
		assert.Equal(t, []string{"3"}, numbers)
		assert.Contains(t, d.titles, "3 in one place: d0/nn: worse 0.000, practically equal 0.000, better 1.000; "+
			"d2/nn: worse 0.000, practically equal 0.000, better 1.000; d3/nn: worse 0.000, practically equal 0.001, better 0.999")
		assert.Contains(t, d.titles, "d1/nn: worse 0.300, practically equal 0.400, better 0.300")
	}
	const note = "A number counts points in one place, which has them as its title."
	assert.Contains(t, p.Notes, note)
	assert.NotContains(t, simplexOf(better).Notes, note)

	many := make([]Regions, 30)
	for i := range many {
		many[i] = middle
	}
	d := read(t, simplexOf(many...).SVG(Wide))
	assert.Regexp(t, `^30 in one place: d0/nn: .*; d9/nn: [^;]*; and 20 more$`,
		d.titles[len(d.titles)-1])
}

// Every point is in exactly one place, of whatever size the picture is.
func TestSimplexCountsEveryPointOnce(t *testing.T) {
	t.Parallel()
	first := regexp.MustCompile(`^(\d+) in one place: `)
	rapid.Check(t, func(rt *rapid.T) {
		var at []Regions
		for range rapid.IntRange(1, 40).Draw(rt, "points") {
			a := rapid.Float64Range(0, 1).Draw(rt, "better")
			b := rapid.SampledFrom([]float64{0, 0.01, 0.5, 1}).Draw(rt, "equal")
			at = append(at, Regions{(1 - a) * (1 - b), b, a * (1 - b)})
		}
		d := read(t, simplexOf(at...).SVG(rapid.Float64Range(Narrow, 1200).Draw(rt, "width")))
		total := 0
		for _, title := range d.titles {
			switch m := first.FindStringSubmatch(title); {
			case m != nil:
				n, err := strconv.Atoi(m[1])
				require.NoError(rt, err)
				require.Greater(rt, n, 1)
				total += n
			case strings.Contains(title, "/nn: worse "):
				total++
			}
		}
		require.Equal(rt, len(at), total)
	})
}
