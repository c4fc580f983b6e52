package learnercheck

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// programRows is the number of rows of each table that programs are sent.
const programRows = 30

// plain returns a table of two numbers that say something of the target: three
// classes, or a number if the program predicts no classes.
func (p *program) plain(name string) *dataset.Table {
	if p.can.Classes {
		return classTable(name)
	}
	return numberTable(name)
}

// turned returns the plain table with the values of its numbers moved by some rows a
// turn.
func (p *program) turned(name string, turn int) *dataset.Table {
	return changed(p.plain(name), name, nil, func(c *dataset.Column) {
		numbers := slices.Clone(c.Numbers)
		for i := range c.Numbers {
			c.Numbers[i] = numbers[(i+7*turn)%programRows]
		}
	})
}

// named returns a table with names that are hard to write and to read.
func (p *program) named() *dataset.Table {
	return changed(p.plain(""), "a table: {\"odd\"} [names], 100%\n", nil, func(c *dataset.Column) {
		c.Name = map[string]string{"first": "if (a) b$c", "second": "λ, \"x\"\t\\n"}[c.Name] + c.Name
		if c.Values != nil {
			c.Values = []string{"it's", "a \"b\" \\ c", "naïve 数 ½"}
		}
	})
}

func (p *program) numeric() *dataset.Table { return numberTable("numbers") }

func (p *program) nominal() *dataset.Table {
	return changed(p.plain(""), "nominal", nil, nil, nominalColumn("colour", "red", "green",
		"blue", "never"))
}

func (p *program) missing() *dataset.Table {
	return changed(p.plain(""), "missing", nil, nil, numberColumn("gaps", func(i int) float64 {
		if i%5 == 0 {
			return math.NaN()
		}
		return second(i)
	}))
}

func (p *program) weighted() *dataset.Table {
	return changed(p.plain(""), "weights",
		numberColumn("", func(i int) float64 { return 0.5 + float64(i%4) }).Numbers, nil)
}

// changed returns a table with other columns and others in front.
func changed(t *dataset.Table, name string, weights []float64, change func(c *dataset.Column),
	more ...dataset.Column,
) *dataset.Table {
	cols := slices.Clone(more)
	for j := range t.NumAttributes() {
		c := dataset.Column{
			Attribute: t.Attribute(j), Numbers: slices.Clone(t.Numbers(j)),
			Codes: t.Codes(j),
		}
		if change != nil {
			change(&c)
		}
		cols = append(cols, c)
	}
	return must(dataset.New(name, cols, t.ClassIndex()+len(more), weights))
}

func numberColumn(name string, f func(i int) float64) dataset.Column {
	c := dataset.Column{Attribute: dataset.Attribute{Name: name}}
	for i := range programRows {
		c.Numbers = append(c.Numbers, f(i))
	}
	return c
}

// nominalColumn has three of the values, one after another.
func nominalColumn(name string, values ...string) dataset.Column {
	c := dataset.Column{Attribute: dataset.Attribute{
		Name: name, Kind: dataset.Nominal,
		Values: values,
	}}
	for i := range programRows {
		c.Codes = append(c.Codes, int32(i%3))
	}
	return c
}

// first and second are numbers with many digits and without ties.
func first(i int) float64  { return float64(i%3) + math.Sqrt(float64(i+2))/10 }
func second(i int) float64 { return float64(i*i%17) / 3 }

func classTable(name string) *dataset.Table {
	return must(dataset.New(name, []dataset.Column{
		numberColumn("first", first), numberColumn("second", second), nominalColumn("class", "low",
			"middle", "high"),
	}, 2, nil))
}

func numberTable(name string) *dataset.Table {
	target := numberColumn("target", func(i int) float64 { return 2*first(i) + second(i)/10 })
	return must(dataset.New(name, []dataset.Column{
		numberColumn("first", first), target,
		numberColumn("second", second),
	}, 1, nil))
}
