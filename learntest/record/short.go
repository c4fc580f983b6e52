package record

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"unsafe"
)

// A shortForm reads the lines of trials that are spelled exactly as Write spells
// them, as nearly all are, several times faster than a reader of the Go benchmark
// format. It never reports an error: that reader reads again the lines that it does not take.
type shortForm struct {
	prefix   []byte   // of every line: the benchmark and its data set
	learners [][]byte // the prefix and what follows for each learner, up to the run
	units    [][]byte // what follows each value of a metric, spaces included
	next     int      // learner of the next line, most likely
	values   []float64
	place    place
	sizes    sizes
	items    *itemList // nil unless the block is of items
	item     int       // of the last line, from 0
}

// A place is the run and the fold of the last line, with their text. The next line often has it,
// too.
type place struct {
	text      []byte
	run, fold int
}

// sizes are the numbers of examples of the last line, with their text. Nearly all lines have it.
type sizes struct {
	text        []byte
	train, test int
}

var (
	afterRun     = []byte("/fold=")
	afterFold    = []byte(" 1 ")
	afterTrain   = []byte(" " + unitTrain + " ")
	afterTest    = []byte(" " + unitTest)
	afterFit     = []byte(" " + unitFit + " ")
	afterPredict = []byte(" " + unitPredict)
)

func (s *shortForm) reset(b *Block) {
	s.prefix = append(appendName(append(s.prefix[:0], prefixOf(b)...), b.Header.Data, "/="),
		"/learner="...)
	s.learners, s.units = s.learners[:0], s.units[:0]
	s.items, s.item = b.items, 0
	after := afterLearner(b)
	for _, name := range b.Learners {
		learner := room(&s.learners)
		*learner = append(appendName(append((*learner)[:0], s.prefix...), name, "/="), after...)
	}
	for _, u := range b.Columns {
		unit := room(&s.units)
		*unit = append(appendName(append((*unit)[:0], ' '), u.Name, ""), ' ')
	}
	s.next = 0
	s.values = lengthen(s.values[:0], len(b.Columns), 0)
}

// room lengthens a list by a text whose memory it had before, if it did.
func room(list *[][]byte) *[]byte {
	n := len(*list)
	if n < cap(*list) {
		*list = (*list)[:n+1]
	} else {
		*list = append(*list, nil)
	}
	return &(*list)[n]
}

// parse takes the trial of a line, which has times unless its block has none. The times need not be
// known unless the entry is to have them. It returns the line up to the times, and whether it is in
// the short form.
func (s *shortForm) parse(e *entry, text []byte, timeless bool) (head []byte, ok bool) {
	e.learner, e.values = s.next, s.values
	rest, ok := s.cutLearner(text, e)
	if !ok {
		return nil, false
	}
	if s.items != nil {
		return s.parseItem(e, text, rest, timeless)
	}
	if rest, ok = s.place.cut(rest); !ok {
		return nil, false
	}
	e.run, e.fold = s.place.run, s.place.fold
	for i, unit := range s.units {
		if s.values[i], rest, ok = cutFloat(rest, unit); !ok {
			return nil, false
		}
	}
	if rest, ok = s.sizes.cut(rest); !ok {
		return nil, false
	}
	e.trainN, e.testN = s.sizes.train, s.sizes.test
	head = text[:len(text)-len(rest)]
	if timeless {
		return head, len(rest) == 0
	}
	if len(rest) == 0 || rest[0] != ' ' {
		return nil, false
	}
	rest = rest[1:]
	if !e.timed {
		if rest, ok = skipFloat(rest, afterFit); ok {
			rest, ok = skipFloat(rest, afterPredict)
		}
		return head, ok && len(rest) == 0
	}
	if e.fit, rest, ok = cutFloat(rest, afterFit); !ok {
		return nil, false
	}
	if e.predict, rest, ok = cutFloat(rest, afterPredict); !ok {
		return nil, false
	}
	return head, len(rest) == 0 && !(e.fit < 0 || e.predict < 0)
}

// cut takes run and fold, and what follows them.
func (p *place) cut(text []byte) (rest []byte, ok bool) {
	if len(p.text) > 0 && bytes.HasPrefix(text, p.text) {
		return text[len(p.text):], true
	}
	p.text = p.text[:0]
	if p.run, rest, ok = cutCount(text, afterRun); !ok {
		return text, false
	}
	if p.fold, rest, ok = cutCount(rest, afterFold); !ok {
		return text, false
	}
	p.text = append(p.text, text[:len(text)-len(rest)]...)
	return rest, true
}

// cut takes the numbers of examples, and what follows them.
func (s *sizes) cut(text []byte) (rest []byte, ok bool) {
	if len(s.text) > 0 && bytes.HasPrefix(text, s.text) {
		return text[len(s.text):], true
	}
	s.text = s.text[:0]
	if s.train, rest, ok = cutCount(text, afterTrain); !ok {
		return text, false
	}
	if s.test, rest, ok = cutCount(rest, afterTest); !ok {
		return text, false
	}
	s.text = append(s.text, text[:len(text)-len(rest)]...)
	return rest, true
}

