package dataset

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// ReadOptions say how a file becomes a [Table]. The zero value reads every
// attribute and takes the last one as the class. An option that cannot be
// applied is an error that wraps [ErrOptions].
type ReadOptions struct {
	// Name is the name of the table. If empty, it is the relation of an ARFF
	// file, or the base name of a CSV file without its extension.
	Name string

	// Class names the attribute to be predicted. If empty, it is the last
	// attribute that is not ignored.
	Class string

	// NoClass says that no attribute is the class.
	NoClass bool

	// Ignore names attributes to leave out. It is the only way to read an ARFF
	// file with string, date or relational attributes.
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

	// Limits bound the bytes, the lines and the cells of the file. The zero
	// value stands for generous defaults.
	Limits Limits
}

func (o *ReadOptions) check() error {
	if err := o.Limits.check(); err != nil {
		return err
	}
	if o.NoClass && o.Class != "" {
		return fmt.Errorf("%w: both class %q and no class", ErrOptions, o.Class)
	}
	if o.Class != "" && slices.Contains(o.Ignore, o.Class) {
		return fmt.Errorf("%w: the class %q is to be ignored", ErrOptions, o.Class)
	}
	return nil
}

// checkARFF rejects what an ARFF file says itself.
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
	return fmt.Errorf("%w: %s does not apply to ARFF files, which declare it themselves", ErrOptions, name)
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
func (o *ReadOptions) checkNames(file string, has func(name string) bool) error {
	if o.Class != "" && !has(o.Class) {
		return fmt.Errorf("%w: %s has no attribute %q to be the class", ErrOptions, file, o.Class)
	}
	for _, name := range o.Ignore {
		if !has(name) {
			return fmt.Errorf("%w: %s has no attribute %q to ignore", ErrOptions, file, name)
		}
	}
	for _, name := range slices.Concat(sortedKeys(o.Kinds), sortedKeys(o.Values)) {
		if !has(name) {
			return fmt.Errorf("%w: %s has no column %q", ErrOptions, file, name)
		}
		if slices.Contains(o.Ignore, name) {
			return fmt.Errorf("%w: column %q is described, but to be ignored", ErrOptions, name)
		}
	}
	return nil
}

// table returns the table of the columns that are kept. name is what the file
// says.
func (o *ReadOptions) table(file, name string, cols []Column, weights []float64) (*Table, error) {
	if len(cols) == 0 {
		return nil, fmt.Errorf("%w: every attribute of %s is to be ignored", ErrOptions, file)
	}
	if o.Name != "" {
		name = o.Name
	}
	return New(name, cols, o.classIndex(cols), weights)
}

// classIndex returns the index of the class among the attributes that are kept.
func (o *ReadOptions) classIndex(cols []Column) int {
	switch {
	case o.NoClass:
		return -1
	case o.Class == "":
		return len(cols) - 1
	}
	return slices.IndexFunc(cols, func(c Column) bool { return c.Name == o.Class })
}
