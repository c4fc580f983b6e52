package predictions

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/learntest/record"
)

// Parts are the values of a block while its lines are read.
type parts struct {
	block   *Block
	letters [256]uint16 // code of each letter of a prediction
	folds   [256]uint16 // fold of each letter, from 1
	classes [256]uint16 // class of each letter, from 0
	raw     []byte
	learner []byte // of the last line, escaped
	index   int    // of that learner
}

// unknown is the code of a letter that stands for nothing.
const unknown = math.MaxUint16

func newParts(b *Block) *parts {
	p := &parts{block: b}
	for i := range p.letters {
		p.letters[i], p.folds[i], p.classes[i] = unknown, unknown, unknown
	}
	p.letters[markMissing], p.letters[markNone], p.letters[markRight] = missing, none, right
	p.folds[markMissing] = 0
	for i := range alphabet {
		if i < len(b.Classes) {
			p.letters[alphabet[i]], p.classes[alphabet[i]] = uint16(i)+marked, uint16(i)
		}
		if i < b.shape.Folds {
			p.folds[alphabet[i]] = uint16(i) + 1
		}
	}
	return p
}

// take takes the values of a line.
func (p *parts) take(line []byte) error {
	kind, rest, ok := bytes.Cut(line, []byte(" "))
	if !ok {
		return fmt.Errorf("%.40q is no line of predictions", line)
	}
	var err error
	switch string(kind) {
	case "T", "TN", "TV":
		err = p.truth(string(kind), rest)
	case "F", "FN":
		err = p.fold(string(kind), rest)
	case "P", "PN", "V", "Q":
		err = p.predictions(string(kind), rest)
	default:
		return fmt.Errorf("%.40q is no line of predictions", line)
	}
	if err != nil {
		return fmt.Errorf("line %s: %w", kind, err)
	}
	return nil
}

// kindOf returns the kind of the lines of the truth, of folds or of predictions: with letters or
// with numbers.
func kindOf(letter string, n int) string {
	if n > len(alphabet) {
		return letter + "N"
	}
	return letter
}

// truthKnown reports whether the truth of all examples is known.
func (p *parts) truthKnown() bool {
	b := p.block
	return len(b.truth)+len(b.targets) == b.Examples
}

func (p *parts) truth(kind string, rest []byte) error {
	b := p.block
	want := kindOf("T", len(b.Classes))
	if !b.Classification() {
		want = "TV"
	}
	if kind != want {
		return fmt.Errorf("the truth is in lines %s", want)
	}
	values, err := p.first(rest, len(b.truth)+len(b.targets))
	if err != nil {
		return err
	}
	switch kind {
	case "T":
		b.truth, err = decode(b.truth, values, &p.classes, b.Examples)
	case "TN":
		b.truth, err = p.codes(b.truth, values, 0, len(b.Classes))
	case "TV":
		b.targets, err = p.numbers(b.targets, values, false)
	}
	return err
}

func (p *parts) fold(kind string, rest []byte) error {
	b := p.block
	if want := kindOf("F", b.shape.Folds); kind != want {
		return fmt.Errorf("the folds are in lines %s", want)
	}
	run, rest, err := cutRun(rest)
	if err != nil {
		return err
	}
	of := b.folds[run]
	values, err := p.first(rest, len(of))
	if err != nil {
		return err
	}
	if kind == "F" {
		of, err = decode(of, values, &p.folds, b.Examples)
	} else {
		of, err = p.codes(of, values, 1, b.shape.Folds+1)
	}
	b.folds[run] = of
	return err
}

func (p *parts) predictions(kind string, rest []byte) error {
	b := p.block
	if !p.truthKnown() {
		return errors.New("the truth of all examples must come before it")
	}
	name, rest, _ := bytes.Cut(rest, []byte(" "))
	if len(name) == 0 || !bytes.Equal(name, p.learner) {
		learner, err := record.UnescapeName(string(name))
		if err != nil {
			return err
		}
		p.learner, p.index = append(p.learner[:0], name...), b.indexOf(learner)
	}
	run, rest, err := cutRun(rest)
	if err != nil {
		return err
	}
	r := b.runs[place{p.index, run}]
	if r == nil {
		r = &Run{width: b.width()}
		b.runs[place{p.index, run}] = r
	}
	want := kindOf("P", len(b.Classes))
	if !b.Classification() {
		want = "V"
	}
	switch {
	case kind == "Q" && r.width > 0:
		return p.probabilities(r, rest)
	case kind != want:
		return fmt.Errorf("the predictions are in lines %s", want)
	}
	values, err := p.first(rest, len(r.codes)+len(r.values))
	if err != nil {
		return err
	}
	from := len(r.codes)
	switch kind {
	case "V":
		r.values, err = p.numbers(r.values, values, true)
		return err
	case "P":
		r.codes, err = decode(r.codes, values, &p.letters, b.Examples)
	case "PN":
		r.codes, err = p.codes(r.codes, values, int(marked), len(b.Classes)+int(marked))
	}
	if err != nil {
		return err
	}
	return p.unmark(r.codes[from:], from)
}

