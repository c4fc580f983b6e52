package dataset

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// mixed returns a table with a number, a colour and a numeric target between
// them; the number and the colour of the last row are missing.
func mixed(t require.TestingT) *Table {
	return mustNew(t, []Column{
		numeric("size", 1, 3, 8, math.NaN()),
		numeric("y", 10, 20, 30, 40),
		nominal("colour", []string{"red", "green", "blue"}, 2, 0, 2, -1),
	}, 1, nil)
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	// Over rows 0, 1 and 1 the size has the mean 7/3 and the deviation √(8/9).
	a, b, c := (1-7./3)/math.Sqrt(8./9), (3-7./3)/math.Sqrt(8./9), (8-7./3)/math.Sqrt(8./9)
	for name, test := range map[string]struct {
		encoding Encoding
		names    []string
		rows     []int
		want     [][]float64
	}{
		"one-hot": {
			Encoding{OneHot: true},
			[]string{"size", "colour=red", "colour=green", "colour=blue"},
			[]int{2, 0, 1, 0},
			[][]float64{{8, 0, 0, 1}, {1, 0, 0, 1}, {3, 1, 0, 0}, {1, 0, 0, 1}},
		},
		"NaN": {
			Encoding{OneHot: true, Missing: MissingNaN},
			[]string{"size", "colour=red", "colour=green", "colour=blue"},
			[]int{3, 1},
			[][]float64{{nan, nan, nan, nan}, {3, 1, 0, 0}},
		},
		"indicator": {
			Encoding{OneHot: true, Missing: MissingIndicator},
			[]string{"size", "size missing", "colour=red", "colour=green", "colour=blue", "colour missing"},
			[]int{0, 3},
			[][]float64{{1, 0, 0, 0, 1, 0}, {0, 1, 0, 0, 0, 1}},
		},
		"scaled": {
			Encoding{OneHot: true, Scale: true},
			[]string{"size", "colour=red", "colour=green", "colour=blue"},
			[]int{0, 1, 2},
			[][]float64{{a, 0, 0, 1}, {b, 1, 0, 0}, {c, 0, 0, 1}},
		},
		"scaled, indicator": {
			Encoding{OneHot: true, Scale: true, Missing: MissingIndicator},
			[]string{"size", "size missing", "colour=red", "colour=green", "colour=blue", "colour missing"},
			[]int{2, 3},
			[][]float64{{c, 0, 0, 0, 1, 0}, {0, 1, 0, 0, 0, 1}},
		},
		"scaled, NaN": {
			Encoding{OneHot: true, Scale: true, Missing: MissingNaN},
			[]string{"size", "colour=red", "colour=green", "colour=blue"},
			[]int{3, 2},
			[][]float64{{nan, nan, nan, nan}, {c, 0, 0, 1}},
		},
		"no rows": {
			Encoding{OneHot: true},
			[]string{"size", "colour=red", "colour=green", "colour=blue"},
			nil,
			[][]float64{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := mixed(t)
			train := []int{0, 1, 1}
			if test.encoding.Scale && test.encoding.Missing != MissingError {
				train = append(train, 3) // counts for nothing
			}
			e, err := test.encoding.Fit(table, train)
			require.NoError(t, err)
			require.Equal(t, test.names, e.Names())
			m, err := e.Matrix(table, test.rows)
			require.NoError(t, err)
			require.Equal(t, test.names, m.Names)
			require.Equal(t, len(test.rows), m.Rows)
			require.Equal(t, len(test.names), m.Cols)
			require.Len(t, m.Slices(), len(test.want))
			for i, row := range m.Slices() {
				require.NoError(t, floatcmp.Slices(row, test.want[i], 1e-15, 1e-15))
			}
			require.NoError(t, floatcmp.Slices(m.Data, slices.Concat(test.want...), 1e-15, 1e-15))
		})
	}
}

