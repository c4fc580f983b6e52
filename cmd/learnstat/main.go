package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/judge"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/internal/cli"
	"golang.org/x/term"
)

var (
	//go:embed doc.go
	doc string

	//go:embed help.txt
	shortHelp string
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a, err := answerTo(args, stdin, terminal(stdout))
	return a.write(stdout, stderr, err)
}

// An answer is what the command has to say.
type answer struct {
	status   int // of the gate
	text     string
	messages []string       // beside it
	report   *report.Report // of which the text is; nil if it is of something else
}

// write writes the answer, and an error for arguments or results that could not be judged. It
// returns the exit status.
func (a answer) write(stdout, stderr io.Writer, err error) int {
	err = errors.Join(err, cli.Write(stdout, a.text))
	for _, m := range a.messages {
		cli.Report(stderr, "learnstat", errors.New(m))
	}
	if err != nil {
		cli.Report(stderr, "learnstat", err)
		return cli.Unjudged
	}
	return a.status
}

// terminal returns how to print on what may be a terminal. NO_COLOR is the variable of
// no-color.org.
func terminal(stdout io.Writer) print.Options {
	f, ok := stdout.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return print.Options{}
	}
	o := print.Options{Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		width, _, err = term.GetSize(int(f.Fd()))
	}
	if err == nil && width > 0 {
		o.Width = max(width, leastWidth)
	}
	return o
}

// answerTo does what the arguments say. The error is of arguments or results that could not be
// judged.
func answerTo(args []string, stdin io.Reader, o print.Options) (answer, error) {
	if len(args) == 1 && args[0] == "help" {
		args = []string{"-help"}
	}
	if len(args) == 1 {
		switch args[0] {
		case "version", "-version", "--version":
			return answer{text: buildinfo.Line("learnstat")}, nil
		case "-help-all", "--help-all":
			var b strings.Builder
			err := cli.Help(&b, doc)
			return answer{text: b.String()}, err
		}
	}
	if len(args) == 2 && args[0] == "-textconv" {
		return textOnly(textconv(args[1]))
	}
	c, err := parseFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		return answer{text: shortHelp}, nil
	}
	switch {
	case err != nil:
		return answer{status: cli.Unjudged}, err
	case c.levels != nil:
		return c.judgeLevels(stdin)
	case c.summary:
		return textOnly(c.summarise(stdin))
	case c.aa:
		return textOnly(compareHalves(c, stdin))
	case c.showTimes:
		return textOnly(c.times(stdin))
	case c.showFlips:
		text, notes, err := showFlips(c)
		return answer{text: text, messages: notes}, err
	}
	r, problems, err := c.report(stdin)
	if err != nil {
		return answer{status: cli.Unjudged}, err
	}
	var b strings.Builder
	if c.width > 0 {
		o.Width = c.width
	}
	if err := c.format.Write(&b, r, o); err != nil {
		return answer{status: cli.Unjudged}, err
	}
	b.WriteString(c.ratioTable)
	a := answer{status: r.Status, text: b.String(), report: r}
	if !c.format.Notes {
		a.messages = append(a.messages, r.Notes...)
	}
	a.messages = append(a.messages, r.Summary()...)
	if s := r.Undecided(); s != "" {
		a.messages = append(a.messages, s)
	}
	return a, errors.Join(problems...)
}

// textOnly returns an answer of text alone.
func textOnly(text string, err error) (answer, error) { return answer{text: text}, err }

// read reads the files, and lays out their results.
func (c *config) read(stdin io.Reader) (*match.Layout, []*input.Side, []error, error) {
	sides, problems, err := input.Open(c.sources, c.from, stdin)
	if err != nil {
		return nil, nil, nil, err
	}
	l, err := match.Arrange(c.query, sides)
	if err != nil {
		return nil, nil, nil, errors.Join(append(problems, err)...)
	}
	return l, sides, append(problems, l.Problems...), nil
}

// report reads, compares and judges.
func (c *config) report(stdin io.Reader) (*report.Report, []error, error) {
	l, sides, problems, err := c.read(stdin)
	if err != nil {
		return nil, nil, err
	}
	r, failures, err := c.judge(l, sides)
	if err != nil {
		return nil, nil, errors.Join(append(problems, err)...)
	}
	problems = append(problems, failures...)
	if c.ratios != nil {
		c.ratioTable, failures = judgeRatios(c, l, r)
		problems = append(problems, failures...)
	}
	for _, p := range cli.Leaves(errors.Join(problems...)) {
		r.Problems = append(r.Problems, p.Error())
	}
	r.Status = judge.Status(r, problems)
	r.Gate.State = r.State()
	if c.drawing.pairs, err = keptPairs(c, sides); err != nil {
		return nil, nil, errors.Join(append(problems, err)...)
	}
	if err := c.drawing.draw(l, r); err != nil {
		r.Status, r.Gate.State = cli.Unjudged, ""
		problems = append(problems, err)
	}
	return r, problems, nil
}

// judge compares the results of the layout, and holds them against the gate; a history has no gate.
func (c *config) judge(l *match.Layout, sides []*input.Side) (*report.Report, []error, error) {
	if c.history {
		if c.pinned && len(l.Columns) > 0 && l.Columns[0].Side != sides[0] {
			return nil, nil, fmt.Errorf("%s has none of the compared results: the reference is what the history is held against", sides[0].Label)
		}
		l.Notes = slices.Concat(input.ImportNotes(sides), l.Notes)
		return judge.History(l, c.compare, c.pinned)
	}
	l.Notes = slices.Concat(input.Notes(sides), input.ParameterNotes(sides, l.Compares),
		input.SystemNotes(sides, l.Compares), l.Notes)
	r, failures, err := judge.Build(l, c.compare)
	if err != nil {
		return nil, nil, err
	}
	failures = append(failures, c.gate.Hold(r)...)
	judge.Explain(l, r, c.compare)
	if c.gate.Strict() || c.ratios != nil {
		failures = append(failures, input.Same(sides)...)
	}
	return r, failures, nil
}
