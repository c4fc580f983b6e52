package study

import (
	"fmt"
	"math"
)

// A proportion is how many of so many independent data sets something happened on.
type proportion struct{ k, n int }

func (p proportion) share() float64 { return float64(p.k) / float64(p.n) }

// se returns the Monte Carlo standard error of the share. So that it is not zero where it
// happened on all data sets or on none, it is taken at (k+1)/(n+2).
func (p proportion) se() float64 {
	q := float64(p.k+1) / float64(p.n+2)
	return math.Sqrt(q * (1 - q) / float64(p.n))
}

// interval returns the 95% interval of Wilson for the probability.
func (p proportion) interval() (lo, hi float64) {
	const z = 1.959963984540054
	n, q := float64(p.n), p.share()
	mid := (q + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(q*(1-q)/n+z*z/(4*n*n))
	return max(0, mid-half), min(1, mid+half)
}

// beside returns the cells of a figure in percent: ours, its error, the printed one, and
// the difference in standard errors, that of the print being what so many data sets
// give it. The printed one is NaN if there is none.
func (p proportion) beside(printed float64, sets int) []string {
	cells := []string{percent(p.share()), percent(p.se()), "", ""}
	if !math.IsNaN(printed) {
		theirs := proportion{int(math.Round(printed / 100 * float64(sets))), sets}
		se := math.Hypot(p.se(), theirs.se())
		cells[2] = fmt.Sprintf("%.1f", printed)
		cells[3] = signed((p.share()-printed/100)/se, 1)
	}
	return cells
}