func TestRowsOfAMatrixDoNotGrowIntoOneAnother(t *testing.T) {
	t.Parallel()
	table := mustNew(t, []Column{
		numeric("a", 1, -0.5), nominal("c", []string{"p"}, 0, -1),
		numeric("b", 3, 4),
	}, 1, nil)
	e, err := Encoding{}.Fit(table, nil)
	require.NoError(t, err)
	m, err := e.Matrix(table, []int{0, 1})
	require.NoError(t, err)
	rows := m.Slices()
	require.Equal(t, [][]float64{{1, 3}, {-0.5, 4}}, rows)
	_ = append(rows[0], 9)
	require.Equal(t, -0.5, rows[1][0], "a row that grows must not write over the next one")

	_, err = Encoding{}.Fit(mixed(t), nil)
	require.ErrorIs(t, err, ErrEncoding)
	gap := mustNew(t, []Column{numeric("a", 1, math.NaN())}, -1, nil)
	e, err = Encoding{}.Fit(gap, nil)
	require.NoError(t, err)
	_, err = e.Matrix(gap, []int{0, 1})
	require.ErrorContains(t, err, `row 1: attribute "a": the value is missing`)
}

func TestEncodingErrors(t *testing.T) {
	t.Parallel()
	oneHot := Encoding{OneHot: true}
	scaled := Encoding{OneHot: true, Scale: true}
	indicator := Encoding{OneHot: true, Scale: true, Missing: MissingIndicator}
	huge := mustNew(t, []Column{numeric("x", 0, 2e-300, 1e300, -math.MaxFloat64, math.MaxFloat64)}, -1,
		nil)
	for name, c := range map[string]struct {
		encoding Encoding
		table    *Table
		train    []int
		row      int // -1 if Fit is to fail
		msg      string
	}{
		"nominal attribute": {
			Encoding{},
			mixed(t), nil, -1,
			`rows cannot be encoded as numbers: table "t": attribute "colour": it is nominal: set Encoding.OneHot, or leave it out with ReadOptions.Ignore`,
		},
		"missing number": {
			oneHot, mixed(t), nil, 3,
			`table "t": row 3: attribute "size": the value is missing: leave the row out, or choose MissingNaN or MissingIndicator`,
		},
		"missing value": {oneHot, mustNew(t, []Column{nominal("c", []string{"p"}, 0, -1)},
			-1, nil), nil, 1, `row 1: attribute "c": the value is missing`},
		"missing training value": {
			scaled, mixed(t),
			[]int{0, 3},
			-1,
			`attribute "size": row 3: the value is missing`,
		},
		"missing test value": {
			scaled, mixed(t),
			[]int{0, 1},
			3,
			`row 3: attribute "size": the value is missing`,
		},
		"nothing to scale by": {
			indicator, mixed(t),
			[]int{3, 3},
			-1,
			`attribute "size": no training row has a known value to scale by`,
		},
		"no training rows": {
			scaled, mixed(t), nil, -1,
			`attribute "size": no training row has a known value to scale by`,
		},
		"no such training row": {
			scaled, mixed(t),
			[]int{0, 4},
			-1,
			`train[1] is 4, the table has 4 rows`,
		},
		"negative training row": {
			scaled, mixed(t),
			[]int{-1},
			-1,
			`train[0] is -1, the table has 4 rows`,
		},
		"no such row":    {oneHot, mixed(t), nil, 4, `table "t" has 4 rows, no row 4`},
		"negative row":   {oneHot, mixed(t), nil, -2, `table "t" has 4 rows, no row -2`},
		"unknown choice": {Encoding{Missing: 3}, mixed(t), nil, -1, "unknown Missing(3)"},
		"nothing but the target": {
			oneHot, mustNew(t, []Column{numeric("y", 1)}, 0, nil), nil, -1,
			"no attribute but the one to be predicted",
		},
		"deviation too large": {
			scaled, huge,
			[]int{3, 4},
			-1,
			`attribute "x": its numbers are too large to be scaled`,
		},
		"too far from training rows": {
			scaled, huge,
			[]int{0, 1},
			2,
			`row 2: attribute "x": 1e+300 is too far from the training rows to be scaled`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := c.encoding.Fit(c.table, c.train)
			if c.row != -1 {
				require.NoError(t, err)
				_, err = e.Matrix(c.table, []int{0, c.row})
				prefix := []float64{7}
				got, rowErr := e.AppendRow(prefix, Row{c.table, c.row})
				require.Equal(t, err, rowErr)
				require.Equal(t, prefix, got)
			}
			require.ErrorIs(t, err, ErrEncoding)
			require.ErrorContains(t, err, c.msg)
		})
	}
}

