package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

var nan = math.NaN()

// dense returns a row as numbers in all columns.
func dense(d *Design, r Row) []float64 {
	out := make([]float64, d.Columns)
	r.AddTo(out, 1)
	return out
}

func mixed(t fixture.T) *dataset.Table {
	return fixture.Table(t, nil,
		fixture.Numeric("x", 1, 3, 5, nan, 9),
		fixture.Nominal("v", []string{"a", "b", "c"}, 2, 0, 2, 0, 1),
		fixture.Numeric("same", 7, 7, 7, 7, 8),
		fixture.Nominal("w", []string{"a", "b"}, 1, -1, 1, 1, 0),
		fixture.Numeric("late", 0, 2, 0, 2, nan),
		fixture.Nominal("class", []string{"a"}, 0, 0, 0, 0, 0),
	)
}

func TestDesignOfMixedAttributes(t *testing.T) {
	t.Parallel()
	table := mixed(t)
	var d Design
	for range 2 { // memory is used again
		require.NoError(t, d.Train(table, []int32{0, 1, 2, 3}, "test"))
		require.Equal(t, 8, d.Columns)
		root := math.Sqrt(1.5) // numbers: x, same, late; then x missing, v=c, v=a, w=b, w missing
		for i, want := range [][]float64{
			{-root, 0, -1, 0, 1, 0, 1, 0},
			{0, 0, 1, 0, 0, 1, 0, 1},
			{root, 0, -1, 0, 1, 0, 1, 0},
			{0, 0, 1, 1, 0, 1, 1, 0},
		} {
			assert.InDeltaSlice(t, want, dense(&d, d.Row(i)), 1e-15, "row %d", i)
			assert.Equal(t, dense(&d, d.Row(i)), dense(&d, d.Encode(table, i, "test")))
		}
		// The values b of v and a of w and the lack of late are new.
		assert.InDeltaSlice(t, []float64{3 * root, 1, 0, 0, 0, 0, 0, 0},
			dense(&d, d.Encode(table, 4, "test")), 1e-15)
	}
}

func TestDesignOfExtremes(t *testing.T) {
	t.Parallel()
	var d Design
	train := func(x ...float64) error {
		return d.Train(fixture.Table(t, nil, fixture.Numeric("x", x...),
			fixture.Nominal("class", []string{"a"}, make([]int32, len(x))...)), []int32{0, 1, 2}, "test")
	}
	require.ErrorContains(t, train(-1e308, 0, 1e308), `attribute "x": its numbers are too large`)
	require.NoError(t, train(1e308, 1e308, 1e308))
	require.NoError(t, train(nan, nan, nan, 4))
	require.Equal(t, 2, d.Columns)
	require.Equal(t, []float64{0, 1}, dense(&d, d.Row(1)))
	require.Equal(t, []float64{4, 0}, dense(&d, d.Encode(d.table, 3, "test")))
	// Timestamps that differ by nanoseconds.
	require.NoError(t, train(1.7e18, 1.7e18+256, 1.7e18+512))
	require.InDeltaSlice(t, []float64{-math.Sqrt(1.5), 0, math.Sqrt(1.5)},
		[]float64{dense(&d, d.Row(0))[0], dense(&d, d.Row(1))[0], dense(&d, d.Row(2))[0]}, 1e-12)
	// Subnormal numbers, and one at the other end of all numbers.
	require.NoError(t, train(0, 5e-324, 1e-323, 1e308))
	require.Equal(t, []float64{farthest}, dense(&d, d.Encode(d.table, 3, "test")))
	d.Release()
	require.Nil(t, d.table)
}

func TestDesignOfAnotherTable(t *testing.T) {
	t.Parallel()
	var d Design
	require.NoError(t, d.Train(mixed(t), []int32{0, 1}, "test"))
	require.PanicsWithValue(t, `test: attribute 0 (v) of table "toy" is not that trained on (x)`,
		func() {
			d.Encode(fixture.Table(t, nil, fixture.Nominal("v", []string{"a"}, 0),
				fixture.Nominal("class", []string{"a"}, 0)), 0, "test")
		})
}

