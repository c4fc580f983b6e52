package detmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
)

func TestLogSpecialCases(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 0.0, Log(1))
	assert.Equal(t, math.Inf(1), Log(math.Inf(1)))
	assert.Equal(t, math.Inf(-1), Log(0))
	assert.Equal(t, math.Inf(-1), Log(math.Copysign(0, -1)))
	assert.True(t, math.IsNaN(Log(-1e-300)))
	assert.True(t, math.IsNaN(Log(math.Inf(-1))))
	assert.True(t, math.IsNaN(Log(math.NaN())))
}

// bigLog is ln x to about 200 bits, by the series of the inverse hyperbolic
// tangent after a reduction by square roots.
func bigLog(x float64) *big.Float {
	const prec = 256
	y := new(big.Float).SetPrec(prec).SetFloat64(x)
	exp := y.MantExp(y)
	series := func(y *big.Float) *big.Float {
		roots := 0
		for ; roots < 20; roots++ {
			y = new(big.Float).SetPrec(prec).Sqrt(y)
		}
		one := big.NewFloat(1).SetPrec(prec)
		s := new(big.Float).SetPrec(prec).Quo(new(big.Float).Sub(y, one), new(big.Float).Add(y, one))
		z := new(big.Float).SetPrec(prec).Mul(s, s)
		sum := new(big.Float).SetPrec(prec)
		term := new(big.Float).SetPrec(prec).Set(s)
		for k := 1; k < 20; k += 2 {
			sum.Add(sum, new(big.Float).SetPrec(prec).Quo(term, big.NewFloat(float64(k))))
			term.Mul(term, z)
		}
		return sum.SetMantExp(sum, roots+1)
	}
	two := big.NewFloat(2).SetPrec(prec)
	ln2 := series(two)
	return new(big.Float).SetPrec(prec).Add(series(y), ln2.Mul(ln2, big.NewFloat(float64(exp))))
}

func TestLogIsWithinABitMoreThanHalfAnUlp(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(x float64) {
		got, exact := Log(x), bigLog(x)
		diff := new(big.Float).Sub(new(big.Float).SetFloat64(got), exact)
		off, _ := diff.Abs(diff).Float64()
		a := math.Abs(got)
		if ulp := math.Nextafter(a, math.Inf(1)) - a; off > 0.52*ulp {
			t.Errorf("Log(%v) = %v is off by %.4f ulp", x, got, off/ulp)
		}
	}
	step := 5.0
	if citest.Has(citest.Slow) {
		step = 1
	}
	for i := 2.0; i < 1000; i += step {
		check(i)
		check(i + 0.5)
		check(1 / i)
		check(1 + 1/(i*i))
		check(1 - 1/(i*i))
	}
	for range 1000 / int(step) {
		check(math.Exp(rng.NormFloat64()))
		check(math.Exp(rng.NormFloat64() * 100))
	}
	for _, x := range []float64{
		5e-324, 3e-310, 0x1p-1022, math.MaxFloat64, math.Sqrt2, math.Sqrt2 / 2,
		math.Nextafter(1, 0), math.Nextafter(1, 2),
	} {
		check(x)
	}
}

func BenchmarkLog(b *testing.B) {
	x, sum := 3.7, 0.0
	for b.Loop() {
		sum += Log(x)
		x += 0.01
	}
	_ = sum
}
