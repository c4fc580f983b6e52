package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// readFlags defines the flags that say how data files are read.
func readFlags(fs *flag.FlagSet, opts *dataset.ReadOptions) {
	names := func(flag string, each func(name string)) {
		fs.Func(flag, "", func(list string) error {
			for name := range strings.SplitSeq(list, ",") {
				each(strings.TrimSpace(name))
			}
			return nil
		})
	}
	fs.StringVar(&opts.Class, "class", "", "")
	fs.StringVar(&opts.Target, "target", "", "")
	fs.StringVar(&opts.Group, "group", "", "")
	names("ignore", func(name string) { opts.Ignore = append(opts.Ignore, name) })
	names("nominal", func(name string) {
		if opts.Kinds == nil {
			opts.Kinds = make(map[string]dataset.Kind)
		}
		opts.Kinds[name] = dataset.Nominal
	})
	fs.Func("missing", "", func(text string) error {
		if opts.Missing == nil {
			opts.Missing = []string{"", "?", "NA"}
		}
		opts.Missing = append(opts.Missing, text)
		return nil
	})
}

// A reading says how data sets are read.
type reading struct {
	dataset.ReadOptions
	log     io.Writer // gets how CSV files were read, which say nothing of that themselves; may be nil
	labeled bool      // every example must have its class or target
}

// openTables reads data sets.
func openTables(names []string, opts reading) ([]*dataset.Table, error) {
	var tables []*dataset.Table
	files := 0
	for _, name := range names {
		var t *dataset.Table
		var err error
		if builtIn, ok := strings.CutPrefix(name, "uci:"); ok {
			t, err = uci.Load(builtIn)
			for _, column := range opts.Slices {
				if err == nil {
					t, err = t.WithSlice(column)
				}
			}
		} else {
			files++
			t, err = openFile(name, opts)
		}
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	if files == 0 && (opts.Class != "" || opts.Target != "" || opts.Group != "" ||
		opts.Ignore != nil || opts.Kinds != nil || opts.Missing != nil) {
		return nil, errors.New("-class, -target, -group, -ignore, -nominal and -missing are for files; built-in data sets have their classes")
	}
	return tables, nil
}

// openFile reads a data set from a file and checks its classes or targets.
func openFile(name string, opts reading) (*dataset.Table, error) {
	var lines []int
	opts.OnRow = func(line int) { lines = append(lines, line) }
	t, err := dataset.Open(name, opts.ReadOptions)
	if err != nil {
		return nil, err
	}
	if opts.labeled {
		if err := checkLabels(name, t, lines); err != nil {
			return nil, err
		}
	}
	at := t.ClassIndex()
	if counts := counted(t, at); len(counts) > 0 && len(counts) == t.Len() {
		return nil, fmt.Errorf("%s: the class %q has a value of its own in each of %d examples: name another attribute with -class, or one that is a number with -target", name, t.Attribute(at).Name, t.Len())
	}
	if opts.log != nil && isCSV(name) {
		cli.Report(opts.log, "learnbench", fmt.Errorf("%s: %s", name, described(t, opts.ReadOptions)))
	}
	return t, nil
}

func isCSV(path string) bool {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")) == ".csv"
}

// checkLabels returns an error unless each example has a class or target. The lines are the line
// numbers of the examples in the file.
func checkLabels(file string, t *dataset.Table, lines []int) error {
	var missing []int
	for i := range t.Len() {
		if t.Missing(i, t.ClassIndex()) {
			missing = append(missing, lines[i])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	rows := "that row"
	if len(missing) > 1 {
		rows = fmt.Sprintf("the %d rows where it is missing", len(missing))
	}
	return fmt.Errorf("%s:%d: %q is to be predicted, and missing: leave out %s, or name another attribute (-class, -target)", file, missing[0], t.Attribute(t.ClassIndex()).Name, rows)
}

// A frequency is how often a value occurs.
type frequency struct {
	value string
	n     int
}

// counted returns how often the values of a nominal attribute occur that do, in their order.
func counted(t *dataset.Table, at int) []frequency {
	a := t.Attribute(at)
	if a.Kind != dataset.Nominal {
		return nil
	}
	counts := make([]frequency, len(a.Values))
	for _, code := range t.Codes(at) {
		if code >= 0 {
			counts[code].value = a.Values[code]
			counts[code].n++
		}
	}
	return slices.DeleteFunc(counts, func(c frequency) bool { return c.n == 0 })
}

// described says in a line what a table is.
func described(t *dataset.Table, opts dataset.ReadOptions) string {
	const mostClasses = 5
	at := t.ClassIndex()
	kind := "the class"
	if t.Attribute(at).Kind == dataset.Numeric {
		kind = "the target"
	}
	target := fmt.Sprintf("%s is %q", kind, t.Attribute(at).Name)
	if cmp.Or(opts.Class, opts.Target) == "" {
		target += ", the last column"
	}
	if counts := counted(t, at); len(counts) > mostClasses {
		target += fmt.Sprintf(" (%d values)", len(counts))
	} else if len(counts) > 0 {
		var each []string
		for _, c := range counts {
			each = append(each, fmt.Sprintf("%s %d", c.value, c.n))
		}
		target += " (" + strings.Join(each, ", ") + ")"
	}
	var numbers, nominal []string
	for i := range t.NumAttributes() {
		if i == at {
			continue
		}
		notes := ""
		if a := t.Attribute(i); a.Kind == dataset.Nominal {
			notes = fmt.Sprintf("%d values", len(a.Values))
		}
		missing := 0
		for row := range t.Len() {
			if t.Missing(row, i) {
				missing++
			}
		}
		if missing > 0 {
			notes = strings.TrimPrefix(notes+fmt.Sprintf(", %d missing", missing), ", ")
		}
		name := t.Attribute(i).Name
		if notes != "" {
			name += " (" + notes + ")"
		}
		if t.Attribute(i).Kind == dataset.Numeric {
			numbers = append(numbers, name)
		} else {
			nominal = append(nominal, name)
		}
	}
	parts := []string{fmt.Sprintf("%d examples", t.Len()), target}
	for _, list := range []struct {
		name  string
		names []string
	}{{"numbers", numbers}, {"nominal", nominal}} {
		if len(list.names) > 0 {
			parts = append(parts, list.name+": "+shortList(list.names))
		}
	}
	return strings.Join(parts, "; ")
}

// shortList returns the first of some names, and how many more there are.
func shortList(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