func TestRowsAreVectors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 11).Draw(t, "numbers")
		number := rapid.Float64Range(-9, 9)
		r := Row{numbers: rapid.SliceOfN(number, n, n).Draw(t, "row")}
		w := rapid.SliceOfN(number, n+3, n+3).Draw(t, "weights")
		r.ones = []int32{int32(n) + 2, none, int32(n)}
		columns := append(append([]float64(nil), r.numbers...), 1, 0, 1)
		want := 0.0
		got, squares := append([]float64(nil), w...), append([]float64(nil), w...)
		r.AddTo(got, 2.5)
		r.AddSquaresTo(squares, 2.5)
		for j, x := range columns {
			want += x * w[j]
			assert.InDelta(t, w[j]+2.5*x, got[j], 1e-12)
			assert.InDelta(t, w[j]+2.5*x*x, squares[j], 1e-12)
		}
		assert.InDelta(t, want, r.Dot(w), 1e-11)

		// A matrix of k numbers a column is k vectors.
		k := rapid.IntRange(1, 5).Draw(t, "classes")
		matrix := rapid.SliceOfN(number, k*len(columns), k*len(columns)).Draw(t, "matrix")
		z := rapid.SliceOfN(number, k, k).Draw(t, "z")
		product, outer, squared := append([]float64(nil), z...), append([]float64(nil), matrix...),
			append([]float64(nil), matrix...)
		r.Apply(product, matrix)
		r.AddOuter(outer, z)
		r.AddOuterSquares(squared, z)
		for c := range k {
			want := z[c]
			for j, x := range columns {
				want += x * matrix[j*k+c]
				assert.InDelta(t, matrix[j*k+c]+x*z[c], outer[j*k+c], 1e-11)
				assert.InDelta(t, matrix[j*k+c]+x*x*z[c], squared[j*k+c], 1e-10)
			}
			assert.InDelta(t, want, product[c], 1e-10)
		}
	})
}

// Blocks of rows give the same bits as one row after another.
func TestBlocksAreRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 3, 4, 7, 256, 259, 515}).Draw(t, "rows")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		x, y, rows := make([]float64, n), make([]float64, n), make([]int32, n)
		codes := make([]int32, n)
		for i := range x {
			x[i], y[i], codes[i] = rng.NormFloat64(), rng.NormFloat64(), rng.Int32N(3)-1
			rows[i] = int32(n - 1 - i)
		}
		columns := []dataset.Column{fixture.Numeric("x", x...), fixture.Numeric("y", y...)}
		if rapid.Bool().Draw(t, "nominal") {
			columns = append(columns, fixture.Nominal("v", []string{"a", "b"}, codes...))
		}
		table := fixture.Table(t, nil, append(columns,
			fixture.Nominal("class", []string{"a"}, make([]int32, n)...))...)
		var d Design
		require.NoError(t, d.Train(table, rows, "test"))
		v := make([]float64, d.Columns)
		for j := range v {
			v[j] = rng.NormFloat64()
		}
		got, want := slices.Clone(v), slices.Clone(v)
		squares, wantSquares := slices.Clone(v), slices.Clone(v)
		gram, wantGram := make([]float64, d.Columns*d.Columns), make([]float64, d.Columns*d.Columns)
		seen := 0
		d.Blocks(func(first int, z []float64) {
			require.Equal(t, seen, first)
			seen += len(z)
			d.Dots(z, first, v)
			d.AddRows(got, first, z)
			d.AddSquares(squares, first, z)
			for i, product := range z {
				r := d.Row(first + i)
				require.Equal(t, r.Dot(v), product)
				Row{numbers: r.numbers}.AddTo(want, product)
				Row{numbers: r.numbers}.AddSquaresTo(wantSquares, product)
				for j, x := range r.numbers {
					for k, y := range r.numbers[:j+1] {
						wantGram[j*d.Columns+k] += product * x * y
					}
				}
			}
			if d.HasFewNumbers() {
				d.AddGram(gram, d.Columns, first, z)
			} else {
				copy(gram, wantGram)
			}
			for i, product := range z {
				Row{ones: d.Row(first + i).ones}.AddTo(want, product)
				Row{ones: d.Row(first + i).ones}.AddTo(wantSquares, product)
			}
		})
		require.Equal(t, n, seen)
		require.Equal(t, want, got)
		require.Equal(t, wantSquares, squares)
		require.InDeltaSlice(t, wantGram, gram, 1e-10*float64(n))
	})
}

