package record

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// maxLine bounds the length of a line in bytes. The readers of the Go
// benchmark format give up at 64 KiB.
const maxLine = 60_000

// Write writes the sets of f in their order, each with its trials ordered by
// run, fold and learner, the learners in the order of [Set.Learners]. Equal
// files give equal bytes.
//
// It returns an error that wraps ErrInvalid, and writes nothing, if there are
// no sets or one of them could not be read back: it has no trials, trials of
// several data sets, or a value that is not finite; two sets declare a unit
// differently; a name makes a line longer than 60 000 bytes.
func Write(w io.Writer, f *File) error {
	text, err := appendFile(nil, f)
	if err != nil {
		return err
	}
	bw := bufio.NewWriter(w)
	if _, err := bw.Write(text); err != nil {
		return err
	}
	return bw.Flush()
}

// appendFile appends the text of a file.
func appendFile(b []byte, f *File) ([]byte, error) {
	if len(f.Sets) == 0 {
		return nil, fmt.Errorf("%w: no sets", ErrInvalid)
	}
	declared := make(map[string]Unit)
	for i := range f.Sets {
		s := &f.Sets[i]
		if err := s.validate(); err != nil {
			return nil, err
		}
		if err := declareUnits(declared, s.Units); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		if i > 0 {
			b = append(b, '\n')
		}
		start := len(b)
		b = appendSet(b, s)
		if err := checkLines(b[start:]); err != nil {
			return nil, fmt.Errorf("%w: set %d: %w", ErrInvalid, i, err)
		}
	}
	return b, nil
}

// declareUnits adds units to those declared so far. It returns an error if
// one of them is declared differently.
func declareUnits(declared map[string]Unit, units []Unit) error {
	for _, u := range units {
		if have, ok := declared[u.Name]; ok && have != u {
			return fmt.Errorf("unit %q is declared as %s and as %s", u.Name, unitText(have), unitText(u))
		}
		declared[u.Name] = u
	}
	return nil
}

func checkLines(b []byte) error {
	start := 0
	for i, c := range b {
		if c != '\n' {
			continue
		}
		if i-start > maxLine {
			return fmt.Errorf("line of %d bytes, %d are allowed: %.40s…", i-start, maxLine, b[start:])
		}
		start = i + 1
	}
	return nil
}

// appendSet appends the block of a valid set.
func appendSet(b []byte, s *Set) []byte {
	b = appendHead(b, s)
	for _, i := range s.canonicalOrder() {
		b = appendTrial(b, &s.Trials[i])
	}
	return b
}

// canonicalOrder returns the indices of the trials by run, fold and learner,
// and those of the same cell in their order. All learners are in the plan.
func (s *Set) canonicalOrder() []int {
	p := newPlan(s, s.learners())
	order, places := make([]int, len(s.Trials)), make([]int64, len(s.Trials))
	for i := range order {
		order[i] = i
		places[i], _ = p.place(&s.Trials[i])
	}
	if !slices.IsSorted(places) {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(places[i], places[j]) })
	}
	return order
}

// appendHead appends the keys and units of a set. It writes the keys without a
// value too: they delete what a block before has set.
func appendHead(b []byte, s *Set) []byte {
	b = append(b, keyFormat+": "+formatVersion+"\n"...)
	for i := range headerKeys {
		k := &headerKeys[i]
		b = append(append(b, k.name...), ':')
		if v := k.get(&s.Header); v != "" {
			b = appendText(append(b, ' '), v)
		}
		b = append(b, '\n')
	}
	b = append(b, keyLearners+":"...)
	for _, name := range s.learners() {
		b = appendName(append(b, ' '), name, "/=")
	}
	b = append(b, '\n')
	for _, u := range s.Units {
		b = append(appendUnit(append(b, "Unit "...), u), '\n')
	}
	return b
}

func appendUnit(b []byte, u Unit) []byte {
	b = appendName(b, u.Name, "")
	b = append(append(b, " better="...), u.Better.String()...)
	if !math.IsInf(u.Min, -1) {
		b = appendFloat(append(b, " min="...), u.Min)
	}
	if !math.IsInf(u.Max, 1) {
		b = appendFloat(append(b, " max="...), u.Max)
	}
	return b
}

func unitText(u Unit) string { return strconv.Quote(string(appendUnit(nil, u))) }

// appendTrial appends the line of a trial and, if it failed, the lines around
// it that hold the cause.
func appendTrial(b []byte, t *Trial) []byte {
	if t.Err != "" {
		b = append(appendText(append(b, keyError+": "...), Cause(t.Err)), '\n')
	}
	b = append(b, "BenchmarkCV/data="...)
	b = appendName(b, t.Data, "/=")
	b = append(b, "/learner="...)
	b = appendName(b, t.Learner, "/=")
	b = append(b, "/run="...)
	b = strconv.AppendInt(b, int64(t.Run), 10)
	b = append(b, "/fold="...)
	b = strconv.AppendInt(b, int64(t.Fold), 10)
	b = append(b, " 1"...)
	if t.Err != "" {
		b = append(b, " 1 "+unitFailed...)
	}
	for _, v := range t.Values {
		b = appendFloat(append(b, ' '), v.Value)
		b = appendName(append(b, ' '), v.Unit, "")
	}
	b = strconv.AppendInt(append(b, ' '), int64(t.TrainN), 10)
	b = append(b, " "+unitTrain+" "...)
	b = strconv.AppendInt(b, int64(t.TestN), 10)
	b = append(b, " "+unitTest+" "...)
	b = appendFloat(b, t.FitSeconds)
	b = append(b, " "+unitFit+" "...)
	b = appendFloat(b, t.PredictSec)
	b = append(b, " "+unitPredict+"\n"...)
	if t.Err != "" {
		b = append(b, keyError+":\n"...)
	}
	return b
}

// appendFloat appends the shortest decimal number that reads back as x.
func appendFloat(b []byte, x float64) []byte { return strconv.AppendFloat(b, x, 'g', -1, 64) }
