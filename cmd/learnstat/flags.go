package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/judge"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A config holds the command line.
type config struct {
	sources []input.Source
	query   match.Query
	compare judge.Options
	gate    judge.Rules
	format  print.Format
	from    input.Import
	history bool
	git     bool // the versions of one file in git are the history
	pinned  bool // the first source is what a history is held against
	drawing drawing
	width   int // of tables; 0 without -width
	summary bool
	levels  levels          // that the scores of one file are held against
	ratios  []verdict.Claim // on the times of each comparison

	ratioTable string // what came of these

	showTimes bool // and no scores
	showFlips bool // of predictions, and no scores
	aa        bool // compares each system with itself

	columns columns // of the data, for -flips
}

// leastWidth is how many columns a name and a change take.
const leastWidth = 40

// texts are the flags that are looked up once all are known.
type texts struct{ test, adjust, across, posthoc, over, format, waivers, from, reference string }

func parseFlags(args []string) (*config, error) {
	c, t := &config{}, texts{}
	fs := flag.NewFlagSet("learnstat", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	q, claim := &c.query, &c.compare.Claim
	fs.StringVar(&q.Filter, "filter", "*", "")
	fs.StringVar(&q.Table, "table", "", "")
	fs.StringVar(&q.Row, "row", "", "")
	fs.StringVar(&q.Col, "col", match.DefaultCol, "")
	c.columns.flags(fs, &q.Ignore)
	fs.StringVar(&q.Baseline, "baseline", "", "")
	fs.Var(&q.Data, "data", "")
	fs.Var(&q.Learners, "learner", "")
	fs.StringVar(&t.from, "from", "", "")
	fs.StringVar(&c.from.Options.Dataset, "dataset", "", "")
	fs.IntVar(&c.from.Options.Runs, "runs", 0, "")
	fs.IntVar(&c.from.Options.Folds, "folds", 0, "")
	fs.StringVar(&c.from.Options.Partitions, "partitions", "", "")
	fs.Func("examples", "", c.from.Options.SetExamples)
	fs.Func("measure", "", c.addMeasure)
	fs.Func("where", "", c.addCondition)
	fs.Func("map", "", c.from.Options.AddMap)
	fs.Var(&q.Metrics, "metric", "")
	fs.BoolVar(&q.Lenient, "lenient", false, "")
	fs.BoolVar(&q.Slices, "slices", false, "")
	fs.BoolVar(&q.Common, "common", false, "")
	fs.Var(&c.compare.Margins, "margin", "")
	fs.Var(&c.gate.FailOn, "fail-on", "")
	fs.Func("at-least", "", c.levels.of(verdict.AtLeast))
	fs.Func("at-most", "", c.levels.of(verdict.AtMost))
	fs.Func("require", "", func(list string) error { return takeRequirements(c, list) })
	fs.StringVar(&t.waivers, "waivers", "", "")
	fs.BoolVar(&claim.AllowMajority, "allow-majority", false, "")
	fs.Float64Var(&claim.Alpha, "alpha", verdict.DefaultAlpha, "")
	fs.StringVar(&t.test, "test", "", "")
	fs.Float64Var(&claim.Replicability, "replicability", 0, "")
	fs.IntVar(&claim.Repeats, "repeats", 0, "")
	fs.StringVar(&t.adjust, "adjust", "", "")
	fs.Var(&c.compare.Tail, "tail", "")
	fs.StringVar(&t.across, "across", "", "")
	fs.StringVar(&t.posthoc, "posthoc", "", "")
	fs.StringVar(&t.over, "over", "", "")
	fs.BoolVar(&c.compare.Across.Bayes, "bayes", false, "")
	c.compare.Rope.Flag = "rope"
	fs.Var(&c.compare.Rope, "rope", "")
	fs.StringVar(&t.format, "format", "text", "")
	fs.BoolVar(&c.compare.Verbose, "v", false, "")
	fs.BoolVar(&c.compare.Items, "items", false, "")
	fs.IntVar(&c.width, "width", 0, "")
	fs.BoolVar(&c.history, "history", false, "")
	fs.BoolVar(&c.showTimes, "times", false, "")
	fs.BoolVar(&c.showFlips, "flips", false, "")
	fs.BoolVar(&c.aa, "aa", false, "")
	fs.StringVar(&t.reference, "reference", "", "")
	fs.BoolVar(&c.git, "git", false, "")
	fs.StringVar(&c.drawing.dir, "plot", "", "")
	fs.Var(&c.drawing.formats, "plot-format", "")
	fs.StringVar(&c.drawing.page, "html", "", "")
	fs.StringVar(&c.drawing.kept, "predictions", "", "")
	c.drawing.args = args
	if err := fs.Parse(args); err != nil {
		return nil, hinted(fs, err)
	}
	set := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	if !set["row"] {
		q.Row = match.RowsBeside(q.Col, q.Table)
	}
	if err := c.check(set, &t); err != nil {
		return nil, err
	}
	if !c.showFlips {
		if err := c.columns.elsewhere(set); err != nil {
			return nil, err
		}
	}
	if c.levels != nil {
		return c, c.setLevels(fs.Args(), set)
	}
	if c.aa {
		return c, setAA(c, fs.Args(), set)
	}
	if c.showTimes {
		return c, c.setTimes(fs.Args(), set)
	}
	if c.showFlips {
		return c, setFlips(c, fs.Args(), set)
	}
	if c.history || set["reference"] {
		return c, c.setHistory(fs.Args(), set, t.reference)
	}
	if c.git {
		return nil, errors.New("-git is for the history of a file: add -history")
	}
	return c, c.setSources(fs.Args(), set)
}

// setHistory takes the arguments of a history, which judges no claim.
func (c *config) setHistory(args []string, set map[string]bool, reference string) error {
	if !c.history {
		return errors.New("-reference is what a history is held against: add -history")
	}
	for _, name := range []string{"fail-on", "require", "waivers"} {
		if set[name] {
			return fmt.Errorf("-%s is not for -history, which shows the past and judges nothing: compare the last file with the reference, as in learnstat -fail-on regressed REFERENCE LAST", name)
		}
	}
	for _, name := range []string{"row", "col", "baseline", "repeats", "replicability", "across", "posthoc", "over", "rope", "bayes", "v", "slices", "predictions"} {
		if set[name] {
			return fmt.Errorf("-%s is not for -history", name)
		}
	}
	c.query.History, c.pinned = true, set["reference"]
	if c.git {
		return c.setGitHistory(args, set, reference)
	}
	if c.pinned {
		args = append([]string{reference}, args...)
	}
	if len(args) == 0 || c.pinned && len(args) == 1 {
		return errors.New("no result files: see learnstat -h")
	}
	return c.takeSources(args)
}

// check checks the values of the flags, of which some are set.
func (c *config) check(set map[string]bool, t *texts) error {
	claim := &c.compare.Claim
	if alpha := claim.Alpha; !(alpha > 0 && alpha < 1) {
		return fmt.Errorf("-alpha %v is not between 0 and 1", alpha)
	} else if (c.gate.Strict() || c.ratios != nil || c.levels != nil) && alpha >= verdict.AlphaLimit {
		return fmt.Errorf("-alpha %v is no level for a gate: of equal learners, that many would be shown to differ: it must be below %v, and 0.05 is usual", alpha, verdict.AlphaLimit)
	}
	if c.query.Slices && (set["replicability"] || set["repeats"]) {
		return errors.New("-slices and -replicability or -repeats exclude each other: nothing foretells what other partitions would say of a slice")
	}
	if c.query.Common && (c.query.Slices || c.gate.Strict() || c.history) {
		return errors.New("-common is to look at changed suites, and not for gates, -history or -slices: items that are left out may be the hard ones: update the baseline instead")
	}
	if r := claim.Replicability; set["replicability"] && !(r > 0.5 && r < 1) {
		return fmt.Errorf("-replicability %v is not between 0.5, which is chance, and 1", r)
	}
	if set["repeats"] && claim.Repeats < 2 {
		return fmt.Errorf("-repeats %d is less than 2", claim.Repeats)
	}
	if set["width"] && c.width < leastWidth {
		return fmt.Errorf("-width %d has no room for a table: give %d or more", c.width, leastWidth)
	}
	var err error
	if set["test"] {
		if claim.Test, err = stat.Lookup(t.test); err != nil {
			return fmt.Errorf("-test: %w", err)
		}
	}
	if !set["adjust"] {
		// The changes of a history from file to file depend on one another in ways that Hommel's
		// method does not allow. Slices depend on one another negatively, which Hommel's method
		// does not allow either.
		t.adjust = map[bool]string{false: "hommel", true: "holm"}[c.history || c.query.Slices]
	}
	if c.compare.Adjust, err = adjust.Lookup(t.adjust); err != nil {
		return fmt.Errorf("-adjust: %w", err)
	}
	if c.compare.Adjust.AllPairs {
		return fmt.Errorf("-adjust: %s is for all pairs of several learners, not for comparisons with a baseline", c.compare.Adjust.Name)
	}
	if err := c.setAcross(t); err != nil {
		return err
	}
	c.gate.Adjust, c.gate.AllowMajority = c.compare.Adjust, claim.AllowMajority
	c.query.Strict, c.compare.Gate = c.gate.Strict(), &c.gate
	if err := c.setImport(set, t.from); err != nil {
		return err
	}
	if err := errors.Join(c.setFormat(t.format), setRatios(c, set)); err != nil {
		return err
	}
	if err := c.drawing.check(set); err != nil {
		return err
	}
	c.compare.Full = c.compare.Full || c.drawing.page != ""
	return c.readWaivers(t.waivers)
}

func (c *config) setAcross(t *texts) error {
	a := &c.compare.Across
	var err error
	switch t.across {
	case "":
	case "none":
		a.Off = true
	default:
		if a.Test, err = across.Lookup(t.across); err != nil {
			return fmt.Errorf("-across: %w", err)
		}
	}
	switch t.posthoc {
	case "":
	case "meanranks":
		a.MeanRanks = true
	default:
		return fmt.Errorf("-posthoc is %q, not meanranks", t.posthoc)
	}
	if c.compare.Rope.String() != "" && t.over != judge.OverFolds {
		return fmt.Errorf("-rope is for -over %s: the Bayesian tests of -bayes take the -margin", judge.OverFolds)
	}
	if t.over == "" {
		return nil
	}
	if a.Off {
		return errors.New("-over compares over data sets, which -across none leaves out")
	}
	if a.Method, err = judge.LookupMethod(t.over); err != nil {
		return fmt.Errorf("-over: %w", err)
	}
	return nil
}

func (c *config) setFormat(name string) error {
	formats := print.Formats()
	at := slices.IndexFunc(formats, func(f print.Format) bool { return f.Name == name })
	if at < 0 {
		var names []string
		for _, f := range formats {
			names = append(names, f.Name)
		}
		return fmt.Errorf("-format is %q, none of %s%s", name, strings.Join(names, ", "), catalogue.Suggest(name, names))
	}
	c.format = formats[at]
	if c.compare.Verbose && !c.format.Verbose {
		return fmt.Errorf("-v is not for -format %s", name)
	}
	if c.compare.Items && !c.format.Verbose {
		return fmt.Errorf("-items is not for -format %s: json has the items of each comparison", name)
	}
	c.compare.Full = c.format.Full || c.compare.Verbose
	return nil
}

// summarises reports whether the flags leave nothing but a summary of one file. A gate without a
// second file is a mistake.
func (c *config) summarises(set map[string]bool) bool {
	for name := range set {
		if !slices.Contains(summaryFlags, name) {
			return false
		}
	}
	return c.format.Name == "text" || c.format.Name == "csv"
}

func (c *config) readWaivers(path string) error {
	if path == "" {
		return nil
	}
	if !slices.Contains(c.gate.FailOn, "regressed") && len(c.gate.Require) == 0 {
		return errors.New("-waivers lets losses pass, which takes -fail-on regressed or -require")
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("-waivers: %w", err)
	}
	defer f.Close() // it was only read
	c.gate.Waivers, err = judge.ReadWaivers(f, path)
	return err
}

// setSources takes the files that are to be compared.
func (c *config) setSources(args []string, set map[string]bool) error {
	if err := c.takeSources(args); err != nil {
		return err
	}
	if names := c.from.Learners; !set["baseline"] && !set["row"] && !set["col"] && c.from.Together(&c.sources) {
		c.query.Baseline, set["baseline"] = names[0], true
	}
	c.query.HasBaseline, c.compare.Learners = set["baseline"], set["baseline"]
	switch {
	case set["baseline"] && len(c.sources) != 1:
		return fmt.Errorf("-baseline compares the learners of one file, and there are %d", len(c.sources))
	case set["baseline"] && (set["row"] || set["col"]):
		return errors.New("-baseline arranges rows and columns itself: leave out -row and -col, or leave out -baseline and say -col /learner")
	case !set["baseline"] && len(c.sources) == 1 && c.summarises(set):
		c.summary, c.query.History, c.from.Times = true, true, true
	case !set["baseline"] && len(c.sources) == 1 && !set["col"]:
		return fmt.Errorf("nothing to compare %s with: give a second file, or a learner of the file as -baseline", args[0])
	}
	return nil
}
