package linear

// A Row is a row of numbers, most of which are zero beyond the first ones.
type Row struct {
	numbers []float64
	ones    []int32 // columns of ones, or none
}

// Dot returns the inner product of the row with w.
func (r Row) Dot(w []float64) float64 {
	x := r.numbers
	y := w[:len(x)]
	var a, b, c, d float64
	for len(x) >= 4 && len(y) >= 4 {
		a += float64(x[0] * y[0])
		b += float64(x[1] * y[1])
		c += float64(x[2] * y[2])
		d += float64(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for j, v := range x {
		a += float64(v * y[j])
	}
	sum := (a + b) + (c + d)
	for _, j := range r.ones {
		if j != none {
			sum += w[j]
		}
	}
	return sum
}

// AddTo adds a times the row to w.
func (r Row) AddTo(w []float64, a float64) {
	y := w[:len(r.numbers)]
	for j, v := range r.numbers {
		y[j] += float64(a * v)
	}
	for _, j := range r.ones {
		if j != none {
			w[j] += a
		}
	}
}

// AddSquaresTo adds a times the squares of the row to w.
func (r Row) AddSquaresTo(w []float64, a float64) {
	y := w[:len(r.numbers)]
	for j, v := range r.numbers {
		y[j] += float64(a * float64(v*v))
	}
	for _, j := range r.ones {
		if j != none {
			w[j] += a
		}
	}
}

// Apply adds the product of the row with a matrix, of which it takes a row of len(z) numbers for
// each of its columns, to z.
func (r Row) Apply(z, matrix []float64) {
	n := len(z)
	if n == 1 {
		z[0] += r.Dot(matrix)
		return
	}
	x := r.numbers
	for len(x) >= 4 {
		a, b, c, d := matrix[:n], matrix[n:][:n], matrix[2*n:][:n], matrix[3*n:][:n]
		for k := range z {
			z[k] += (float64(x[0]*a[k]) + float64(x[1]*b[k])) + (float64(x[2]*c[k]) + float64(x[3]*d[k]))
		}
		x, matrix = x[4:], matrix[4*n:]
	}
	for _, v := range x {
		for k, w := range matrix[:n] {
			z[k] += float64(v * w)
		}
		matrix = matrix[n:]
	}
	for _, j := range r.ones {
		if j == none {
			continue
		}
		for k, w := range matrix[(int(j)-len(r.numbers))*n:][:n] {
			z[k] += w
		}
	}
}

// AddOuter adds the outer product of the row and a to a matrix, as [Row.Apply] has it.
func (r Row) AddOuter(matrix, a []float64) {
	n := len(a)
	for j, v := range r.numbers {
		w := matrix[j*n:][:n]
		for k, u := range a {
			w[k] += float64(v * u)
		}
	}
	for _, j := range r.ones {
		if j == none {
			continue
		}
		w := matrix[int(j)*n:][:n]
		for k, u := range a {
			w[k] += u
		}
	}
}

// AddOuterSquares adds the outer product of the squares of the row and a to a matrix.
func (r Row) AddOuterSquares(matrix, a []float64) {
	n := len(a)
	for j, v := range r.numbers {
		w := matrix[j*n:][:n]
		for k, u := range a {
			w[k] += float64(float64(v*v) * u)
		}
	}
	Row{ones: r.ones}.AddOuter(matrix, a)
}