func TestEncoderTakesRowsOfLikeTables(t *testing.T) {
	t.Parallel()
	e, err := Encoding{OneHot: true}.Fit(mixed(t), nil)
	require.NoError(t, err)
	like := mustNew(t, []Column{
		numeric("s", 5), numeric("z", 1),
		nominal("c", []string{"red", "green", "blue"}, 1),
	}, 1, nil)
	row, err := e.AppendRow([]float64{7}, Row{like, 0})
	require.NoError(t, err)
	require.Equal(t, []float64{7, 5, 0, 1, 0}, row)
	row, err = e.AppendRow(row[:0], mixed(t).Example(2)) // what the buffer held does not matter
	require.NoError(t, err)
	require.Equal(t, []float64{8, 0, 0, 1}, row)
	for msg, other := range map[string]*Table{
		"no table":                      nil,
		"has 2 attributes and predicts": mustNew(t, []Column{numeric("s", 5), numeric("z", 1)}, 1, nil),
		"has 3 attributes and predicts attribute 0, table \"t\" has 3 and predicts 1": mustNew(t,
			[]Column{numeric("s", 5), numeric("z", 1), nominal("c", []string{"red", "green", "blue"}, 1)}, 0,
			nil),
		`attribute 2 (c) of table "t" differs from its counterpart in table "t" (colour)`: mustNew(t,
			[]Column{numeric("s", 5), numeric("z", 1), nominal("c", []string{"red", "green"}, 1)}, 1, nil),
		`attribute 0 (s) of table "t" differs from its counterpart in table "t" (size)`: mustNew(t,
			[]Column{nominal("s", nil, -1), numeric("z", 1), nominal("c", []string{"red", "green", "blue"},
				1)}, 1, nil),
	} {
		_, err := e.AppendRow(nil, Row{other, 0})
		require.ErrorIs(t, err, ErrEncoding)
		require.ErrorContains(t, err, msg)
		_, err = e.Matrix(other, nil)
		require.ErrorContains(t, err, msg)
	}
}

func TestConstantAttributesAreOnlyCentred(t *testing.T) {
	t.Parallel()
	table := mustNew(t, []Column{numeric("x", 0.1, 0.1, 0.1, 2.1)}, -1, nil)
	e, err := Encoding{Scale: true}.Fit(table, []int{0, 1, 2})
	require.NoError(t, err)
	m, err := e.Matrix(table, []int{0, 1, 2, 3})
	require.NoError(t, err)
	require.Equal(t, []float64{0, 0, 0, 2}, m.Data)
}

// TestScaleIsPrecise takes numbers whose squares, or sums of squares, are out
// of range or lose all digits. Scaled, they are -1, 0 and 1 times √1.5.
func TestScaleIsPrecise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, step float64 }{
		{0, 1},
		{1e9, 1},
		{1e15, 1},
		{0, 1e-300},
		{0, 1e300},
		{-3e5, 1.0 / 64},
	} {
		table := mustNew(t, []Column{numeric("x", c.at+c.step, c.at-c.step, c.at)}, -1, nil)
		e, err := Encoding{Scale: true}.Fit(table, []int{0, 1, 2})
		require.NoError(t, err)
		m, err := e.Matrix(table, []int{1, 2, 0})
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices(m.Data, []float64{-math.Sqrt(1.5), 0, math.Sqrt(1.5)}, 1e-14,
			1e-14), "%v", c)
	}
}

