package record

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A block is the part of a file that holds one set, while it is being read.
//
// It is read twice. The first time, check takes the keys and the units and
// rejects what a reader of the Go benchmark format would pass over in
// silence; the second time, parseTrials has such a reader take the trials.
type block struct {
	start  int // offset of its first byte
	line   int // number of its first line
	trials int // lines of trials seen so far

	keys      map[string]int // lines of the keys seen so far
	units     map[string]int // lines of the units seen so far
	errorLine int            // line of the cause that has not been deleted yet
	set       Set
}

func newBlock(start, line int) *block {
	return &block{start: start, line: line, keys: make(map[string]int), units: make(map[string]int)}
}

var (
	benchmarkPrefix = []byte("Benchmark")
	trialPrefix     = []byte("BenchmarkCV/")
	unitPrefix      = []byte("Unit ")
)

// check takes a line of the block, which is nil before the first block. It
// returns an error if the line is not of the format, or in a wrong place.
func (b *block) check(p *parser, text []byte, line int) error {
	if b != nil && len(text) <= maxLine && bytes.HasPrefix(text, trialPrefix) {
		if bytes.IndexByte(text, ' ') < 0 && bytes.IndexByte(text, '\t') < 0 {
			return p.errorf(line, "the trial has a name only")
		}
		b.trials++
		return nil
	}
	switch {
	case isTestOutput(text):
		return nil
	case b == nil:
		return p.errorf(line, "a block begins with %q, not with %q", keyFormat+": "+formatVersion, excerpt(text))
	case len(text) > maxLine:
		return p.errorf(line, "line of %d bytes, %d are allowed", len(text), maxLine)
	case bytes.HasPrefix(text, benchmarkPrefix):
		return p.errorf(line, "%q is a benchmark of something else", excerpt(text))
	}
	if bytes.HasPrefix(text, unitPrefix) {
		return b.addUnit(p, string(text), line)
	}
	if name, value, ok := cutKey(text); ok {
		return b.addKey(p, string(name), string(value), line)
	}
	return p.errorf(line, "not a line of a result file: %q", excerpt(text))
}

// isTestOutput reports whether a line is empty or one that go test prints
// around benchmarks.
func isTestOutput(text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	s := string(text)
	if s == "PASS" || s == "FAIL" {
		return true
	}
	for _, prefix := range [...]string{"ok  \t", "FAIL\t", "--- ", "    --- ", "=== ", "goos: ", "goarch: ", "cpu: "} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// excerpt returns the beginning of a line for a message.
func excerpt(text []byte) string {
	const limit = 60
	if len(text) <= limit {
		return string(text)
	}
	return string(text[:limit]) + "…"
}

// cutKey splits a line of file configuration as the Go benchmark format has
// it: the key begins with a lower case letter and has neither spaces nor
// upper case letters; a value is set off by spaces or tabs. Our own keys are no
// keys of that format.
func cutKey(text []byte) (name, value []byte, ok bool) {
	colon := bytes.IndexByte(text, ':')
	if colon <= 0 {
		return nil, nil, false
	}
	name, value = text[:colon], text[colon+1:]
	rest := bytes.TrimLeft(value, " \t")
	if isOwn(string(name)) {
		return name, rest, true
	}
	if first, _ := utf8.DecodeRune(name); !unicode.IsLower(first) {
		return nil, nil, false
	}
	if bytes.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) }) {
		return nil, nil, false
	}
	return name, rest, len(value) == 0 || len(rest) < len(value)
}

// addKey takes a key of the head, or the cause of a failure.
func (b *block) addKey(p *parser, name, value string, line int) error {
	if name == keyError {
		b.errorLine = line
		if value == "" {
			b.errorLine = 0
		}
		return nil
	}
	if b.trials > 0 {
		return p.errorf(line, "key %s comes after the first trial", name)
	}
	if first, ok := b.keys[name]; ok {
		return p.errorf(line, "key %s is there already, in line %d", name, first)
	}
	b.keys[name] = line
	switch name {
	case keyFormat:
		if value != formatVersion {
			return p.errorf(line, "version %q of the format is unknown: this program reads version %s", value, formatVersion)
		}
		return nil
	case keyLearners:
		return b.addLearners(p, value, line)
	}
	k, ok := findKey(name)
	if !ok {
		return p.errorf(line, "unknown key %q", name)
	}
	text, err := unescapeText(value)
	if err != nil {
		return p.errorf(line, "key %s: %v", name, err)
	}
	if k.required && text == "" {
		return p.errorf(line, "key %s has no value", name)
	}
	if k.count && text != "" {
		if err := validateCount(text); err != nil {
			return p.errorf(line, "key %s: %v", name, err)
		}
	}
	k.set(&b.set.Header, text)
	return nil
}

func (b *block) addLearners(p *parser, value string, line int) error {
	for _, field := range strings.Fields(value) {
		name, err := unescapeName(field)
		if err != nil {
			return p.errorf(line, "key %s: %v", keyLearners, err)
		}
		b.set.Learners = append(b.set.Learners, name)
	}
	if err := validateLearners(b.set.Learners); err != nil {
		return p.errorf(line, "key %s: %v", keyLearners, err)
	}
	return nil
}

// addUnit takes a line that declares a unit.
func (b *block) addUnit(p *parser, text string, line int) error {
	if b.trials > 0 {
		return p.errorf(line, "a unit is declared after the first trial")
	}
	fields := strings.Fields(text)[1:]
	if len(fields) == 0 {
		return p.errorf(line, "Unit without a name")
	}
	u, err := parseUnit(fields)
	if err != nil {
		return p.errorf(line, "unit %s: %v", fields[0], err)
	}
	if err := u.validate(); err != nil {
		return p.errorf(line, "unit %q: %v", u.Name, err)
	}
	if first, ok := b.units[u.Name]; ok {
		return p.errorf(line, "unit %q is declared already, in line %d", u.Name, first)
	}
	b.units[u.Name] = line
	if have, ok := p.units[u.Name]; ok && have.unit != u {
		return p.errorf(line, "unit %q is declared differently at %v: as %s", u.Name, have.pos, unitText(have.unit))
	}
	p.units[u.Name] = declaration{u, Pos{p.filename, line}}
	b.set.Units = append(b.set.Units, u)
	return nil
}

// finishHead returns an error if a part of the head is missing.
func (b *block) finishHead(p *parser) error {
	for i := range headerKeys {
		if k := &headerKeys[i]; k.required && b.keys[k.name] == 0 {
			return p.errorf(b.line, "the block has no key %s", k.name)
		}
	}
	if len(b.set.Learners) == 0 {
		return p.errorf(b.line, "the block has no key %s", keyLearners)
	}
	if len(b.set.Units) == 0 {
		return p.errorf(b.line, "the block declares no unit")
	}
	return nil
}

// parseNumber parses a number as strconv does, but neither NaN nor an
// infinity.
func parseNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && isFinite(x)
}
