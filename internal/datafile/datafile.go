// Package datafile reads the data sets that the commands name: files in ARFF or CSV, and built-in
// sets. All commands have the same flags for how files are read, so that a command that is run later
// reads the rows, and their digest, that the run has had.
package datafile

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// Flags defines the flags that say how data files are read.
func Flags(fs *flag.FlagSet, opts *dataset.ReadOptions) {
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

// Options say how data sets are read.
type Options struct {
	dataset.ReadOptions

	// Note gets how a CSV file was read, which says nothing of that itself; may be nil.
	Note func(text string)

	Labeled bool // every example must have its class or target
}

// Open reads data sets: files, and built-in ones as uci:NAME.
func Open(names []string, opts Options) ([]*dataset.Table, error) {
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
func openFile(name string, opts Options) (*dataset.Table, error) {
	var lines []int
	opts.OnRow = func(line int) { lines = append(lines, line) }
	t, err := dataset.Open(name, opts.ReadOptions)
	if err != nil {
		return nil, err
	}
	if opts.Labeled {
		if err := checkLabels(name, t, lines); err != nil {
			return nil, err
		}
	}
	at := t.ClassIndex()
	if counts := counted(t, at); len(counts) > 0 && len(counts) == t.Len() {
		return nil, fmt.Errorf("%s: the class %q has a value of its own in each of %d examples: name another attribute with -class, or one that is a number with -target", name, t.Attribute(at).Name, t.Len())
	}
	if opts.Note != nil && isCSV(name) {
		opts.Note(fmt.Sprintf("%s: %s", name, described(t, opts.ReadOptions)))
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
