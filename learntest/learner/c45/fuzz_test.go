package c45

import (
	"errors"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// FuzzFit trains on tables made of arbitrary bytes.
func FuzzFit(f *testing.F) {
	f.Add([]byte("\x03\x02\x00abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"), uint8(0))
	f.Add([]byte("\x12\x03\x01\x80\x01\xff\x00\x80\x01\x02\xff\x00\x00\x07\x07\x06\x05\x04\x03\x02\x01\x00"), uint8(5))
	f.Add([]byte("\x01\x01\x02\x00\x00\x00\x00\x00\x00\x00\x00"), uint8(9))
	f.Fuzz(func(t *testing.T, data []byte, options uint8) {
		table := tableOf(data)
		if table == nil {
			t.Skip()
		}
		cfg := Config{
			MinLeaf:    int(options >> 6),
			Pruning:    Pruning(options % 3),
			NoCollapse: options&16 != 0,
			Laplace:    options&32 != 0,
		}
		var rows []int
		for i := range table.Len() {
			if (i+int(options))%4 != 0 {
				rows = append(rows, i)
			}
		}
		m, err := New(cfg).Fit(table, rows, uint64(options))
		if errors.Is(err, learner.ErrTraining) {
			t.Skip()
		}
		if err != nil {
			t.Fatal(err)
		}
		tree := m.(*Model)
		if tree.Leaves() < 1 || tree.Leaves() > tree.Size() {
			t.Errorf("%d leaves of %d nodes", tree.Leaves(), tree.Size())
		}
		if tree.String() == "" {
			t.Error("nothing is printed")
		}
		dist := make([]float64, table.NumClasses())
		for i := range table.Len() {
			m.Distribution(table, i, dist)
			sum := 0.0
			for _, p := range dist {
				if !(p >= 0) {
					t.Fatalf("row %d: %v", i, dist)
				}
				sum += p
			}
			// Branches with less than 1e-6 of the weight count for nothing, as in
			// Weka.
			if math.Abs(sum-1) > 1e-5 {
				t.Fatalf("row %d: %v sums to %v", i, dist, sum)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// tableOf makes a table of bytes: the numbers of attributes and classes, the
// kind of weights, and values, row by row. It returns nil if there is no row.
func tableOf(data []byte) *dataset.Table {
	if len(data) < 3 {
		return nil
	}
	attributes, classes := int(data[0]%20), int32(data[1]%5)+1
	weighted := data[2]%2 == 1
	data = data[3:]
	n := min(len(data)/(attributes+1), 100)
	if n == 0 {
		return nil
	}
	names := []string{"a", "b", "c", "d", "e", "f", "g"}
	cols := make([]dataset.Column, attributes+1)
	for j := range cols {
		cols[j].Name = string(rune('A' + j))
		switch {
		case j == attributes:
			cols[j].Kind, cols[j].Values = dataset.Nominal, names[:classes]
		case j%3 != 0:
			cols[j].Kind, cols[j].Values = dataset.Nominal, names[:j%len(names)]
		}
	}
	var weights []float64
	for i := range n {
		row := data[i*(attributes+1):]
		for j := range cols {
			c := &cols[j]
			b := row[j]
			switch {
			case c.Kind == dataset.Nominal:
				c.Codes = append(c.Codes, int32(b)%int32(len(c.Values)+1)-1)
			case b%16 == 15:
				c.Numbers = append(c.Numbers, math.NaN())
			case b%16 == 14:
				c.Numbers = append(c.Numbers, math.MaxFloat64*(float64(b>>4)/8-1))
			case b%16 == 13:
				c.Numbers = append(c.Numbers, float64(b>>4)*4e-7)
			default:
				c.Numbers = append(c.Numbers, float64(int8(b)))
			}
		}
		if weighted {
			weights = append(weights, math.Ldexp(1, int(row[0]%40)-36))
		}
	}
	t, err := dataset.New("fuzz", cols, attributes, weights)
	if err != nil {
		return nil
	}
	return t
}
