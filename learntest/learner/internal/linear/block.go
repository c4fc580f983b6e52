package linear

// block is the number of rows that Blocks takes at a time.
const block = 256

// Blocks calls f for each block of training rows, with the index of its first row and memory for a
// number of each of its rows.
func (d *Design) Blocks(f func(first int, z []float64)) {
	var z [block]float64
	for first := 0; first < d.rows; first += block {
		f(first, z[:min(block, d.rows-first)])
	}
}

// Dots sets z to the inner products of v with as many training rows, from the first one on.
func (d *Design) Dots(z []float64, first int, v []float64) {
	for i := range z {
		z[i] = d.Row(first + i).Dot(v)
	}
}

// AddRows adds a[0] times the first row, a[1] times the next one, and so on to dst: each sum in the
// order of the rows.
func (d *Design) AddRows(dst []float64, first int, a []float64) {
	y := dst[:d.dense]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, r, s, t := d.four(first+i, len(y))
		b, c, e, f := a[i], a[i+1], a[i+2], a[i+3]
		for j, v := range y {
			v += float64(b * x[j])
			v += float64(c * r[j])
			v += float64(e * s[j])
			y[j] = v + float64(f*t[j])
		}
	}
	d.addRest(dst, first, a, i, Row.AddTo)
}

// AddSquares adds multiples of the squares of training rows to dst, as AddRows does of the rows.
func (d *Design) AddSquares(dst []float64, first int, a []float64) {
	y := dst[:d.dense]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, r, s, t := d.four(first+i, len(y))
		b, c, e, f := a[i], a[i+1], a[i+2], a[i+3]
		for j, v := range y {
			v += float64(b * float64(x[j]*x[j]))
			v += float64(c * float64(r[j]*r[j]))
			v += float64(e * float64(s[j]*s[j]))
			y[j] = v + float64(f*float64(t[j]*t[j]))
		}
	}
	d.addRest(dst, first, a, i, Row.AddSquaresTo)
}

// AddOuters adds the outer products of training rows, from the first one on, each with n numbers of
// a, to a matrix that has n numbers a column: each sum in the order of the rows.
func (d *Design) AddOuters(matrix []float64, first int, a []float64, n int) {
	rows, i := len(a)/n, 0
	for ; i+4 <= rows; i += 4 {
		x, r, s, t := d.four(first+i, d.dense)
		own := a[i*n:][:4*n]
		b, c, e, f := own[:n], own[n:][:n], own[2*n:][:n], own[3*n:][:n]
		for j := range x {
			y := matrix[j*n:][:n]
			b, c, e, f := b[:len(y)], c[:len(y)], e[:len(y)], f[:len(y)]
			p, q, u, v := x[j], r[j], s[j], t[j]
			for k, w := range y {
				w += float64(p * b[k])
				w += float64(q * c[k])
				w += float64(u * e[k])
				y[k] = w + float64(v*f[k])
			}
		}
		if d.slots > 0 {
			for k := range 4 {
				Row{ones: d.Row(first + i + k).ones}.AddOuter(matrix, a[(i+k)*n:][:n])
			}
		}
	}
	for ; i < rows; i++ {
		d.Row(first+i).AddOuter(matrix, a[i*n:][:n])
	}
}

// four returns the numbers of four training rows.
func (d *Design) four(first, n int) (a, b, c, e []float64) {
	x := d.numbers[first*n:][:4*n]
	return x[:n], x[n:][:n], x[2*n:][:n], x[3*n:][:n]
}

// addRest adds the columns of ones, which AddRows leaves out, and whole rows from index done on.
func (d *Design) addRest(dst []float64, first int, a []float64, done int,
	add func(Row, []float64, float64),
) {
	if d.slots > 0 {
		for i := range done {
			Row{ones: d.Row(first + i).ones}.AddTo(dst, a[i])
		}
	}
	for i := done; i < len(a); i++ {
		add(d.Row(first+i), dst, a[i])
	}
}

// few is the number of columns up to which their products are worth a pass over the rows.
const few = 64

// HasFewNumbers reports whether rows are numbers only, without columns of zeros and ones, and so few
// that it pays to sum their products by AddGram.
func (d *Design) HasFewNumbers() bool { return d.slots == 0 && d.dense <= few }

// AddGram adds a[0] times the outer product of the first row with itself, and so on, to the lower
// triangle of a square matrix, whose rows are the given number of places apart. Rows of the design
// must be of numbers only.
func (d *Design) AddGram(dst []float64, apart, first int, a []float64) {
	n := d.dense
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, r, s, t := d.four(first+i, n)
		for j := range n {
			b, c := float64(a[i]*x[j]), float64(a[i+1]*r[j])
			e, f := float64(a[i+2]*s[j]), float64(a[i+3]*t[j])
			y := dst[j*apart:][:j+1]
			x, r, s, t := x[:len(y)], r[:len(y)], s[:len(y)], t[:len(y)]
			for k, v := range y {
				y[k] = v + ((float64(b*x[k]) + float64(c*r[k])) + (float64(e*s[k]) + float64(f*t[k])))
			}
		}
	}
	for ; i < len(a); i++ {
		x := d.Row(first + i).numbers
		for j, v := range x {
			Row{numbers: x[:j+1]}.AddTo(dst[j*apart:], float64(a[i]*v))
		}
	}
}