// took records which learner is likely next, after the trial of a learner.
func (s *shortForm) took(learner int) {
	if s.next = learner + 1; s.next == len(s.learners) {
		s.next = 0
	}
}

// cutLearner takes the prefix and the learner, which is nearly always the one that follows the
// last.
func (s *shortForm) cutLearner(text []byte, e *entry) ([]byte, bool) {
	if rest, ok := bytes.CutPrefix(text, s.learners[s.next]); ok {
		return rest, true
	}
	rest, ok := bytes.CutPrefix(text, s.prefix)
	if !ok {
		return text, false
	}
	for i, name := range s.learners {
		if rest, ok := bytes.CutPrefix(rest, name[len(s.prefix):]); ok {
			e.learner = i
			return rest, true
		}
	}
	return text, false
}

// cutCount takes a number without leading zeros, and what follows it.
func cutCount(text, after []byte) (int, []byte, bool) {
	n, i := 0, 0
	for i < len(text) && text[i]-'0' <= 9 && i < 9 {
		n = n*10 + int(text[i]-'0')
		i++
	}
	if i == 0 || text[0] == '0' {
		return 0, text, false
	}
	rest, ok := bytes.CutPrefix(text[i:], after)
	return n, rest, ok
}

// pow10 are the powers of ten that are float64s.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// cutFloat takes a number and what follows it.
func cutFloat(text, after []byte) (float64, []byte, bool) {
	if x, rest, ok := cutPlainFloat(text, after); ok {
		return x, rest, true
	}
	return cutAnyFloat(text, after)
}

// cutPlainFloat takes most numbers. Digits below 2^53 and a power of ten up to
// 10^22 are float64s, so that their quotient, which is rounded once, is the nearest
// one to the number; all else is left to strconv.
func cutPlainFloat(text, after []byte) (float64, []byte, bool) {
	var digits uint64
	i, n, decimals := 0, 0, 0
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		i++
	}
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		digits = digits*10 + uint64(text[i]-'0')
		n++
	}
	if n == 0 {
		return 0, text, false
	}
	if i < len(text) && text[i] == '.' {
		i++
		from := i
		for len(text)-i >= 8 {
			eight, ok := eightDigits(binary.LittleEndian.Uint64(text[i:]))
			if !ok {
				break
			}
			digits = digits*1e8 + eight
			i += 8
		}
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			digits = digits*10 + uint64(text[i]-'0')
		}
		decimals = i - from
		n += decimals
	}
	if i+4 < len(text) && text[i] == 'e' && text[i+1] == '-' && text[i+2]-'0' <= 9 &&
		text[i+3]-'0' <= 9 {
		decimals += int(text[i+2]-'0')*10 + int(text[i+3]-'0')
		i += 4
	}
	rest, ok := bytes.CutPrefix(text[i:], after)
	if !ok || n > 19 || digits >= 1<<53 || decimals >= len(pow10) {
		return 0, text, false
	}
	x := float64(digits) / pow10[decimals]
	if negative {
		x = -x
	}
	return x, rest, true
}

// eightDigits returns the number of eight decimal digits, the first of which is the lowest byte.
func eightDigits(text uint64) (uint64, bool) {
	const each = 0x0101010101010101
	x := text - '0'*each
	if (x|(text+(0x7f-'9')*each))&(0x80*each) != 0 {
		return 0, false
	}
	x = x*10 + x>>8 // pairs, in every other byte
	const pairs = 0x000000ff000000ff
	return (x&pairs*(100+1000000<<32) + x>>16&pairs*(1+10000<<32)) >> 32, true
}

// skipFloat takes a number that is not wanted but must not be negative, and what follows it. Most
// are seconds with nine decimals, and nearly all a digit, a point, and 8 to 16 digits.
func skipFloat(text, after []byte) ([]byte, bool) {
	n := len("0.123456789")
	if len(text) <= n || text[n] != ' ' {
		n = bytes.IndexByte(text, ' ')
	}
	if n >= 10 && n <= 18 && text[0]-'0' <= 9 && text[1] == '.' && bytes.HasPrefix(text[n:], after) {
		_, first := eightDigits(binary.LittleEndian.Uint64(text[2:]))
		_, last := eightDigits(binary.LittleEndian.Uint64(text[n-8:]))
		if first && last {
			return text[n+len(after):], true
		}
	}
	x, rest, ok := cutFloat(text, after)
	return rest, ok && !(x < 0)
}

// cutAnyFloat takes a number as strconv has it.
func cutAnyFloat(text, after []byte) (float64, []byte, bool) {
	n := bytes.IndexByte(text, ' ')
	if n < 1 {
		return 0, text, false
	}
	for _, c := range text[:n] {
		if c-'0' > 9 && c != '.' && c != 'e' && c != '-' && c != '+' {
			return 0, text, false
		}
	}
	// The string is not kept, so that it need not be a copy.
	x, err := strconv.ParseFloat(unsafe.String(&text[0], n), 64)
	if err != nil {
		return 0, text, false
	}
	rest, ok := bytes.CutPrefix(text[n:], after)
	return x, rest, ok
}
