package record

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A head is the head of a block that is being read.
type head struct {
	line     int            // its first one
	keys     map[string]int // lines of the keys seen so far
	unitAt   map[string]int // lines of the units seen so far
	header   Header
	learners []string
	index    map[string]int // of the learners
	named    string         // the learners as in the file; they may be of a head before
	units    []unit.Unit
	checksum string
	format   string
	lines    map[string][]byte // of the keys that have several
}

func newHead() *head {
	return &head{
		keys: make(map[string]int, 16), unitAt: make(map[string]int, 2),
		lines: make(map[string][]byte),
	}
}

// reset begins another head, in the memory of this one. It is likely to have the same learners.
func (h *head) reset(line int) {
	*h = head{
		line: line, keys: h.keys, unitAt: h.unitAt, lines: h.lines,
		learners: h.learners, index: h.index, named: h.named,
	}
	clear(h.keys)
	clear(h.unitAt)
	clear(h.lines)
}

// addKey takes a key of the head. The header of the block before, if there is one, shares its
// memory.
func (h *head) addKey(line int, name string, text []byte, last *Block) error {
	if name == keyItem || name == keyRight {
		h.addLine(line, name, text)
		return nil
	}
	if first, ok := h.keys[name]; ok {
		return fmt.Errorf("key %s is there already, in line %d", name, first)
	}
	h.keys[name] = line
	k := findKey(name)
	if k != nil && last != nil && len(text) > 0 && string(text) == *k.field(&last.Header) &&
		bytes.IndexByte(text, '\\') < 0 {
		*k.field(&h.header) = *k.field(&last.Header) // which was checked
		return nil
	}
	if name == keyLearners && h.index != nil && string(text) == h.named {
		return nil
	}
	value := string(text)
	switch name {
	case keyFormat:
		h.format = value
		switch value {
		case formatVersion, formatOfItems:
			return nil
		case "1":
			return fmt.Errorf("version 1 of the format is no longer read: run the tests or learnbench again to write the results anew")
		}
		return fmt.Errorf("version %q of the format is unknown: this program reads versions %s and %s",
			value, formatVersion, formatOfItems)
	case keyData:
		data, err := unescapeName(value)
		if err != nil {
			return fmt.Errorf("key %s: %v", name, err)
		}
		h.header.Data = data
		return nil
	case keyLearners:
		return h.addLearners(value)
	case keyChecksum:
		if err := checkDigest(value); err != nil {
			return fmt.Errorf("key %s: %v", name, err)
		}
		h.checksum = value
		return nil
	}
	if k == nil {
		return fmt.Errorf("unknown key %q", name)
	}
	value, err := unescapeText(value)
	if err != nil {
		return fmt.Errorf("key %s: %v", name, err)
	}
	if k.needed && value == "" {
		return fmt.Errorf("key %s has no value", name)
	}
	if k.check != nil && value != "" {
		if err := k.check(value); err != nil {
			return fmt.Errorf("key %s: %v", name, err)
		}
	}
	*k.field(&h.header) = value
	return nil
}

// addLine takes a line of a key that has several. All are checked at once, when the head is
// complete.
func (h *head) addLine(line int, name string, text []byte) {
	if _, ok := h.keys[name]; !ok {
		h.keys[name] = line
	}
	h.lines[name] = append(append(h.lines[name], text...), '\n')
}

func (h *head) addLearners(value string) error {
	h.learners, h.named = nil, value
	for _, field := range strings.Fields(value) {
		name, err := unescapeName(field)
		if err != nil {
			return fmt.Errorf("key %s: %v", keyLearners, err)
		}
		h.learners = append(h.learners, name)
	}
	var err error
	if h.index, err = indexLearners(h.learners); err != nil {
		return fmt.Errorf("key %s: %v", keyLearners, err)
	}
	return nil
}

// A declaration is a unit with the position of the line that declares it.
type declaration struct {
	unit unit.Unit
	pos  Pos
}

// addUnit takes a line that declares a unit. It adds the unit to the declared
// units, by name.
func (h *head) addUnit(pos Pos, text string, declared map[string]declaration) error {
	fields := strings.Fields(text)[1:]
	if len(fields) == 0 {
		return fmt.Errorf("a unit has no name")
	}
	u, err := parseUnit(fields)
	if err != nil {
		return fmt.Errorf("unit %s: %v", fields[0], err)
	}
	if err := validateUnit(u); err != nil {
		return fmt.Errorf("unit %q: %v", u.Name, err)
	}
	if first, ok := h.unitAt[u.Name]; ok {
		return fmt.Errorf("unit %q is declared already, in line %d", u.Name, first)
	}
	h.unitAt[u.Name] = pos.Line
	if have, ok := declared[u.Name]; ok && have.unit != u {
		return fmt.Errorf("unit %q is declared differently at %v: as %s", u.Name, have.pos,
			unitText(have.unit))
	} else if !ok {
		declared[u.Name] = declaration{u, pos}
	}
	h.units = append(h.units, u)
	return nil
}

// block returns the block of the complete head. The name of the data set
// comes from the first trial if the head does not have it. The block takes room for the cells.
func (h *head) block(data *string, last *Block, limit int64, room *int64) (*Block, error) {
	for i := range headerKeys {
		if k := &headerKeys[i]; k.needed && h.keys[k.name] == 0 {
			return nil, fmt.Errorf("the block has no key %s", k.name)
		}
	}
	if h.keys[keyLearners] == 0 {
		return nil, fmt.Errorf("the block has no key %s", keyLearners)
	}
	if len(h.units) == 0 {
		return nil, errors.New("the block declares no unit")
	}
	h.header.Items, h.header.Right = string(h.lines[keyItem]), string(h.lines[keyRight])
	if want := formatOf(&h.header); h.format != want {
		return nil, fmt.Errorf("version %s of the format with the protocol %q, whose results are of version %s", h.format, h.header.Protocol, want)
	}
	if last != nil && last.Header.Items == h.header.Items {
		h.header.Items = last.Header.Items
	}
	if h.keys[keyData] == 0 {
		if data == nil {
			return nil, fmt.Errorf("the block has neither trials nor a key %s", keyData)
		}
		h.header.Data = *data
	}
	if *room -= int64(len(h.learners)) * int64(len(h.units)); *room < 0 {
		return nil, fmt.Errorf("%w: no room for %d learners in %d metrics: %d cells are allowed (Limits.Cells)", ErrLimit, len(h.learners), len(h.units), limit)
	}
	learners, index, units := h.learners, h.index, h.units
	if last != nil { // most blocks of a file are alike: share the memory
		if slices.Equal(last.Learners, learners) {
			learners, index = last.Learners, last.index
		}
		if slices.Equal(last.Columns, units) {
			units = last.Columns
		}
	}
	b, err := newBlock(h.header, learners, index, units, 0)
	if err != nil {
		return nil, err
	}
	b.table.room = room
	return b, nil
}
