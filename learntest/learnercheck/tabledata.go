package learnercheck

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// loneRow is a row on which rules on tables do not train.
const loneRow = rowsOfTable - 3

// rowsOfTable is the number of rows of each table.
const rowsOfTable = 60

// manyTables returns small tables of many kinds that declare the given number of
// classes, which must be at least 2: numeric, nominal and mixed attributes,
// constants, missing values in attributes and in the class, weights, extreme
// numbers, a class value that never occurs. Every call returns equal tables.
func manyTables(classes int) []*dataset.Table {
	g := &generator{rng: rand.New(rand.NewPCG(1, 2)), classes: classes}
	return []*dataset.Table{
		g.table("mixed", nil, g.class(0, 0), g.numeric(0), g.nominal(3, 0), g.numeric(0),
			g.nominal(2, 0)),
		g.table("numeric", nil, g.class(0, 0), g.numeric(0), g.numeric(0), g.integer(), g.integer()),
		g.table("nominal", nil, g.class(0, 0), g.nominal(2, 0), g.nominal(2, 0), g.nominal(5, 0),
			g.nominal(300, 0)),
		g.table("missing", nil, g.class(0, 0), g.numeric(0.3), g.nominal(3, 0.3), g.numeric(0.1),
			g.numeric(1), g.nominal(2, 1)),
		g.table("unknown-class", nil, g.class(0, 0.2), g.numeric(0), g.nominal(3, 0.1), g.integer()),
		g.table("absent-class", nil, g.class(1, 0), g.numeric(0), g.nominal(3, 0)),
		g.table("constant", nil, g.class(0, 0), g.constant(0), g.constant(1e-3), g.nominal(1, 0),
			g.integer()),
		g.table("constants", nil, g.class(0, 0), g.constant(7), g.nominal(1, 0)),
		g.table("extreme", nil, g.class(0, 0), g.scaled(math.MaxFloat64), g.scaled(1e-310),
			g.scaled(1e9)),
		g.table("weights", g.weights(), g.class(0, 0), g.integer(), g.nominal(3, 0.1), g.numeric(0.1)),
		g.table("class-only", nil, g.class(0, 0)),
	}
}

// withClass returns a table with the same columns and another class, or none.
func withClass(t *dataset.Table, class int) *dataset.Table {
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)}
	}
	return must(dataset.New(t.Name(), cols, class, t.Weights()))
}

// A generator makes columns of random values, some of which depend on the
// class column made before.
type generator struct {
	rng     *rand.Rand
	classes int
	codes   []int32
}

// table names the columns and puts the class last but one, if there are others.
func (g *generator) table(name string, weights []float64, class dataset.Column,
	cols ...dataset.Column,
) *dataset.Table {
	at := max(len(cols)-1, 0)
	all := append([]dataset.Column{}, cols[:at]...)
	all = append(all, class)
	all = append(all, cols[at:]...)
	for j := range all {
		all[j].Name = fmt.Sprintf("a%d", j)
	}
	return must(dataset.New(name, all, at, weights))
}

// class makes the class column; the last absent values do not occur, but for one example if there
// were a single class otherwise.
func (g *generator) class(absent int, missing float64) dataset.Column {
	c := nominal(g.classes)
	g.codes = nil
	for i := range rowsOfTable {
		code := int32(i % (g.classes - absent))
		if i == loneRow && g.classes-absent == 1 {
			code = 1
		}
		g.codes = append(g.codes, code)
		if g.rng.Float64() < missing && i > 8 {
			code = -1
		}
		c.Codes = append(c.Codes, code)
	}
	return c
}

func (g *generator) numeric(missing float64) dataset.Column {
	var c dataset.Column
	for i := range rowsOfTable {
		x := g.rng.NormFloat64() + float64(g.codes[i])
		if g.rng.Float64() < missing {
			x = math.NaN()
		}
		c.Numbers = append(c.Numbers, x)
	}
	return c
}

func (g *generator) integer() dataset.Column {
	var c dataset.Column
	for i := range rowsOfTable {
		c.Numbers = append(c.Numbers, float64(g.rng.IntN(5))+float64(g.codes[i]))
	}
	return c
}

func (g *generator) constant(x float64) dataset.Column {
	var c dataset.Column
	for range rowsOfTable {
		c.Numbers = append(c.Numbers, x)
	}
	return c
}

func (g *generator) scaled(scale float64) dataset.Column {
	var c dataset.Column
	for range rowsOfTable {
		c.Numbers = append(c.Numbers, (2*g.rng.Float64()-1)*scale)
	}
	return c
}

func (g *generator) nominal(values int, missing float64) dataset.Column {
	c := nominal(values)
	for i := range rowsOfTable {
		code := int32(g.rng.IntN(values))
		if g.rng.IntN(2) == 0 {
			code = g.codes[i] % int32(values)
		}
		if g.rng.Float64() < missing {
			code = -1
		}
		c.Codes = append(c.Codes, code)
	}
	return c
}

func (g *generator) weights() []float64 {
	var w []float64
	for range rowsOfTable {
		w = append(w, 0.1+2*g.rng.Float64())
	}
	return w
}

// nominal returns an empty column with the given number of declared values.
func nominal(values int) dataset.Column {
	c := dataset.Column{Attribute: dataset.Attribute{Kind: dataset.Nominal}}
	for v := range values {
		c.Values = append(c.Values, fmt.Sprintf("v%d", v))
	}
	return c
}

// must returns t; the tables of this package are valid.
func must(t *dataset.Table, err error) *dataset.Table {
	if err != nil {
		panic(err)
	}
	return t
}
