package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ReadOptions say how a file becomes a [Table]. The zero value reads every attribute and
// takes the last one as the class. An attribute is at most one of class, target, group and
// ignored. An option that does not apply is an error that wraps [ErrOptions].
type ReadOptions struct {
	// Name is the name of the table. If empty, it is the relation of an ARFF
	// file, or the base name of a CSV file without its extension.
	Name string

	// Class names the attribute to be predicted. In a CSV file it is nominal even if its
	// values look like numbers. If Class and Target are empty, it is the last attribute
	// that is neither ignored nor the group.
	Class string

	// Target names the attribute to be predicted in place of Class, where it may be a
	// number: an ARFF file declares its kind, and in a CSV file the values decide. Kinds
	// overrides them.
	Target string

	// NoClass means that there is no attribute to be predicted.
	NoClass bool

	// Group names the attribute that identifies rows that belong together, such as the
	// patient. It becomes [Table.Groups] and not a column, so that no learner sees it; a
	// row without it is an error. Groups are equal if their texts are. In an ARFF file the
	// attribute may also be a string or a date; groups declared as numbers are equal if the
	// numbers are.
	Group string

	// Slices names nominal attributes, or the group, whose values are slices of the rows, and
	// bounds on numeric ones: see [Table.WithSlice].
	Slices []string

	// Ignore names attributes to leave out. An ARFF file with string, date or relational
	// attributes can be read only if they are ignored.
	Ignore []string

	// Kinds fixes the kinds of columns of a CSV file. The kinds of the others
	// are inferred, and the class is nominal.
	Kinds map[string]Kind

	// Values declares the values of columns of a CSV file, in order; such a
	// column is nominal. The values of the other nominal columns are declared in
	// the order of their first appearance.
	Values map[string][]string

	// Missing lists the fields that stand for a missing value in a CSV file. If
	// nil, they are the empty field, "?" and "NA"; if empty but not nil, there
	// are none.
	Missing []string

	// Comma separates the fields of a CSV file. If zero, it is a comma.
	Comma rune

	// OnRow, if not nil, is called for each row in order, with the line of the file on
	// which it begins, counted from 1.
	OnRow func(line int)

	// Limits bound the bytes, the lines and the cells of the file. The zero
	// value stands for generous defaults.
	Limits Limits
}

func (o *ReadOptions) check() error {
	if err := o.Limits.check(); err != nil {
		return err
	}
	for _, f := range []struct{ what, name string }{{"class", o.Class}, {"target", o.Target}} {
		if o.NoClass && f.name != "" {
			return fmt.Errorf("%w: both %s %q and no class", ErrOptions, f.what, f.name)
		}
	}
	if o.Class != "" && o.Target != "" {
		return fmt.Errorf("%w: both class %q and target %q: name one of them", ErrOptions,
			o.Class, o.Target)
	}
	for _, f := range []struct{ what, name string }{
		{"class", o.Class},
		{"target", o.Target},
		{"group", o.Group},
	} {
		if f.name != "" && slices.Contains(o.Ignore, f.name) {
			return fmt.Errorf("%w: the %s %q is to be ignored", ErrOptions, f.what, f.name)
		}
	}
	if o.Group != "" && o.Group == o.predicted() {
		return fmt.Errorf("%w: %q is to be predicted and the group", ErrOptions, o.Group)
	}
	return nil
}

// predicted returns the name of the class or target, or "" if none is named.
func (o *ReadOptions) predicted() string { return cmp.Or(o.Class, o.Target) }

// checkARFF rejects options for facts that an ARFF file declares.
func (o *ReadOptions) checkARFF() error {
	var name string
	switch {
	case o.Kinds != nil:
		name = "Kinds"
	case o.Values != nil:
		name = "Values"
	case o.Missing != nil:
		name = "Missing"
	case o.Comma != 0:
		name = "Comma"
	default:
		return o.check()
	}
	return fmt.Errorf("%w: %s does not apply to ARFF files, which declare it themselves", ErrOptions,
		name)
}