// unmark turns the codes of a file into the codes of a Run.
func (p *parts) unmark(codes []uint16, from int) error {
	truth := p.block.truth[from : from+len(codes)]
	for i, c := range codes {
		switch {
		case c == right:
			codes[i] = truth[i] + firstClass
		case c < right:
		case c-marked == truth[i]:
			return fmt.Errorf("example %d: the true class is written as %c", from+i, markRight)
		default:
			codes[i] = c - 1
		}
	}
	return nil
}

func (p *parts) probabilities(r *Run, rest []byte) error {
	if len(r.chance)%r.width != 0 {
		return errors.New("a line before it has half an example")
	}
	values, err := p.first(rest, len(r.chance)/r.width)
	if err != nil {
		return err
	}
	if p.raw, err = base64.StdEncoding.Strict().AppendDecode(p.raw[:0], values); err != nil {
		return err
	}
	n := len(p.raw) / 8
	if n*8 != len(p.raw) || n%r.width != 0 || len(r.chance)+n > p.block.Examples*r.width {
		return fmt.Errorf("%d bytes of probabilities: %d are an example", len(p.raw), 8*r.width)
	}
	r.chance = grow(r.chance, n, p.block.Examples*r.width)
	for i := range n {
		x := math.Float64frombits(binary.LittleEndian.Uint64(p.raw[8*i:]))
		if x < 0 || x > mostProbability || math.IsNaN(x) &&
			math.Float64bits(x) != math.Float64bits(math.NaN()) {
			return fmt.Errorf("a probability of %v", x)
		}
		r.chance = append(r.chance, x)
	}
	return nil
}

// mostProbability is more than 1 by the tolerance that learners have.
const mostProbability = 1 + 1e-6

// first cuts the number of the first example, which must be the next one, from the values.
func (p *parts) first(rest []byte, next int) ([]byte, error) {
	number, values, ok := bytes.Cut(rest, []byte(" "))
	switch {
	case !ok || len(values) == 0:
		return nil, errors.New("there are no values")
	case string(number) != strconv.Itoa(next):
		return nil, fmt.Errorf("it begins with example %.20q, and example %d comes next", number, next)
	case next >= p.block.Examples:
		return nil, fmt.Errorf("there are values for more than %d examples", p.block.Examples)
	}
	return values, nil
}

func cutRun(rest []byte) (run int, values []byte, err error) {
	number, values, _ := bytes.Cut(rest, []byte(" "))
	if run, err = count(string(number)); err == nil && run > maxRun {
		err = fmt.Errorf("%d runs are more than %d", run, maxRun)
	}
	return run, values, err
}

// grow makes room for n more values, or for several times as many, but not for more than most: a
// small file must not take much memory.
func grow[T any](s []T, n, most int) []T {
	if need := len(s) + n; cap(s) < need {
		return slices.Grow(s, min(8*need, most)-len(s))
	}
	return s
}

// decode appends the codes of letters.
func decode(to []uint16, letters []byte, codes *[256]uint16, most int) ([]uint16, error) {
	from := len(to)
	if len(letters) > most-from {
		return to, fmt.Errorf("there are values for more than %d examples", most)
	}
	to = grow(to, len(letters), most)[:from+len(letters)]
	bad := -1
	for i, letter := range letters {
		c := codes[letter]
		if c == unknown {
			bad = i
			break
		}
		to[from+i] = c
	}
	if bad >= 0 {
		return to, fmt.Errorf("example %d: %q stands for nothing here", from+bad, letters[bad])
	}
	return to, nil
}

// codes appends the codes of words: marks, and numbers from 0, which stand for codes from first to
// below end.
func (p *parts) codes(to []uint16, words []byte, first, end int) ([]uint16, error) {
	marks := &p.letters
	if first <= 1 {
		marks = &p.folds
	}
	for word := range bytes.SplitSeq(words, []byte(" ")) {
		if len(to) == p.block.Examples {
			return to, fmt.Errorf("there are values for more than %d examples", p.block.Examples)
		}
		code := -1
		if len(word) == 1 && (word[0] < '0' || word[0] > '9') {
			if c := marks[word[0]]; int(c) < first {
				code = int(c)
			}
		} else if n, err := strconv.Atoi(string(word)); err == nil && n >= 0 && n < end-first &&
			strconv.Itoa(n) == string(word) {
			code = first + n
		}
		if code < 0 {
			return to, fmt.Errorf("example %d: %.20q stands for nothing here", len(to), word)
		}
		to = append(grow(to, 1, p.block.Examples), uint16(code))
	}
	return to, nil
}

// numbers appends finite numbers and, if some may be missing, a NaN for each mark of them.
func (p *parts) numbers(to []float64, words []byte, some bool) ([]float64, error) {
	for word := range bytes.SplitSeq(words, []byte(" ")) {
		if len(to) == p.block.Examples {
			return to, fmt.Errorf("there are values for more than %d examples", p.block.Examples)
		}
		x := math.NaN()
		if !some || len(word) != 1 || word[0] != markMissing {
			var err error
			if x, err = strconv.ParseFloat(string(word), 64); err != nil || math.IsNaN(x) ||
				math.IsInf(x, 0) {
				return to, fmt.Errorf("example %d: %.20q is no finite number", len(to), word)
			}
		}
		to = append(grow(to, 1, p.block.Examples), x)
	}
	return to, nil
}
