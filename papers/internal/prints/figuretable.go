package prints

import "github.com/learnbench/learnbench/learntest/study"

// A figureTable holds figures of one paper's text against the print.
type figureTable struct {
	study.Table
	Print Table
	Part  string // of the paper
}

func NewFigureTable(title, file, part string, notes ...string) *figureTable {
	return &figureTable{study.Table{
		Title: title, Notes: notes, Columns: []string{"figure", "ours", "printed", "difference"},
	}, Open(file), part}
}

// Holds adds a figure that is printed.
func (t *figureTable) Holds(name string, x float64) {
	t.Add(append([]string{name}, Beside(x, t.Print.Figure("printed", t.Part+": "+name))...)...)
}

// Says adds a row whose printed figure is a text, not a number.
func (t *figureTable) Says(name, ours, printed string) { t.Add(name, ours, printed, "") }
