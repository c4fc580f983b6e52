package across

import (
	"math"
	"math/rand/v2"
)

// A gammaSource draws gamma variables of scale 1 by the method of Marsaglia
// and Tsang (2000), A simple method for generating gamma variables.
type gammaSource struct {
	d, c  float64
	boost float64 // exponent of the uniform that turns shape a+1 into a < 1, or 0
}

func newGamma(shape float64) gammaSource {
	g := gammaSource{}
	if shape < 1 {
		g.boost = 1 / shape
		shape++
	}
	g.d = shape - 1.0/3
	g.c = 1 / math.Sqrt(9*g.d)
	return g
}

func (g gammaSource) draw(rng *rand.Rand) float64 {
	for {
		x := rng.NormFloat64()
		v := 1 + float64(g.c*x)
		if v <= 0 {
			continue
		}
		v *= v * v
		u := 1 - rng.Float64() // never 0
		if math.Log(u) < 0.5*x*x+float64(g.d*(1-v+math.Log(v))) {
			x = g.d * v
			if g.boost > 0 {
				x *= math.Pow(1-rng.Float64(), g.boost)
			}
			return x
		}
	}
}
