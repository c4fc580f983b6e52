// Package prints has the figures that papers print, digit by digit, for the tests and studies
// that reproduce them. Nothing here was measured by this module.
//
// README.md says which file is which table, and lists the known misprints.
package prints

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
)

//go:embed *.csv
var files embed.FS

// A Table is a printed table. The first columns name the rows.
type Table struct {
	Columns []string
	Rows    [][]string
	name    string
}

// Open returns the table in the file of the given name, without its extension. It panics
// if there is none: the names belong to this package.
func Open(name string) Table {
	f, err := files.Open(name + ".csv")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("%s: %v", name, err))
	}
	return Table{rows[0], rows[1:], name}
}

// Text returns the printed text in a column of the row that begins with the given cells. It
// panics if there is no such column or row.
func (t Table) Text(column string, row ...string) string {
	for j, name := range t.Columns {
		if name != column {
			continue
		}
		for _, cells := range t.Rows {
			if strings.Join(cells[:len(row)], "\n") == strings.Join(row, "\n") {
				return cells[j]
			}
		}
	}
	panic(fmt.Sprintf("%s has no figure %q of %q", t.name, column, row))
}

// Figure is [Table.Text] of a number. It panics if the cell is none.
func (t Table) Figure(column string, row ...string) Figure {
	return parse(t.Text(column, row...), t.name)
}

// Int is [Table.Figure] of a whole number.
func (t Table) Int(column string, row ...string) int { return int(t.Figure(column, row...).Value) }

// Scores returns the figures of the given columns, counted from the first after the names of
// the rows, or of all columns.
func (t Table) Scores(columns ...int) [][]float64 {
	scores := make([][]float64, len(t.Rows))
	for i, row := range t.Rows {
		if columns == nil {
			for j := range row[1:] {
				columns = append(columns, j)
			}
		}
		for _, j := range columns {
			scores[i] = append(scores[i], parse(row[1+j], t.name).Value)
		}
	}
	return scores
}

// A Figure is a printed number. A minus before a printed zero is kept in Text alone.
type Figure struct {
	Text     string
	Value    float64
	Decimals int
}

// Print returns the figure that is printed so.
func Print(text string) Figure { return parse(text, "a figure") }

func parse(text, where string) Figure {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", where, err))
	}
	_, decimals, _ := strings.Cut(text, ".")
	return Figure{text, x, len(decimals)}
}

// Rounds reports whether the number is printed like the figure, to its last digit. A number
// just between two figures, such as 0.5 of 0 and 1, is printed like either.
func (f Figure) Rounds(x float64) bool {
	return math.Abs(x-f.Value) <= 0.5*math.Pow(10, -float64(f.Decimals))*(1+1e-9)
}

// Rounding returns the standard error that the figure has because it is rounded.
func (f Figure) Rounding() float64 { return math.Pow(10, -float64(f.Decimals)) / math.Sqrt(12) }
