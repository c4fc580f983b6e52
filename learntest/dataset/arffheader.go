package dataset

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// readHeader reads up to the line after @data.
func (a *arff) readHeader(opts *ReadOptions) error {
	word, err := a.keyword()
	if err != nil {
		return err
	}
	if word != "@relation" {
		return a.s.errorf("%q in place of @relation", a.s.tok)
	}
	if a.relation, err = a.declaredName("relation"); err != nil {
		return err
	}
	if err := a.endOfLine("the relation's name"); err != nil {
		return err
	}
	seen := make(map[string]bool)
	for {
		if word, err = a.keyword(); err != nil {
			return err
		}
		if word == "@data" {
			break
		}
		if word != "@attribute" {
			return a.s.errorf("%q in place of @attribute or @data", a.s.tok)
		}
		if err := a.s.limited(a.s.budget.name()); err != nil {
			return err
		}
		attr, err := a.readAttribute(opts)
		if err != nil {
			return err
		}
		if !attr.ignore {
			a.s.budget.width++
		}
		if seen[attr.Name] {
			return a.s.errorf("a second attribute %q", attr.Name)
		}
		seen[attr.Name] = true
		a.attrs = append(a.attrs, attr)
	}
	if err := a.endOfLine("@data"); err != nil {
		return err
	}
	if len(a.attrs) == 0 {
		return a.s.errorf("@data without an attribute before it")
	}
	var names []string
	for _, attr := range a.attrs {
		names = append(names, attr.Name)
	}
	return opts.checkNames(a.s.file, names)
}

// keyword moves to the next line that is not blank and returns its first word
// in lower case if it is a keyword.
func (a *arff) keyword() (string, error) {
	for {
		err := a.s.nextLine()
		if errors.Is(err, io.EOF) {
			a.s.line = max(a.s.line, 1)
			return "", a.s.errorf("the file ends before @data")
		}
		if err != nil {
			return "", err
		}
		kind, err := a.s.next()
		if err != nil {
			return "", err
		}
		if kind == tokEOL && a.s.commas == 0 {
			continue
		}
		if kind == tokWord {
			for _, word := range []string{"@attribute", "@data", "@relation", "@end"} {
				if bytes.EqualFold(a.s.tok, []byte(word)) {
					return word, nil
				}
			}
			return "", nil
		}
		return "", a.s.errorf("no keyword at the start of the line: @relation, @attribute or @data")
	}
}

// declaredName reads the name of a relation or an attribute.
func (a *arff) declaredName(what string) (string, error) {
	kind, err := a.s.next()
	if err != nil {
		return "", err
	}
	if kind != tokWord && kind != tokQuoted || a.s.commas > 0 {
		return "", a.s.errorf("the %s has no name, or one that should be quoted", what)
	}
	return a.s.name()
}

func (a *arff) endOfLine(after string) error {
	kind, err := a.s.next()
	if err != nil {
		return err
	}
	if kind != tokEOL || a.s.commas > 0 {
		return a.s.errorf("the line goes on after %s", after)
	}
	return nil
}

func (a *arff) readAttribute(opts *ReadOptions) (attr arffAttribute, err error) {
	if attr.Name, err = a.declaredName("attribute"); err != nil {
		return attr, err
	}
	if attr.Name == "" {
		return attr, a.s.errorf("the name of the attribute is empty")
	}
	attr.ignore = slices.Contains(opts.Ignore, attr.Name)
	attr.group = attr.Name == opts.Group
	kind, err := a.s.next()
	if err != nil {
		return attr, err
	}
	switch {
	case kind == tokOpen && a.s.commas == 0:
		err = a.readValues(&attr)
	case kind != tokWord || a.s.commas > 0:
		err = a.s.errorf("attribute %q has no type: numeric or {value,...}", attr.Name)
	default:
		err = a.readType(&attr)
	}
	return attr, err
}

// readValues reads the declared values of a nominal attribute.
func (a *arff) readValues(attr *arffAttribute) error {
	attr.Kind = Nominal
	attr.codes = make(map[string]int32)
	for {
		kind, err := a.s.next()
		if err != nil {
			return err
		}
		if a.s.commas > min(len(attr.Values), 1) || a.s.commas > 0 && kind == tokClose {
			return a.s.errorf("a declared value of attribute %q is empty: write '' if it is meant",
				attr.Name)
		}
		if kind == tokClose {
			break
		}
		if kind != tokWord && kind != tokQuoted {
			hint := ""
			if a.s.comment {
				hint = " before the comment: quote values that contain %"
			}
			return a.s.errorf("the values of attribute %q are not closed by a brace%s", attr.Name, hint)
		}
		value, err := a.s.name()
		if err != nil {
			return err
		}
		if _, ok := attr.codes[value]; ok {
			return a.s.errorf("attribute %q declares %q twice", attr.Name, value)
		}
		if err := a.s.limited(a.s.budget.name()); err != nil {
			return err
		}
		attr.codes[value] = int32(len(attr.Values))
		attr.Values = append(attr.Values, value)
	}
	return a.endOfType(attr)
}

func (a *arff) readType(attr *arffAttribute) error {
	switch typ := string(bytes.ToLower(a.s.tok)); typ {
	case "numeric", "real", "integer":
		attr.Kind = Numeric
		return a.endOfType(attr)
	case "string", "date", "relational":
		attr.text = true
		if attr.group && typ != "relational" {
			return nil
		}
		if !attr.ignore {
			return a.s.errorf("attribute %q has type %s, which a table cannot hold: convert it, or leave it out by naming it in ReadOptions.Ignore", attr.Name, typ)
		}
		if typ == "relational" {
			return a.skipRelation(attr.Name)
		}
		return nil
	default:
		return a.s.errorf("attribute %q has the unknown type %q: numeric or {value,...}", attr.Name,
			a.s.tok)
	}
}

// endOfType reads the rest of an attribute's line. Ranges in brackets, as in
// "integer [1,10]", occur in old files; Weka does not look at them either.
func (a *arff) endOfType(attr *arffAttribute) error {
	kind, err := a.s.next()
	switch {
	case err != nil:
		return err
	case kind == tokEOL && a.s.commas == 0:
		return nil
	case kind == tokWord && a.s.tok[0] == '[' && a.s.commas == 0 && attr.Kind == Numeric:
		return nil
	case kind == tokOpen:
		return a.s.errorf("attribute %q has a weight, which a table cannot hold: remove it", attr.Name)
	}
	return a.s.errorf("the line goes on after the type of attribute %q", attr.Name)
}

// skipRelation skips the attributes of an ignored relational attribute.
func (a *arff) skipRelation(name string) error {
	start := a.s.line
	for depth := 1; depth > 0; {
		word, err := a.keyword()
		if err != nil {
			return err
		}
		switch word {
		case "@attribute":
			if _, err := a.declaredName("attribute"); err != nil {
				return err
			}
			kind, err := a.s.next()
			if err != nil {
				return err
			}
			if kind == tokWord && bytes.EqualFold(a.s.tok, []byte("relational")) {
				depth++
			}
		case "@end":
			depth--
		default:
			return a.s.errorf("no @end of the relational attribute %q of line %d", name, start)
		}
	}
	return nil
}