func (o *ReadOptions) checkCSV() error {
	if c := o.Comma; c == '"' || c == '\n' || c == '\r' || c == utf8.RuneError || !utf8.ValidRune(c) {
		return fmt.Errorf("%w: %q cannot separate fields", ErrOptions, c)
	}
	for _, name := range sortedKeys(o.Kinds) {
		if k := o.Kinds[name]; k != Numeric && k != Nominal {
			return fmt.Errorf("%w: column %q: unknown kind %v", ErrOptions, name, k)
		}
	}
	for _, name := range sortedKeys(o.Values) {
		if k, ok := o.Kinds[name]; ok && k != Nominal {
			return fmt.Errorf("%w: column %q is to be %v and has declared values", ErrOptions, name, k)
		}
		values := o.Values[name]
		for i, v := range values {
			if slices.Contains(values[:i], v) {
				return fmt.Errorf("%w: column %q: value %q is declared twice", ErrOptions, name, v)
			}
			if !utf8.ValidString(v) {
				return fmt.Errorf("%w: column %q: value %q is not UTF-8", ErrOptions, name, v)
			}
			if slices.Contains(o.missing(), v) {
				return fmt.Errorf("%w: column %q: %q is both declared and missing", ErrOptions, name, v)
			}
		}
	}
	return o.check()
}

func (o *ReadOptions) missing() []string {
	if o.Missing == nil {
		return []string{"", "?", "NA"}
	}
	return o.Missing
}

// checkNames reports the first option that names an attribute that the file
// does not have, or that has no effect because the attribute is ignored.
func (o *ReadOptions) checkNames(file string, names []string) error {
	set := make(map[string]bool)
	for _, name := range names {
		set[name] = true
	}
	has := func(name string) bool { return set[name] }
	for _, f := range []struct{ what, name string }{
		{"class", o.Class},
		{"target", o.Target},
		{"group", o.Group},
	} {
		if f.name != "" && !has(f.name) {
			return fmt.Errorf("%w: %s has no attribute %q to be the %s: it has %s", ErrOptions, file, f.name,
				f.what, someNames(names))
		}
	}
	for _, name := range o.Ignore {
		if !has(name) {
			return fmt.Errorf("%w: %s has no attribute %q to ignore: it has %s", ErrOptions, file, name,
				someNames(names))
		}
	}
	for _, name := range slices.Concat(sortedKeys(o.Kinds), sortedKeys(o.Values)) {
		if !has(name) {
			return fmt.Errorf("%w: %s has no column %q: it has %s", ErrOptions, file, name, someNames(names))
		}
		if slices.Contains(o.Ignore, name) {
			return fmt.Errorf("%w: column %q is described, but to be ignored", ErrOptions, name)
		}
		if name == o.Group {
			return fmt.Errorf("%w: column %q is described, but the group, which is text", ErrOptions, name)
		}
	}
	return nil
}

// someNames returns the first names of a file for a message.
func someNames(names []string) string {
	const most = 20
	var list []string
	for _, name := range names[:min(most, len(names))] {
		list = append(list, strconv.Quote(shorten(name)))
	}
	if len(names) > most {
		list = append(list, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(list, ", ")
}

// table returns the table of the columns that are kept. name comes from the file.
func (o *ReadOptions) table(file, name string, cols []Column, weights []float64,
	groups *groupColumn,
) (*Table, error) {
	if len(cols) == 0 {
		return nil, fmt.Errorf("%w: every attribute of %s is to be ignored or the group", ErrOptions,
			file)
	}
	if o.Name != "" {
		name = o.Name
	}
	t, err := New(name, cols, o.classIndex(cols), weights)
	if err == nil && o.Group != "" {
		t, err = t.WithGroups(o.Group, groups.of)
	}
	for _, column := range o.Slices {
		if err == nil {
			t, err = t.WithSlice(column)
		}
	}
	return t, err
}

// classIndex returns the index of the class among the attributes that are kept.
func (o *ReadOptions) classIndex(cols []Column) int {
	switch {
	case o.NoClass:
		return -1
	case o.predicted() == "":
		return len(cols) - 1
	}
	return slices.IndexFunc(cols, func(c Column) bool { return c.Name == o.predicted() })
}
