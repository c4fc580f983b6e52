package ols

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// The triangle of many rows has the solution of least norm of the rows themselves, with columns that
// depend on others, too.
func TestTriangle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{12, 127, 128, 129, 500, 1024} {
		for columns := 1; columns <= 8; columns++ {
			a, b := mat.NewDense(rows, columns, nil), mat.NewDense(rows, 1, nil)
			for i := range rows {
				for j := range columns {
					a.Set(i, j, rng.NormFloat64())
				}
				if columns > 3 {
					a.Set(i, 3, a.At(i, 0)-2*a.At(i, 1))
				}
				b.Set(i, 0, 3*a.At(i, 0)-a.At(i, columns-1)+rng.NormFloat64())
			}
			r, right := triangle(a, b)
			var want, got model
			want.beta, got.beta = make([]float64, columns), make([]float64, columns)
			share := float64(rows) * 0x1p-52
			require.NoError(t, want.solve(a, b, share))
			require.NoError(t, got.solve(r, right, share))
			require.InDeltaSlice(t, want.beta, got.beta, 1e-12, "%d × %d", rows, columns)
			require.NotZero(t, got.beta[0])
			var squares, ofTriangle mat.Dense
			squares.Mul(a.T(), a)
			ofTriangle.Mul(r.T(), r)
			require.True(t, mat.EqualApprox(&squares, &ofTriangle, 1e-9))
		}
	}
}
