package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A config is what the command line says.
type config struct {
	sources  []source // baseline and candidate; or one file, and a learner as the baseline
	baseline string
	data     names
	learners names
	metrics  names
	margins  margins
	claim    verdict.Claim
	test     string
	adjust   adjust.Method
	gate     cli.Gate
	render   func(*report) string
	verbose  bool

	notesApart bool // render leaves out notes
}

// noAdjustment is the adjustment that leaves p-values as they are.
const noAdjustment = "none"

// A source is a file to read.
type source struct{ path, label string }

// oneFile reports whether learners of one file are compared.
func (c *config) oneFile() bool { return len(c.sources) == 1 }

func parseFlags(args []string) (*config, error) {
	c := &config{}
	fs := flag.NewFlagSet("learnstat", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&c.baseline, "baseline", "", "")
	fs.Var(&c.data, "data", "")
	fs.Var(&c.learners, "learner", "")
	fs.Var(&c.metrics, "metric", "")
	fs.Var(&c.margins, "margin", "")
	fs.Var(&c.gate, "fail-on", "")
	fs.Float64Var(&c.claim.Alpha, "alpha", verdict.DefaultAlpha, "")
	fs.StringVar(&c.test, "test", "", "")
	fs.Float64Var(&c.claim.Replicability, "replicability", 0, "")
	fs.IntVar(&c.claim.Repeats, "repeats", 0, "")
	method := fs.String("adjust", noAdjustment, "")
	format := fs.String("format", "text", "")
	fs.BoolVar(&c.verbose, "v", false, "")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	set := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	if err := c.check(set, *format, *method); err != nil {
		return nil, err
	}
	return c, c.setSources(fs.Args(), set["baseline"])
}

// check checks the values of the flags, of which some are set.
func (c *config) check(set map[string]bool, format, method string) error {
	if alpha := c.claim.Alpha; !(alpha > 0 && alpha < 1) {
		return fmt.Errorf("-alpha %v is not between 0 and 1", alpha)
	}
	if r := c.claim.Replicability; set["replicability"] && !(r > 0.5 && r < 1) {
		return fmt.Errorf("-replicability %v is not between 0.5, which is chance, and 1", r)
	}
	if set["repeats"] && c.claim.Repeats < 2 {
		return fmt.Errorf("-repeats %d is less than 2", c.claim.Repeats)
	}
	if set["test"] {
		var err error
		if c.claim.Test, err = stat.Lookup(c.test); err != nil {
			return fmt.Errorf("-test: %w", err)
		}
	}
	var err error
	if c.adjust, err = adjust.Lookup(method); err != nil {
		return fmt.Errorf("-adjust: %w", err)
	}
	if c.adjust.AllPairs {
		return fmt.Errorf("-adjust: %s is for all pairs of several learners, not for comparisons with a baseline", c.adjust.Name)
	}
	switch format {
	case "text":
		c.render = renderText
	case "csv":
		if c.verbose {
			return errors.New("-v is for -format text only")
		}
		c.render, c.notesApart = renderCSV, true
	default:
		return fmt.Errorf("-format is %q, neither text nor csv", format)
	}
	return nil
}

// setSources takes the arguments that are not flags.
func (c *config) setSources(args []string, baseline bool) error {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") && len(arg) > 1 {
			return fmt.Errorf("%s comes after a file: flags come first", arg)
		}
	}
	switch {
	case len(args) == 0:
		return errors.New("no result files: see learnstat -h")
	case baseline && len(args) != 1:
		return fmt.Errorf("-baseline compares the learners of one file, and there are %d", len(args))
	case !baseline && len(args) == 1:
		return fmt.Errorf("nothing to compare %s with: give a second file, or a learner of the file as -baseline", args[0])
	case !baseline && len(args) != 2:
		return fmt.Errorf("%d result files: give two, the old one and the new one", len(args))
	}
	var paths []string
	for _, arg := range args {
		s := source{path: arg}
		if label, path, ok := strings.Cut(arg, "="); ok && label != "" && !strings.ContainsAny(label, `/\`) {
			s = source{path, label}
		}
		c.sources = append(c.sources, s)
		paths = append(paths, s.path)
	}
	for i, short := range shortened(paths) {
		if s := &c.sources[i]; s.label == "" {
			s.label = short
		}
	}
	return nil
}

// names is a flag that selects by name. It may be repeated.
type names []string

func (n *names) String() string { return strings.Join(*n, ",") }

func (n *names) Set(list string) error {
	*n = append(*n, list)
	return nil
}

// choose returns the names that were selected of those that there are, in the
// order of these; all if none was. The kind is for messages.
func (n names) choose(kind string, have []string) ([]string, error) {
	if len(n) == 0 {
		return have, nil
	}
	wanted := make(map[string]bool)
	for _, list := range n {
		if slices.Contains(have, list) {
			wanted[list] = true
			continue
		}
		for _, name := range splitList(list) {
			if !slices.Contains(have, name) {
				return nil, fmt.Errorf("no %s is called %q; there are: %s", kind, name, quoted(have))
			}
			wanted[name] = true
		}
	}
	var chosen []string
	for _, name := range have {
		if wanted[name] {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}

// splitList splits a list at commas that are not in parentheses: these are part of a
// name, as in nn(k=5,weighting=inverse).
func splitList(list string) []string {
	var items []string
	depth, start := 0, 0
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			items = append(items, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	return append(items, strings.TrimSpace(list[start:]))
}

func quoted(list []string) string {
	q := make([]string, len(list))
	for i, s := range list {
		q[i] = strconv.Quote(s)
	}
	return strings.Join(q, ", ")
}

// margins is a flag that sets the margins of equivalence: a number, or a list
// of metric:number.
type margins struct {
	plain float64 // of the only metric; 0 if not given
	items []margin
}

type margin struct {
	metric string
	value  float64
}

func (m *margins) String() string { return fmt.Sprint(*m) }

func (m *margins) Set(list string) error {
	for _, item := range splitList(list) {
		name, number := "", item
		at := strings.LastIndexByte(item, ':')
		if at >= 0 {
			name, number = item[:at], item[at+1:]
		}
		x, err := strconv.ParseFloat(number, 64)
		if err != nil || !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("margin %q is not a positive number", number)
		}
		if at < 0 {
			if m.plain != 0 {
				return errors.New("two margins without a metric")
			}
			m.plain = x
			continue
		}
		if slices.ContainsFunc(m.items, func(o margin) bool { return o.metric == name }) {
			return fmt.Errorf("two margins for %s", name)
		}
		m.items = append(m.items, margin{name, x})
	}
	if m.plain != 0 && m.items != nil {
		return errors.New("a margin without a metric beside others")
	}
	return nil
}

// of returns the margin of each of the metrics that are compared.
func (m *margins) of(metrics []string) (map[string]float64, error) {
	values := make(map[string]float64)
	if m.plain != 0 {
		if len(metrics) != 1 {
			return nil, fmt.Errorf("a margin is in the unit of its metric, and there are several: write -margin metric:value, with %s", quoted(metrics))
		}
		values[metrics[0]] = m.plain
	}
	for _, item := range m.items {
		if !slices.Contains(metrics, item.metric) {
			return nil, fmt.Errorf("-margin is for %q, which is not compared; there are: %s", item.metric, quoted(metrics))
		}
		values[item.metric] = item.value
	}
	return values, nil
}
