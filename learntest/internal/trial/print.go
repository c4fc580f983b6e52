package trial

import (
	"fmt"
	"strconv"
	"strings"
)

// A Print is a fingerprint of a learner's predictions in a cell, which tells whether the learner
// repeats them when it is trained there again. The zero Print is of the cell's test examples only.
type Print struct {
	Err       error // of the trial
	Reference bool  // the learner is one of the module's own

	want    int     // how many examples are to be predicted further
	sum     *uint64 // fingerprint of the predictions; nil if there are none
	further further
}

// NewPrint returns a print that is also of examples beyond the cell.
func NewPrint() *Print { return &Print{want: mostFurther} }

// Again returns the print of another training in the same cell.
func (p *Print) Again() *Print { return &Print{want: p.further.rows} }

// Wide reports whether the print is of examples beyond the cell as well.
func (p *Print) Wide() bool { return p.want > 0 }

// Taken reports whether there are predictions.
func (p *Print) Taken() bool { return p.sum != nil }

// Same reports whether the predictions of two trainings are equal. Both prints must be taken.
func (p *Print) Same(q *Print) bool {
	if *p.sum != *q.sum {
		return false
	}
	near, far := &p.further, &q.further
	return near.sum == nil || far.sum == nil || near.rows != far.rows || *near.sum == *far.sum
}

// MarshalText returns a print that is taken, for [Print.UnmarshalText] in another process: the sum
// of the predictions in the cell, and if there are others, how many and their sum.
func (p *Print) MarshalText() ([]byte, error) {
	if p.further.sum == nil {
		return fmt.Appendf(nil, "%016x", *p.sum), nil
	}
	return fmt.Appendf(nil, "%016x %d %016x", *p.sum, p.further.rows, *p.further.sum), nil
}

// UnmarshalText makes a print what another process has taken.
func (p *Print) UnmarshalText(text []byte) error {
	parts := strings.Fields(string(text))
	if len(parts) != 1 && len(parts) != 3 {
		return fmt.Errorf("%q is no print of predictions", text)
	}
	near, err := strconv.ParseUint(parts[0], 16, 64)
	if err != nil {
		return err
	}
	*p = Print{sum: &near}
	if len(parts) == 1 {
		return nil
	}
	far, err := strconv.ParseUint(parts[2], 16, 64)
	if err != nil {
		return err
	}
	rows, err := strconv.Atoi(parts[1])
	if err != nil || rows < 1 {
		return fmt.Errorf("%q predicts %q further examples", text, parts[1])
	}
	p.want, p.further = rows, further{rows: rows, sum: &far}
	return nil
}

// wanted returns how many examples are to be predicted further.
func (p *Print) wanted() int {
	if p == nil {
		return 0
	}
	return p.want
}

// take records the predictions of an attempt.
func (p *Print) take(a *Attempt) {
	sum := a.Fingerprint()
	p.sum, p.further, p.Reference = &sum, a.further, a.Reference
}