// TestScaledTrainingRows checks that the training rows have mean 0 and
// deviation 1, and that the other rows have no influence on them.
func TestScaledTrainingRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		number := rapid.Float64Range(-100, 100)
		xs := rapid.SliceOfN(number, n, n).Draw(t, "xs")
		train := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 2*n).Draw(t, "train")
		table := mustNew(t, []Column{numeric("x", xs...)}, -1, nil)
		e, err := Encoding{Scale: true}.Fit(table, train)
		require.NoError(t, err)
		m, err := e.Matrix(table, train)
		require.NoError(t, err)
		sum, squares := 0.0, 0.0
		for _, x := range m.Data {
			sum += x
			squares += x * x
		}
		k := float64(len(train))
		require.InDelta(t, 0, sum/k, 1e-9)
		if slices.Min(m.Data) == slices.Max(m.Data) {
			require.Zero(t, squares)
		} else {
			require.InDelta(t, 1, squares/k, 1e-9)
		}

		other := slices.Clone(xs)
		for i := range other {
			if !slices.Contains(train, i) {
				other[i] = rapid.OneOf(number, rapid.Just(math.NaN())).Draw(t, "other")
			}
		}
		changed := mustNew(t, []Column{numeric("x", other...)}, -1, nil)
		e, err = Encoding{Scale: true}.Fit(changed, train)
		require.NoError(t, err)
		again, err := e.Matrix(changed, train)
		require.NoError(t, err)
		require.Equal(t, m, again)
	})
}

// TestEncodedRowsSayWhatTheTableSays decodes the rows of any table.
func TestEncodedRowsSayWhatTheTableSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t)
		e, err := Encoding{OneHot: true, Missing: MissingIndicator}.Fit(table, nil)
		if table.NumAttributes() == 1 && table.ClassIndex() == 0 {
			require.ErrorIs(t, err, ErrEncoding)
			return
		}
		require.NoError(t, err)
		before := digest(t, table)
		for i := range table.Len() {
			row, err := e.AppendRow(nil, table.Example(i))
			require.NoError(t, err)
			require.Len(t, row, len(e.Names()))
			for j := range table.NumAttributes() {
				if j == table.ClassIndex() {
					continue
				}
				width := 1
				if table.Attribute(j).Kind == Nominal {
					width = len(table.Attribute(j).Values)
				}
				values, indicator := row[:width], row[width]
				row = row[width+1:]
				require.Equal(t, table.Missing(i, j), indicator == 1)
				switch {
				case indicator == 1:
					require.Equal(t, make([]float64, width), values)
				case table.Attribute(j).Kind == Numeric:
					require.Equal(t, table.Numbers(j)[i], values[0])
				default:
					require.Equal(t, int(table.Codes(j)[i]), slices.Index(values, 1))
					require.Equal(t, width-1, len(slices.DeleteFunc(slices.Clone(values),
						func(x float64) bool { return x != 0 })))
				}
			}
			require.Empty(t, row)
		}
		again := mustNew(t, table.cols, table.class, table.weights) // which has not kept its digest
		if table.Groups() != nil {
			again = mustGroup(t, again, table.groupName, table.Groups()...)
		}
		require.Equal(t, before, digest(t, again))
	})
}

func TestEncoderConcurrently(t *testing.T) {
	t.Parallel()
	table := numbersTable(t, 50, 3)
	e, err := Encoding{Scale: true}.Fit(table, []int{1, 2, 3})
	require.NoError(t, err)
	want, err := e.Matrix(table, []int{4, 5})
	require.NoError(t, err)
	var wg sync.WaitGroup
	got := make([]Matrix, 4)
	for i := range got {
		wg.Go(func() { got[i], _ = e.Matrix(table, []int{4, 5}) })
	}
	wg.Wait()
	for _, m := range got {
		require.Equal(t, want, m)
	}
}
