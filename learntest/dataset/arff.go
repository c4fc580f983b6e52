package dataset

import (
	"errors"
	"io"
	"math"
)

// ReadARFF reads a table from r in Weka's attribute-relation file format. filename appears
// in errors.
//
// The grammar is the grammar of Weka 3.7 and later. Keywords and type names are
// case-insensitive, % starts a comment, and values are separated by a comma or white space.
// Values that contain one of , { } % ' " or white space are quoted with ' or ", with
// escapes as in Java. An unquoted ? is a missing value. A row may be sparse: in {1 x, 3 y}
// the attributes that are not mentioned, counting from 0, have the number 0 or the first
// declared value. A row may end in its weight: 5.1,yes,{0.5}.
//
// ReadARFF is stricter than Weka where a file is probably damaged. It returns a
// [*SyntaxError] for an empty value between two commas, an open quote, an undeclared value,
// a number that is not finite, a repeated name, a sparse row whose indices do not increase,
// a weight that is not positive, and an attribute weight. String, date and relational
// attributes are errors unless they are in [ReadOptions.Ignore]. A file that exceeds one of
// the [Limits] is a [*SyntaxError] that wraps [ErrLimit].
func ReadARFF(r io.Reader, filename string, opts ReadOptions) (*Table, error) {
	if err := opts.checkARFF(); err != nil {
		return nil, err
	}
	a := arff{s: newScanner(r, filename, newBudget(opts.Limits)), onRow: opts.OnRow}
	if err := a.readHeader(&opts); err != nil {
		return nil, err
	}
	for {
		err := a.s.nextLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = a.readRow()
		}
		if err != nil {
			return nil, err
		}
	}
	return a.table(&opts)
}

// An arff is the part of a file that has been read.
type arff struct {
	s        *scanner
	relation string
	attrs    []arffAttribute
	groups   groupColumn
	rows     int
	weights  []float64 // nil as long as no row has a weight
	onRow    func(line int)
}

// An arffAttribute is a column and the state needed to append to it.
type arffAttribute struct {
	Column
	codes  map[string]int32
	ignore bool
	group  bool
	text   bool // neither numeric nor nominal
}

func (a *arff) table(opts *ReadOptions) (*Table, error) {
	cols := make([]Column, 0, len(a.attrs))
	for i := range a.attrs {
		if !a.attrs[i].ignore && !a.attrs[i].group {
			cols = append(cols, a.attrs[i].Column)
		}
	}
	return opts.table(a.s.file, a.relation, cols, a.weights, &a.groups)
}

func (a *arff) readRow() error {
	kind, err := a.s.next()
	if err != nil {
		return err
	}
	if kind == tokEOL && a.s.commas == 0 {
		return nil
	}
	if err := a.s.limited(a.s.budget.row()); err != nil {
		return err
	}
	if kind == tokOpen && a.s.commas == 0 {
		err = a.readSparse()
	} else {
		err = a.readDense(kind)
	}
	if err != nil {
		return err
	}
	a.rows++
	if a.onRow != nil {
		a.onRow(a.s.line)
	}
	return a.readWeight()
}

func (a *arff) readDense(kind tokenKind) error {
	for i := range a.attrs {
		if i > 0 {
			var err error
			if kind, err = a.s.next(); err != nil {
				return err
			}
		}
		if a.s.commas > min(i, 1) {
			return a.emptyValue()
		}
		if kind != tokWord && kind != tokQuoted {
			return a.short(kind, i)
		}
		if err := a.append(i, kind); err != nil {
			return err
		}
	}
	return nil
}

func (a *arff) emptyValue() error {
	return a.s.errorf("a value is empty: write ? for a missing value, '' for an empty one")
}

// short returns the error about a row that ends before the value of attribute i.
func (a *arff) short(kind tokenKind, i int) error {
	switch {
	case kind == tokOpen || kind == tokClose:
		return a.s.errorf("brace in place of the value of attribute %q: quote values that contain braces",
			a.attrs[i].Name)
	case a.s.commas > 0:
		return a.emptyValue()
	case a.s.comment:
		return a.s.errorf("the row ends after %d values of %d at a comment: quote values that contain %%",
			i, len(a.attrs))
	}
	return a.s.errorf("the row has %d values for %d attributes", i, len(a.attrs))
}

func (a *arff) readSparse() error {
	s := a.s
	next := 0
	for first := true; ; first = false {
		kind, err := s.next()
		if err != nil {
			return err
		}
		if s.commas > 1 || s.commas == 1 && (first || kind == tokClose) {
			return a.emptyValue()
		}
		if kind == tokClose {
			break
		}
		if kind != tokWord {
			return s.errorf("the sparse row is not closed by a brace")
		}
		index, ok := parseIndex(s.tok, len(a.attrs))
		if !ok {
			return s.errorf("%q is not an index of the %d attributes, from 0", s.tok, len(a.attrs))
		}
		if index < next {
			return s.errorf("index %d of the sparse row does not increase", index)
		}
		for ; next < index; next++ {
			if err := a.appendZero(next); err != nil {
				return err
			}
		}
		if kind, err = s.next(); err != nil {
			return err
		}
		if kind != tokWord && kind != tokQuoted || s.commas > 1 {
			return s.errorf("index %d of the sparse row has no value", index)
		}
		if err := a.append(index, kind); err != nil {
			return err
		}
		next++
	}
	for ; next < len(a.attrs); next++ {
		if err := a.appendZero(next); err != nil {
			return err
		}
	}
	return nil
}

