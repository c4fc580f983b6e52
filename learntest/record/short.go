package record

import (
	"bytes"
	"strconv"
	"unsafe"
)

// A shortForm reads the lines of trials that are spelled exactly as Write spells
// them, as nearly all are, several times faster than a reader of the Go benchmark
// format. It never reports an error: that reader reads again the lines that it does not take.
type shortForm struct {
	prefix   []byte   // of every line: the benchmark and its data set
	learners [][]byte // what follows for each learner, up to the run
	units    [][]byte // what follows each value of a metric, spaces included
	next     int      // learner of the next line, most likely
	values   []float64
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
	s.prefix = append(appendName(append(s.prefix[:0], "BenchmarkCV/data="...), b.Header.Data, "/="), "/learner="...)
	s.learners, s.units = s.learners[:0], s.units[:0]
	for _, name := range b.Learners {
		s.learners = append(s.learners, append(appendName(nil, name, "/="), "/run="...))
	}
	for _, u := range b.Units {
		s.units = append(s.units, append(appendName([]byte(" "), u.Name, ""), ' '))
	}
	s.next = 0
	s.values = make([]float64, len(b.Units))
}

// parse takes the trial of a line, with its times unless the block has none. It returns the line
// up to the times, and whether it is in the short form.
func (s *shortForm) parse(text []byte, timeless bool) (e entry, head []byte, ok bool) {
	rest, ok := bytes.CutPrefix(text, s.prefix)
	if !ok {
		return e, nil, false
	}
	e.learner, e.values = s.next, s.values
	if rest, ok = s.cutLearner(rest, &e); !ok {
		return e, nil, false
	}
	if e.run, rest, ok = cutCount(rest, afterRun); !ok {
		return e, nil, false
	}
	if e.fold, rest, ok = cutCount(rest, afterFold); !ok {
		return e, nil, false
	}
	for i, unit := range s.units {
		if s.values[i], rest, ok = cutFloat(rest, unit); !ok {
			return e, nil, false
		}
	}
	if e.trainN, rest, ok = cutCount(rest, afterTrain); !ok {
		return e, nil, false
	}
	if e.testN, rest, ok = cutCount(rest, afterTest); !ok {
		return e, nil, false
	}
	head = text[:len(text)-len(rest)]
	if !timeless {
		if len(rest) == 0 || rest[0] != ' ' {
			return e, nil, false
		}
		if e.fit, rest, ok = cutFloat(rest[1:], afterFit); !ok {
			return e, nil, false
		}
		if e.predict, rest, ok = cutFloat(rest, afterPredict); !ok {
			return e, nil, false
		}
	}
	return e, head, len(rest) == 0
}

// took records which learner is likely next, after the trial of a learner.
func (s *shortForm) took(learner int) {
	if s.next = learner + 1; s.next == len(s.learners) {
		s.next = 0
	}
}

// cutLearner takes the learner, which is nearly always the one that follows the
// last.
func (s *shortForm) cutLearner(text []byte, e *entry) ([]byte, bool) {
	if rest, ok := bytes.CutPrefix(text, s.learners[s.next]); ok {
		return rest, true
	}
	for i, name := range s.learners {
		if rest, ok := bytes.CutPrefix(text, name); ok {
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
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			digits = digits*10 + uint64(text[i]-'0')
		}
		decimals = i - from
		n += decimals
	}
	if i+4 < len(text) && text[i] == 'e' && text[i+1] == '-' && text[i+2]-'0' <= 9 && text[i+3]-'0' <= 9 {
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
