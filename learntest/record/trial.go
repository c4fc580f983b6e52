package record

import "fmt"

// A Trial is the outcome of training one learner on one fold of one run and
// testing it on the rest. Runs and folds are counted from 1.
type Trial struct {
	Data, Learner string
	Run, Fold     int
	Item          string    // id of the item that the fold is; empty for other protocols
	TrainN, TestN int       // numbers of training and test examples
	Values        []float64 // one for each column, in the order of Block.Columns; empty if the trial failed
	FitSeconds    float64   // for training
	PredictSec    float64   // seconds for all test examples
	Constancy     Constancy // whether the model made the same prediction for all test examples
	Err           string    // why the trial failed, as returned by [Cause]; else empty
	Pos           Pos       // where the trial was read, if it was
}

// Cell returns the place of the trial.
func (t *Trial) Cell() Cell {
	return Cell{Data: t.Data, Learner: t.Learner, Run: t.Run, Fold: t.Fold, Item: t.Item}
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