func parseIndex(b []byte, n int) (int, bool) {
	index := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		if index = index*10 + int(c-'0'); index >= n {
			return 0, false
		}
	}
	return index, true
}

// append appends the current token to attribute i.
func (a *arff) append(i int, kind tokenKind) error {
	attr, tok := &a.attrs[i], a.s.tok
	missing := kind == tokWord && len(tok) == 1 && tok[0] == '?'
	switch {
	case attr.ignore:
	case attr.group:
		return a.appendGroup(attr, tok, missing)
	case attr.Kind == Nominal:
		code := int32(-1)
		if !missing {
			var ok bool
			if code, ok = attr.codes[string(tok)]; !ok {
				return a.s.errorf("value %q of attribute %q is not declared", tok, attr.Name)
			}
		}
		attr.Codes = append(room(attr.Codes, a.s.budget), code)
	default:
		x := math.NaN()
		if !missing {
			var err error
			if x, err = parseNumber(tok); err != nil {
				return a.s.errorf("value %q of attribute %q is %v", tok, attr.Name, err)
			}
		}
		attr.Numbers = append(room(attr.Numbers, a.s.budget), x)
	}
	return nil
}

// appendZero appends the value of an attribute that a sparse row omits.
func (a *arff) appendZero(i int) error {
	attr := &a.attrs[i]
	switch {
	case attr.ignore:
	case attr.text:
		return a.s.errorf("the sparse row leaves out attribute %q, the group", attr.Name)
	case attr.Kind == Numeric && attr.group:
		return a.appendGroup(attr, []byte{'0'}, false)
	case attr.Kind == Numeric:
		attr.Numbers = append(attr.Numbers, 0)
	case len(attr.Values) == 0:
		return a.s.errorf("the sparse row leaves out attribute %q, which has no declared values",
			attr.Name)
	case attr.group:
		return a.appendGroup(attr, []byte(attr.Values[0]), false)
	default:
		attr.Codes = append(attr.Codes, 0)
	}
	return nil
}

// appendGroup appends a row's group. Numbers are normalized, so that 1 and 1.0 are one
// group.
func (a *arff) appendGroup(attr *arffAttribute, tok []byte, missing bool) error {
	switch {
	case missing:
		return a.s.errorf("the row has no group, attribute %q: give it one, or leave the row out",
			attr.Name)
	case attr.text:
	case attr.Kind == Numeric:
		x, err := parseNumber(tok)
		if err != nil {
			return a.s.errorf("value %q of attribute %q is %v", tok, attr.Name, err)
		}
		tok = appendNumber(nil, x+0) // not -0
	default:
		if _, ok := attr.codes[string(tok)]; !ok {
			return a.s.errorf("value %q of attribute %q is not declared", tok, attr.Name)
		}
	}
	err := a.groups.append(tok, a.s.budget)
	switch {
	case errors.Is(err, ErrLimit):
		return a.s.limited(err)
	case err != nil:
		return a.s.errorf("attribute %q: %v", attr.Name, err)
	}
	return nil
}

// readWeight reads the rest of a row's line.
func (a *arff) readWeight() error {
	s := a.s
	kind, err := s.next()
	if err != nil {
		return err
	}
	weight := 1.0
	if kind == tokOpen && s.commas <= 1 {
		if kind, err = s.next(); err != nil {
			return err
		}
		if kind != tokWord || s.commas > 0 {
			return s.errorf("no weight between the braces at the end of the row")
		}
		if weight, err = parseNumber(s.tok); err != nil {
			return s.errorf("weight %q is %v", s.tok, err)
		}
		if !(weight > 0) {
			return s.errorf("weight %v is not positive", weight)
		}
		if kind, err = s.next(); err != nil {
			return err
		}
		if kind != tokClose || s.commas > 0 {
			return s.errorf("more than a weight between the braces at the end of the row")
		}
		if kind, err = s.next(); err != nil {
			return err
		}
	}
	if kind != tokEOL || s.commas > 0 {
		return s.errorf("the row goes on after its %d values", len(a.attrs))
	}
	if a.weights == nil && weight != 1 {
		for range a.rows - 1 {
			a.weights = append(a.weights, 1)
		}
	}
	if a.weights != nil || weight != 1 {
		a.weights = append(a.weights, weight)
	}
	return nil
}
