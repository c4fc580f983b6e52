package htmlreport

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// contrast is the contrast ratio of the guidelines for web content.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(c string) float64 {
		if len(c) == 4 {
			c = "#" + string([]byte{c[1], c[1], c[2], c[2], c[3], c[3]})
		}
		require.Len(t, c, 7)
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			x, err := strconv.ParseUint(c[1+2*i:3+2*i], 16, 8)
			require.NoError(t, err)
			v := float64(x) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += float64(weight * v)
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}