// The matrix is BᵀB + I for random B.
func TestSolve(t *testing.T) {
	t.Parallel()
	var s Solver
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "size")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n), 1, 9).Draw(t, "rows")
		b := rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n).Draw(t, "b")
		apply := func(dst, v []float64) {
			copy(dst, v)
			for _, r := range rows {
				Row{numbers: r}.AddTo(dst, Dot(r, v))
			}
		}
		diagonal := make([]float64, n)
		for j := range diagonal {
			diagonal[j] = 1
			for _, r := range rows {
				diagonal[j] += r[j] * r[j]
			}
		}
		x, image := make([]float64, n), make([]float64, n)
		if !s.Solve(x, apply, ByDiagonal(diagonal), b, 1e-13, 20*n+100) {
			t.Fatal("not solved")
		}
		apply(image, x)
		assert.InDeltaSlice(t, b, image, 1e-9)
	})
}

func TestFactor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "size")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n), 1, 9).Draw(t, "rows")
		want := rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n).Draw(t, "solution")
		a, b := make([]float64, n*n), make([]float64, n)
		for i := range n {
			for j := range n {
				a[i*n+j] = nan // of which only the lower triangle is taken
				sum := 0.0
				if i == j {
					sum = 1
				}
				for _, r := range rows {
					sum += r[i] * r[j]
				}
				if j <= i {
					a[i*n+j] = sum
				}
				b[i] += sum * want[j]
			}
		}
		if !Factor(a, n) {
			t.Fatal("not positive definite")
		}
		SolveFactored(a, b)
		assert.InDeltaSlice(t, want, b, 1e-9)
	})
	require.False(t, Factor([]float64{1, nan, 2, 4}, 2), "singular")
	require.False(t, Factor([]float64{-1}, 1))
	require.False(t, Factor([]float64{nan}, 1))
}

func TestSolveSaysThatItHasNot(t *testing.T) {
	t.Parallel()
	var s Solver
	x := []float64{5, 5}
	scaled := func(a, b float64) func(dst, v []float64) {
		return func(dst, v []float64) { dst[0], dst[1] = a*v[0], b*v[1] }
	}
	require.False(t, s.Solve(x, scaled(1, 1e8), ByDiagonal([]float64{1, 1}), []float64{1, 1}, 1e-12, 1),
		"too few steps")
	require.True(t, s.Solve(x, scaled(1, 1e8), ByDiagonal([]float64{1, 1}), []float64{1, 1}, 1e-12, 9))
	require.InDeltaSlice(t, []float64{1, 1e-8}, x, 1e-12)
	require.False(t, s.Solve(x, scaled(0, 0), ByDiagonal([]float64{1, 1}), []float64{1, 0}, 1e-12, 9),
		"no solution")
	require.False(t, s.Solve(x, scaled(nan, 1), ByDiagonal([]float64{1, 1}), []float64{1, 0}, 1e-12, 9))
	require.True(t, s.Solve(x, scaled(1, 1), ByDiagonal([]float64{1, 1}), []float64{0, 0}, 1e-12, 9))
	require.Equal(t, []float64{0, 0}, x)
}

func TestLargest(t *testing.T) {
	t.Parallel()
	require.Equal(t, 3.0, Largest([]float64{1, -3, 2}))
	require.Equal(t, 0.0, Largest(nil))
	require.Equal(t, math.Inf(1), Largest([]float64{1, nan, 2}))
}
