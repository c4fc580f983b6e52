package weka

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Reference texts: Utils.doubleToString(x, 6) of Weka 3.6.14.
func TestDecimals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		x    float64
		want string
	}{
		{0.0, "0"},
		{0.5, "0.5"},
		{-0.5, "-0.5"},
		{2.45, "2.45"},
		{1.0e-7, "0"},
		{4.0e-7, "0"},
		{5.0e-7, "0.000001"},
		{-4.0e-7, "0"},
		{-5.0e-7, "-0.000001"},
		{1.5e-6, "0.000002"},
		{0.3333333333333333, "0.333333"},
		{-0.6666666666666666, "-0.666667"},
		{123456.789012345, "123456.789012"},
		{1.0, "1"},
		{-1.0, "-1"},
		{10.0, "10"},
		{100.0, "100"},
		{-7.0, "-7"},
		{0.05, "0.05"},
		{-0.05, "-0.05"},
		{1.23456789e7, "12345678.9"},
		{9.999999999e9, "9999999999"},
		{2.675, "2.675"},
		{0.1234565, "0.123457"},
		{1.0e12, "1000000000000"},
		{-1.0e-6, "-0.000001"},
	} {
		assert.Equal(t, test.want, Decimals(test.x), "%v", test.x)
	}
}

// Reference texts: Utils.roundDouble(x, 2) of Weka 3.6.14, as Java prints it.
func TestHundredths(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		x    float64
		want string
	}{
		{0.0, "0.0"},
		{1.0, "1.0"},
		{0.005, "0.01"},
		{0.004999, "0.0"},
		{2.675, "2.68"},
		{1.005, "1.0"},
		{37.74, "37.74"},
		{21.4199999, "21.42"},
		{100.0, "100.0"},
		{1234567.891, "1234567.89"},
		{9999999.994, "9999999.99"},
		{9999999.996, "1.0E7"},
		{1.0e7, "1.0E7"},
		{1.2345678125e7, "1.234567813E7"},
		{1.0e8, "1.0E8"},
		{1.23456789e8, "1.23456789E8"},
		{2.5e9, "2.5E9"},
		{1.0e10, "1.0E10"},
		{33.333333, "33.33"},
	} {
		assert.Equal(t, test.want, Hundredths(test.x), "%v", test.x)
	}
}

func TestDecimalsBeyondIntegers(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "1.5e+300", Decimals(1.5e300))
	assert.Equal(t, "-1e+17", Decimals(-1e17))
	assert.Equal(t, "+Inf", Decimals(math.Inf(1)))
}
