package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A head is that of a block while it is being read.
type head struct {
	line     int            // its first one
	keys     map[string]int // lines of the keys seen so far
	unitAt   map[string]int // lines of the units seen so far
	header   Header
	learners []string
	units    []unit.Unit
	checksum string
}

func newHead(line int) *head {
	return &head{line: line, keys: make(map[string]int, 16), unitAt: make(map[string]int, 2)}
}

// addKey takes a key of the head.
func (h *head) addKey(p *parser, name, value string) error {
	if first, ok := h.keys[name]; ok {
		return p.errorf(p.line, "key %s is there already, in line %d", name, first)
	}
	h.keys[name] = p.line
	switch name {
	case keyFormat:
		switch value {
		case formatVersion:
			return nil
		case "1":
			return p.errorf(p.line, "version 1 of the format is no longer read: run the tests or learnbench again to write the results anew")
		}
		return p.errorf(p.line, "version %q of the format is unknown: this program reads version %s", value, formatVersion)
	case keyData:
		data, err := unescapeName(value)
		if err != nil {
			return p.errorf(p.line, "key %s: %v", name, err)
		}
		h.header.Data = data
		return nil
	case keyLearners:
		return h.addLearners(p, value)
	case keyChecksum:
		if err := checkDigest(value); err != nil {
			return p.errorf(p.line, "key %s: %v", name, err)
		}
		h.checksum = value
		return nil
	}
	k := findKey(name)
	if k == nil {
		return p.errorf(p.line, "unknown key %q", name)
	}
	text, err := unescapeText(value)
	if err != nil {
		return p.errorf(p.line, "key %s: %v", name, err)
	}
	if k.needed && text == "" {
		return p.errorf(p.line, "key %s has no value", name)
	}
	if k.check != nil && text != "" {
		if err := k.check(text); err != nil {
			return p.errorf(p.line, "key %s: %v", name, err)
		}
	}
	if last := p.last; last != nil && *k.field(&last.Header) == text {
		text = *k.field(&last.Header) // share the memory
	}
	*k.field(&h.header) = text
	return nil
}

func (h *head) addLearners(p *parser, value string) error {
	for _, field := range strings.Fields(value) {
		name, err := unescapeName(field)
		if err != nil {
			return p.errorf(p.line, "key %s: %v", keyLearners, err)
		}
		h.learners = append(h.learners, name)
	}
	if err := validateLearners(h.learners); err != nil {
		return p.errorf(p.line, "key %s: %v", keyLearners, err)
	}
	return nil
}

// addUnit takes a line that declares a unit.
func (h *head) addUnit(p *parser, text string) error {
	fields := strings.Fields(text)[1:]
	if len(fields) == 0 {
		return p.errorf(p.line, "Unit without a name")
	}
	u, err := parseUnit(fields)
	if err != nil {
		return p.errorf(p.line, "unit %s: %v", fields[0], err)
	}
	if err := validateUnit(u); err != nil {
		return p.errorf(p.line, "unit %q: %v", u.Name, err)
	}
	if first, ok := h.unitAt[u.Name]; ok {
		return p.errorf(p.line, "unit %q is declared already, in line %d", u.Name, first)
	}
	h.unitAt[u.Name] = p.line
	if have, ok := p.units[u.Name]; ok && have.unit != u {
		return p.errorf(p.line, "unit %q is declared differently at %v: as %s", u.Name, have.pos, unitText(have.unit))
	} else if !ok {
		p.units[u.Name] = declaration{u, Pos{p.filename, p.line}}
	}
	h.units = append(h.units, u)
	return nil
}

// block returns the block of the complete head. The name of the data set is
// that of its first trial if the head does not have it.
func (h *head) block(p *parser, data *string) (*Block, error) {
	for i := range headerKeys {
		if k := &headerKeys[i]; k.needed && h.keys[k.name] == 0 {
			return nil, p.errorf(h.line, "the block has no key %s", k.name)
		}
	}
	if h.keys[keyLearners] == 0 {
		return nil, p.errorf(h.line, "the block has no key %s", keyLearners)
	}
	if len(h.units) == 0 {
		return nil, p.errorf(h.line, "the block declares no unit")
	}
	if h.keys[keyData] == 0 {
		if data == nil {
			return nil, p.errorf(h.line, "the block has neither trials nor a key %s", keyData)
		}
		h.header.Data = *data
	}
	if p.room -= int64(len(h.learners)) * int64(len(h.units)); p.room < 0 {
		return nil, p.wrap(h.line, fmt.Errorf("%w: no room for %d learners in %d metrics: %d cells are allowed (Limits.Cells)", ErrLimit, len(h.learners), len(h.units), p.limits.Cells))
	}
	b := &Block{Header: h.header, Learners: h.learners, Units: h.units}
	if last := p.last; last != nil { // most blocks of a file are alike: share the memory
		if slices.Equal(last.Learners, b.Learners) {
			b.Learners, b.index = last.Learners, last.index
		}
		if slices.Equal(last.Units, b.Units) {
			b.Units = last.Units
		}
	}
	if err := b.init(); err != nil {
		return nil, p.errorf(h.line, "%v", err)
	}
	return b, nil
}
