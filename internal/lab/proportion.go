package lab

import (
	"fmt"
	"math"
)

// A Proportion is how many of so many independent data sets something happened on.
type Proportion struct{ K, N int }

func (p Proportion) Share() float64 { return float64(p.K) / float64(p.N) }

// SE returns the Monte Carlo standard error of the share. So that it is not zero where it
// happened on all data sets or on none, it is taken at (k+1)/(n+2).
func (p Proportion) SE() float64 {
	q := float64(p.K+1) / float64(p.N+2)
	return math.Sqrt(q * (1 - q) / float64(p.N))
}

// CalibrationInterval returns the 95% interval of Wilson for the probability.
func (p Proportion) interval() (lo, hi float64) {
	const z = 1.959963984540054
	n, q := float64(p.N), p.Share()
	mid := (q + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(q*(1-q)/n+z*z/(4*n*n))
	return max(0, mid-half), min(1, mid+half)
}

// Beside returns the cells of a figure in percent: ours, its error, the printed one, and the
// difference in standard errors; the printed figure counts with the standard error of as many
// data sets. The printed one is NaN if there is none.
func (p Proportion) Beside(printed float64, sets int) []string {
	cells := []string{Percent(p.Share()), Percent(p.SE()), "", ""}
	if !math.IsNaN(printed) {
		theirs := Proportion{int(math.Round(printed / 100 * float64(sets))), sets}
		se := math.Hypot(p.SE(), theirs.SE())
		cells[2] = fmt.Sprintf("%.1f", printed)
		cells[3] = Signed((p.Share()-printed/100)/se, 1)
	}
	return cells
}
