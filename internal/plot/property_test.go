package plot

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyNumber generates what a report may hold: ordinary numbers, and all that there is.
var anyNumber = rapid.OneOf(rapid.Float64Range(-10, 10), rapid.Float64Range(-1e-9, 1e-9),
	rapid.Float64(),
	rapid.SampledFrom([]float64{
		0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
		-math.MaxFloat64, math.SmallestNonzeroFloat64,
	}))

var anyName = rapid.OneOf(rapid.StringMatching(`[a-z0-9-]{0,60}`), rapid.String())

func anyRows(t *rapid.T) []Row {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Row {
		r := Row{
			Label: anyName.Draw(t, "label"), Outcome: rapid.SampledFrom(outcomes).Draw(t, "outcome"),
			Difference: anyNumber.Draw(t, "difference"), Lo: anyNumber.Draw(t, "lo"),
			Hi:       anyNumber.Draw(t, "hi"),
			Margin:   rapid.SampledFrom([]float64{0, 1, 1e-6, 1e300}).Draw(t, "margin"),
			Baseline: anyNumber.Draw(t, "baseline"), Candidate: anyNumber.Draw(t, "candidate"),
		}
		if rapid.Bool().Draw(t, "bayes") {
			a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
			r.Posterior = &Regions{min(a, b), max(a, b) - min(a, b), 1 - max(a, b)}
		}
		return r
	}), 0, 12).Draw(t, "rows")
}

// TestAnythingCanBeDrawn checks that whatever the numbers are, a picture is well-formed, and inside
// of its frame, with texts that do not overlap.
func TestAnythingCanBeDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		rows := anyRows(rt)
		h := &History{
			Title: "history", Axis: "accuracy", Reference: "ref",
			Budget:      rapid.SampledFrom([]float64{0, 1, 1e300}).Draw(rt, "budget"),
			LowerBetter: rapid.Bool().Draw(rt, "lower"),
		}
		c := &Curves{Title: "curves", X: "runs", Y: "rate", Level: 5, LevelName: "level"}
		p := &Panels{Title: "panels", Panels: []Rates{{Name: "one"}, {Name: "two", Level: 5}}}
		for _, r := range rows {
			h.Points = append(h.Points, Point{r.Label, r.Label, r.Outcome, r.Difference, r.Lo, r.Hi})
			c.Series = append(c.Series, Series{
				r.Label,
				[]float64{5, math.Abs(r.Lo)},
				[]float64{r.Hi, r.Difference},
				[]float64{1, r.Baseline},
			})
			p.Rows = append(p.Rows, r.Label)
			p.Panels[0].Values, p.Panels[0].Errors = append(p.Panels[0].Values, r.Difference),
				append(p.Panels[0].Errors, math.Abs(r.Lo))
			p.Panels[1].Values = append(p.Panels[1].Values, r.Hi)
		}
		if len(rows) > 1 {
			h.Segments = []Segment{{0, len(rows) - 1, rows[0].Difference}}
		}
		lower := rapid.Bool().Draw(rt, "lower is better")
		w := rapid.Float64Range(Narrow, 1200).Draw(rt, "width")
		for _, p := range []*Picture{
			(&Forest{Title: "forest", Axis: "accuracy", Rows: rows, LowerBetter: lower}).Picture(),
			(&Scatter{Title: "scatter", Axis: "accuracy", Rows: rows, LowerBetter: lower}).Picture(),
			(&Simplex{Title: "simplex", Rows: rows}).Picture(), h.Picture(), c.Picture(), p.Picture(),
		} {
			d := read(t, p.SVG(w))
			require.Less(t, d.largest(), 5e4, p.Title)
			for i, x := range d.texts {
				require.GreaterOrEqual(t, x.x, 0.0, "%s: %q", p.Title, x.text)
				require.LessOrEqual(t, x.x, d.width, "%s: %q %d", p.Title, x.text, i)
			}
		}
	})
}

// TestAnyScores checks comparisons of arbitrary scores.
func TestAnyScores(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		runs, folds := rapid.IntRange(1, 12).Draw(rt, "runs"), rapid.IntRange(1, 5).Draw(rt, "folds")
		score := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 0.5, 1}),
			rapid.Float64Range(-1e200, 1e200))
		p := &record.Pairs{
			Unit: unit.Unit{
				Name:   "m",
				Better: rapid.SampledFrom([]unit.Direction{unit.Higher, unit.Lower}).Draw(rt, "better"), Max: 1,
			},
			Runs: runs, Folds: folds,
		}
		for range runs * folds {
			p.A, p.B = append(p.A, score.Draw(rt, "a")), append(p.B, score.Draw(rt, "b"))
		}
		c, err := NewComparison(p, Finding{
			Title: "t", Outcome: rapid.SampledFrom(outcomes).Draw(rt, "outcome"),
			Alpha:      rapid.Float64Range(0.001, 0.5).Draw(rt, "alpha"),
			Difference: anyNumber.Draw(rt, "difference"), Lo: anyNumber.Draw(rt, "lo"),
			Hi: anyNumber.Draw(rt, "hi"), Margin: rapid.Float64Range(0, 1).Draw(rt, "margin"),
		})
		if err != nil {
			return
		}
		for _, w := range []float64{Wide, Narrow} {
			check(t, read(t, c.Picture().SVG(w)))
		}
	})
}

// TestCliquesAreAllOfThem compares the groups with the groups that a search through all subsets
// finds.
func TestCliquesAreAllOfThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(rt, "columns")
		r := &Ranks{Alpha: 0.05}
		differ := make(map[[2]int]bool)
		for i := range n {
			r.Columns = append(r.Columns, RankedColumn{
				Label: fmt.Sprint(i),
				Rank:  float64(rapid.IntRange(1, 5).Draw(rt, "rank")),
			})
			for j := range i {
				p := rapid.SampledFrom([]float64{0.01, 0.05, 0.06, 1}).Draw(rt, "p")
				r.Pairs = append(r.Pairs, RankedPair{i, j, p})
				differ[[2]int{j, i}] = p <= 0.05
			}
		}
		order := r.order()
		same := func(set int) bool {
			for i := range n {
				for j := range i {
					a, b := min(order[i], order[j]), max(order[i], order[j])
					if set>>i&1 == 1 && set>>j&1 == 1 && differ[[2]int{a, b}] {
						return false
					}
				}
			}
			return true
		}
		var want [][]int
		for set := range 1 << n {
			var members []int
			largest := same(set)
			for i := range n {
				if set>>i&1 == 1 {
					members = append(members, i)
				} else if same(set | 1<<i) {
					largest = false
				}
			}
			if largest && len(members) > 1 {
				want = append(want, members)
			}
		}
		slices.SortFunc(want, slices.Compare[[]int])
		got, more := r.Cliques()
		require.False(t, more)
		require.Equal(t, want, got)
	})
}
