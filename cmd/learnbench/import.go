package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/datafile"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/record/imports"
	"github.com/learnbench/learnbench/learntest/unit"
)

// An importConfig holds the flags of the import command.
type importConfig struct {
	format          imports.Format
	opts            imports.Options
	learners, paths []string
	data            []string
	reading         dataset.ReadOptions // of data
	out             string
	predictions     string
	lenient         bool // trials may have failed

	items    imports.ItemFormat // in place of format, if it has a name
	itemOpts imports.ItemOptions
}

func parseImport(args []string) (*importConfig, error) {
	c := &importConfig{}
	fs := flag.NewFlagSet("import", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	from := fs.String("from", "", "")
	fs.StringVar(&c.out, "o", "", "")
	fs.StringVar(&c.predictions, "predictions", "", "")
	fs.StringVar(&c.opts.Probabilities, "probabilities", "", "")
	fs.BoolVar(&c.lenient, "lenient", false, "")
	fs.StringVar(&c.opts.Dataset, "dataset", "", "")
	fs.Var((*list)(&c.learners), "learner", "")
	fs.IntVar(&c.opts.Runs, "runs", 0, "")
	fs.IntVar(&c.opts.Folds, "folds", 0, "")
	fs.StringVar(&c.opts.Partitions, "partitions", "", "")
	fs.Func("examples", "", c.opts.SetExamples)
	fs.Func("measure", "", func(s string) error {
		m, err := imports.ParseMeasure(s)
		c.opts.Measures = append(c.opts.Measures, m)
		return err
	})
	fs.Func("where", "", func(s string) error {
		w, err := imports.ParseCondition(s)
		c.opts.Where = append(c.opts.Where, w)
		return err
	})
	fs.Func("map", "", c.opts.AddMap)
	fs.StringVar(&c.itemOpts.ID, "id", "", "")
	fs.StringVar(&c.itemOpts.Cluster, "cluster", "", "")
	fs.Var((*list)(&c.itemOpts.Slices), "slice", "")
	fs.StringVar(&c.itemOpts.Repeat, "repeat", "", "")
	fs.StringVar(&c.itemOpts.Qrels, "qrels", "", "")
	fs.Func("content", "", func(s string) error {
		c.itemOpts.Content = strings.Split(s, ",")
		return nil
	})
	fs.Var((*list)(&c.data), "data", "")
	datafile.Flags(fs, &c.reading)
	set, err := parseFlags(fs, args)
	if err != nil {
		return nil, err
	}
	c.paths, c.opts.Predictions = fs.Args(), c.predictions != ""
	return c, c.check(*from, set)
}

// check checks the values of the flags, of which some are set.
func (c *importConfig) check(from string, set map[string]bool) error {
	var names []string
	for _, f := range imports.Formats() {
		names = append(names, f.Name)
	}
	for _, f := range imports.ItemFormats() {
		names = append(names, f.Name)
	}
	var missing []error
	if from == "" {
		missing = append(missing, fmt.Errorf("no format: use -from with one of %s",
			strings.Join(names, ", ")))
	}
	if c.out == "" {
		missing = append(missing, errors.New("no result file: name a file or a directory with -o"))
	}
	if len(c.paths) == 0 {
		missing = append(missing, errors.New("no files: name the files to import"))
	}
	switch {
	case missing != nil:
		return errors.Join(missing...)
	case set["predictions"] && c.predictions == "":
		return errors.New("-predictions is empty: name a file for them, as in -predictions new.pred.gz")
	case set["probabilities"] && !set["predictions"]:
		return errors.New("-probabilities without -predictions: name a file for the predictions")
	case set["runs"] && c.opts.Runs < 1:
		return fmt.Errorf("-runs %d is less than 1", c.opts.Runs)
	case set["folds"] && c.opts.Folds < 1:
		return fmt.Errorf("-folds %d is less than 1", c.opts.Folds)
	case slices.Contains(c.learners, ""):
		return errors.New("-learner is empty: name the learner of each file")
	}
	return c.setFormat(from, names, set)
}

// setFormat finds the format, of trials or of items, and refuses the flags of the other kind.
func (c *importConfig) setFormat(from string, names []string, set map[string]bool) error {
	ofItems := []string{"id", "cluster", "slice", "repeat", "content", "qrels"}
	ofTrials := []string{
		"runs", "folds", "partitions", "examples", "map", "predictions",
		"probabilities", "data", "class", "target", "ignore", "missing", "nominal", "group", "weight",
	}
	refused := ofItems
	var ok bool
	if c.items, ok = imports.LookupItems(from); ok {
		refused = ofTrials
		c.itemOpts.Dataset, c.itemOpts.Measures, c.itemOpts.Where = c.opts.Dataset, c.opts.Measures,
			c.opts.Where
	} else {
		var err error
		if c.format, err = imports.Lookup(from); err != nil {
			return fmt.Errorf("-from: unknown format %q: the formats are %s", from,
				strings.Join(names, ", "))
		}
	}
	for _, name := range refused {
		if set[name] {
			return fmt.Errorf("-%s is not for -from %s", name, from)
		}
	}
	return nil
}

// read reads the files.
func (c *importConfig) read(stderr io.Writer) (*imports.Results, error) {
	if c.items.Name != "" {
		return imports.OpenItems(c.items, c.itemOpts, c.paths, c.learners)
	}
	var err error
	if c.opts.Tables, err = datafile.Open(c.data, datafile.Options{
		ReadOptions: c.reading,
		Note:        notes(stderr),
	}); err != nil {
		return nil, err
	}
	return imports.Open(c.format, c.opts, c.paths, c.learners)
}

// importCommand stores the results of other tools and writes a summary of them to stdout. A verdict
// needs trials without failures, so failed trials change the exit status, as in run.
func importCommand(args []string, stdout, stderr io.Writer) (int, error) {
	c, err := parseImport(args)
	if errors.Is(err, flag.ErrHelp) {
		return helpOn(stdout, "import")
	}
	var blocks []*record.Block
	if err == nil {
		blocks, err = c.run(args, stdout, stderr)
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("import: %w", err)
	}
	remedy := "learnstat refuses to compare such results"
	if !c.lenient {
		remedy += "; leave the learner out, or accept that with -lenient"
	}
	failures := reportFailures(record.NewFile(blocks...), remedy)
	switch {
	case failures == nil:
	case c.lenient:
		cli.Report(stderr, "learnbench", failures)
	default:
		return cli.Unjudged, failures
	}
	return cli.Clean, nil
}

// run imports the files, and returns the stored blocks.
func (c *importConfig) run(args []string, stdout, stderr io.Writer) ([]*record.Block, error) {
	store, err := storage.NewStore(c.out)
	if err != nil {
		return nil, err
	}
	if err := store.CheckDestination(); err != nil {
		return nil, fmt.Errorf("result file: %w", err)
	}
	res, err := c.read(stderr)
	if err != nil {
		return nil, err
	}
	for _, b := range res.Blocks {
		b.Header.Reproduce = "learnbench import " + cli.Quote(args)
		if err := c.keeps(store, b); err != nil {
			return nil, err
		}
	}
	if c.predictions != "" {
		if err := predictions.Put(c.predictions, res.Predictions...); err != nil {
			return nil, fmt.Errorf("predictions: %w", err)
		}
	}
	if _, err := store.Put(res.Blocks...); err != nil {
		return nil, err
	}
	for _, note := range res.Notes {
		cli.Report(stderr, "learnbench", errors.New(note))
	}
	return res.Blocks, cli.Write(stdout, imported(res))
}

// keeps returns an error if results of other learners would be replaced.
func (c *importConfig) keeps(store *storage.Store, b *record.Block) error {
	have, err := store.Learners(b.Header.Identity())
	if err != nil {
		return fmt.Errorf("result file: %w", err)
	}
	for _, name := range have {
		if !slices.Contains(b.Learners, name) {
			return fmt.Errorf("%s has results of %s on data set %s from %s, which these would replace: import all files at once, or write to another file",
				c.out, name, b.Header.Data, b.Header.Test)
		}
	}
	return nil
}

// imported returns a line on each data set that was stored, and the assumptions.
func imported(res *imports.Results) string {
	var b strings.Builder
	for _, block := range res.Blocks {
		var metrics []string
		for _, u := range block.Units {
			metrics = append(metrics, u.Name)
		}
		failed := ""
		if n := len(record.NewFile(block).Failures()); n > 0 {
			failed = fmt.Sprintf(" (%d failed)", n)
		}
		shape := fmt.Sprintf("trials%s of %s in %d × %d folds", failed, strings.Join(block.Learners,
			", "), block.Runs(), block.Folds())
		if block.Header.HasItems() {
			shape = fmt.Sprintf("answers%s of %s to %d items", failed, strings.Join(block.Learners, ", "),
				block.Folds())
		}
		line := fmt.Sprintf("%s: %d %s: %s", block.Header.Data, block.Len(), shape,
			strings.Join(metrics, ", "))
		b.WriteString(unit.Printable(line) + "\n")
	}
	if len(res.Assumed) > 0 {
		b.WriteString("assumed: " + unit.Printable(strings.Join(res.Assumed, "; ")) + "\n")
	}
	return b.String()
}
