// Package discretize divides numeric attributes into intervals that tell the
// classes apart, as Weka's supervised filter Discretize does.
//
// The cut points come from Fayyad & Irani's recursive minimal entropy partitioning with their
// minimum description length criterion [1]. They are learned from training rows; applied to a
// table, they replace each numeric attribute by a nominal one. An attribute without cut points
// gets a single value. Missing values stay missing.
//
// [New] makes a classifier of any other that sees attributes so divided.
//
// [1] U. M. Fayyad & K. B. Irani, Multi-interval discretization of
// continuous-valued attributes for classification learning, IJCAI 1993,
// 1022-1027.
package discretize

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// ErrColumns is wrapped by the error about a table that does not have the
// columns from which the cut points were learned.
var ErrColumns = errors.New("other columns")

// A Discretizer holds the cut points of the numeric attributes of a table. It
// is immutable.
type Discretizer struct {
	cols  []dataset.Attribute // after the division
	cuts  [][]float64
	kinds []dataset.Kind // before the division
	class int
}

// Fit learns cut points from the given rows of t. Rows whose class is missing
// are left out; row weights count.
//
// The error wraps learner.ErrTraining if t has no nominal class with at least
// one declared value, if a row is out of range, or if no row has a known class.
func Fit(t *dataset.Table, rows []int) (*Discretizer, error) {
	known, err := trainset.Known(nil, t, rows)
	if err != nil {
		return nil, err
	}
	var tables entropy.Tables
	var finder entropy.CutFinder
	table := tables.Get(len(known))
	n := t.NumAttributes()
	d := &Discretizer{
		cols:  make([]dataset.Attribute, n),
		cuts:  make([][]float64, n),
		kinds: make([]dataset.Kind, n),
		class: t.ClassIndex(),
	}
	for j := n - 1; j >= 0; j-- { // Weka's order, see sort
		a := t.Attribute(j)
		d.kinds[j] = a.Kind
		if a.Kind == dataset.Numeric {
			sort(known, t.Numbers(j))
			d.cuts[j] = finder.Cuts(nil, values(t, j, known), table)
			a = dataset.Attribute{Name: a.Name, Kind: dataset.Nominal, Values: labels(d.cuts[j])}
		}
		d.cols[j] = a
	}
	return d, nil
}

// sort sorts rows by the numbers x, missing ones last. Rows of equal numbers
// get the order that they have in Weka, which sorts by the last column first
// and goes on from the order that results. It matters if weights are fractions.
func sort(rows []int32, x []float64) {
	known := make([]float64, len(rows))
	for i, r := range rows {
		known[i] = x[r]
	}
	distinct := trainset.Distinct(nil, known)
	keys := make([]uint64, len(rows))
	for i, r := range rows {
		keys[i] = uint64(trainset.RankOf(distinct, x[r]))<<32 | uint64(r)
	}
	weka.Sort(keys)
	for i, k := range keys {
		rows[i] = int32(uint32(k))
	}
}

// values returns the known values of a column by which rows are sorted.
func values(t *dataset.Table, j int, rows []int32) entropy.Values {
	x, class := t.Numbers(j), t.Codes(t.ClassIndex())
	v := entropy.Values{Classes: t.NumClasses()}
	for _, r := range rows {
		if math.IsNaN(x[r]) {
			break
		}
		v.X = append(v.X, x[r])
		v.Class = append(v.Class, class[r])
		if t.Weights() != nil {
			v.Weight = append(v.Weight, t.Weights()[r])
		}
	}
	return v
}

// labels names the intervals as Weka does, with cut points rounded to six
// decimals, or in full if they are not told apart by them.
func labels(cuts []float64) []string {
	if len(cuts) == 0 {
		return []string{"'All'"}
	}
	format := weka.Decimals
	for i := 1; i < len(cuts); i++ {
		if format(cuts[i-1]) == format(cuts[i]) {
			format = func(x float64) string { return fmt.Sprint(x) }
		}
	}
	var s []string
	low := "'(-inf"
	for _, c := range cuts {
		s = append(s, low+"-"+format(c)+"]'")
		low = "'(" + format(c)
	}
	return append(s, low+"-inf)'")
}

// Cuts returns the cut points of column j in ascending order. It is empty if
// there are none or if the column is nominal. The result must not be modified.
func (d *Discretizer) Cuts(j int) []float64 { return d.cuts[j] }

// Bin returns the interval of numeric column j in which x lies, counted from
// 0: the first one whose upper end is not below x. It is -1 if x is NaN.
func (d *Discretizer) Bin(j int, x float64) int {
	if math.IsNaN(x) {
		return -1
	}
	k, _ := slices.BinarySearch(d.cuts[j], x)
	return k
}

// Apply returns t with its numeric columns replaced by nominal ones. The error
// wraps [ErrColumns] and names the first column that differs in kind from that
// from which the cut points were learned.
func (d *Discretizer) Apply(t *dataset.Table) (*dataset.Table, error) {
	if t.NumAttributes() != len(d.kinds) || t.ClassIndex() != d.class {
		return nil, fmt.Errorf("%w: table %q has %d columns, the class at %d; the cut points are for %d columns, the class at %d",
			ErrColumns, t.Name(), t.NumAttributes(), t.ClassIndex(), len(d.kinds), d.class)
	}
	cols := make([]dataset.Column, len(d.cols))
	for j, a := range d.cols {
		if k := t.Attribute(j).Kind; k != d.kinds[j] {
			return nil, fmt.Errorf("%w: column %d (%s) of table %q is %v, the cut points are for a %v one",
				ErrColumns, j, t.Attribute(j).Name, t.Name(), k, d.kinds[j])
		}
		cols[j] = dataset.Column{Attribute: a, Codes: t.Codes(j)}
		if d.kinds[j] == dataset.Nominal {
			cols[j].Attribute = t.Attribute(j)
			continue
		}
		codes := make([]int32, t.Len())
		for i, x := range t.Numbers(j) {
			codes[i] = int32(d.Bin(j, x))
		}
		cols[j].Codes = codes
	}
	return dataset.New(t.Name(), cols, d.class, t.Weights())
}
