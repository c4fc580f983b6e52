package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/flip"
	"github.com/learnbench/learnbench/internal/datafile"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/unit"
)

// columns are the arguments of -flips about columns of the data, whose values are slices.
type columns struct {
	data []string // files, or built-in data sets
	read dataset.ReadOptions
}

// readFlags are the flags that say how data are read. -ignore is a flag of all comparisons, too: with
// slices it names columns of the data, as in a run.
var readFlags = func() []string {
	var names []string
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	datafile.Flags(fs, new(dataset.ReadOptions))
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}()

// flags defines the flags. In other comparisons, -ignore names keys of results, which keys gets.
func (c *columns) flags(fs *flag.FlagSet, keys *string) {
	add := func(to *[]string) func(string) error {
		return func(text string) error { *to = append(*to, text); return nil }
	}
	fs.Func("data-file", "", add(&c.data))
	fs.Func("slice", "", add(&c.read.Slices))
	reading := flag.NewFlagSet("", flag.ContinueOnError)
	reading.SetOutput(io.Discard)
	datafile.Flags(reading, &c.read)
	reading.VisitAll(func(f *flag.Flag) {
		if f.Name != "ignore" {
			fs.Var(f.Value, f.Name, "")
		}
	})
	fs.Func("ignore", "", func(list string) error {
		*keys = list
		return reading.Set("ignore", list)
	})
}

// elsewhere returns an error if the flags are set for another purpose than flips.
func (c *columns) elsewhere(set map[string]bool) error {
	switch {
	case set["slice"]:
		return errors.New("-slice is for -flips, which shows predictions: results have the slices that their run has declared, or learnbench score: see -slices")
	case set["data-file"]:
		return errors.New("-data-file is for -flips, which takes slices from it; -data names the data sets that are compared")
	}
	return c.alone(set)
}

// alone returns an error if flags say how data are read, and none names the data.
func (c *columns) alone(set map[string]bool) error {
	for _, name := range readFlags {
		if set[name] && len(c.data) == 0 && (name != "ignore" || set["flips"]) {
			return fmt.Errorf("-%s says how -flips reads data: name them with -data-file, and columns with -slice", name)
		}
	}
	return nil
}

// check returns an error unless the arguments of -flips make sense together.
func (c *columns) check(set map[string]bool) error {
	switch {
	case len(c.read.Slices) > 0 && len(c.data) == 0:
		return errors.New("-slice without -data-file: predictions have no columns; name the data that the learners were trained on")
	case len(c.data) > 0 && len(c.read.Slices) == 0:
		return errors.New("-data-file without -slice: name the columns whose values are slices; -data names the data sets that are compared")
	}
	return c.alone(set)
}

// divide divides pairs into the slices, and returns notes on them.
func (c *columns) divide(pairs []*flip.Pair) ([]string, error) {
	if len(c.data) == 0 {
		return nil, nil
	}
	sliced, note, err := datafile.Slices(c.data, c.read)
	if err != nil {
		return nil, fmt.Errorf("-data-file: %w", err)
	}
	notes, err := flip.Divide(pairs, sliced)
	if err != nil {
		return nil, fmt.Errorf("-data-file %s: %w: read it with the flags of the run (%s)",
			unit.Quoted(c.data), err, "-class, -target, -group, -ignore, -nominal, -missing")
	}
	notes = append(notes, flip.Afterwards)
	if note != "" {
		notes = append(notes, note)
	}
	return notes, nil
}
