package floatcmp

import (
	"math"
	"testing"
)

func TestEqual(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		got, want, abs, rel float64
		equal               bool
	}{
		{1, 1, 0, 0, true},
		{1, 1.1, 0.2, 0, true},
		{1, 1.1, 0, 0.2, true},
		{1, 1.1, 0.01, 0.01, false},
		{nan, nan, 0, 0, true},
		{nan, 1, inf, inf, false},
		{1, nan, inf, inf, false},
		{inf, inf, 0, 0, true},
		{inf, -inf, inf, inf, false},
		{1, inf, 1, 1, false},
	} {
		if got := Equal(c.got, c.want, c.abs, c.rel); got != c.equal {
			t.Errorf("Equal(%v, %v, %v, %v) = %v", c.got, c.want, c.abs, c.rel, got)
		}
	}
}

func TestSlices(t *testing.T) {
	if err := Slices([]float64{1, 2}, []float64{1}, 1, 1); err == nil {
		t.Error("slices of different lengths are equal")
	}
	if err := Slices([]float64{1, 2}, []float64{1, 3}, 0, 0); err == nil {
		t.Error("slices with a different element are equal")
	}
	if err := Slices([]float64{1, math.NaN()}, []float64{1, math.NaN()}, 0, 0); err != nil {
		t.Error(err)
	}
}
