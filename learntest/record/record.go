package record

import "fmt"

// A Trial is the outcome of training one learner on one fold of one run and
// testing it on the rest. Runs and folds are counted from 1.
type Trial struct {
	Data, Learner string
	Run, Fold     int
	TrainN, TestN int       // numbers of training and test examples
	Values        []float64 // one for each metric, in the order of Block.Units; empty if the trial failed
	FitSeconds    float64   // for training
	PredictSec    float64   // seconds for all test examples
	Err           string    // why the trial failed, as returned by [Cause]; else empty
	Pos           Pos       // where the trial was read, if it was
}

// Cell returns the place of the trial.
func (t *Trial) Cell() Cell {
	return Cell{t.Data, t.Learner, t.Run, t.Fold}
}

// A Cell is the place of a trial: what is trained on what.
type Cell struct {
	Data, Learner string
	Run, Fold     int
}

// String returns the cell in words.
func (c Cell) String() string {
	return fmt.Sprintf("data set %s, learner %s, run %d, fold %d", c.Data, c.Learner, c.Run, c.Fold)
}

// Name returns the cell as it is in the name of a trial, data=D/learner=L/run=R/fold=F, in
// which names are escaped.
func (c Cell) Name() string {
	return fmt.Sprintf("data=%s/learner=%s/run=%d/fold=%d", EscapeName(c.Data), EscapeName(c.Learner), c.Run, c.Fold)
}

// ParseCell returns the cell of a name that [Cell.Name] returns.
func ParseCell(name string) (c Cell, err error) {
	fields, err := cutName([]byte("CV/" + name))
	if err != nil {
		return c, err
	}
	if c.Data, err = unescapeName(string(fields[0])); err != nil {
		return c, err
	}
	if c.Learner, err = unescapeName(string(fields[1])); err != nil {
		return c, err
	}
	var ok [2]bool
	c.Run, ok[0] = parseCount(string(fields[2]))
	c.Fold, ok[1] = parseCount(string(fields[3]))
	if ok != [2]bool{true, true} {
		return c, fmt.Errorf("invalid run or fold in %q", name)
	}
	return c, nil
}

// A Pos is a position in a file. The zero Pos is none.
type Pos struct {
	File string
	Line int
}

// String returns "file:line", or "" for the zero Pos.
func (p Pos) String() string {
	if p == (Pos{}) {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// note returns the position, if there is one, before a text, if there is one.
func (p Pos) note(text string) string {
	switch {
	case p == (Pos{}):
		return text
	case text == "":
		return p.String()
	}
	return p.String() + ": " + text
}
