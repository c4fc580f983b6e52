package main

import (
	_ "embed"
	"errors"
	"flag"
	"io"
	"os"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/verdict"
)

//go:embed doc.go
var doc string

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	status, text, err := compare(args, stderr)
	if err = errors.Join(err, cli.Write(stdout, text)); err != nil {
		cli.Report(stderr, "learnstat", err)
		return cli.Unjudged
	}
	return status
}

// compare does what the arguments say and returns the status of the gate, the
// output, and what could not be judged. Notes that have no place in the output go to
// stderr.
func compare(args []string, stderr io.Writer) (int, string, error) {
	if len(args) == 1 && args[0] == "help" {
		args = []string{"-help"}
	}
	c, err := parseFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		var b strings.Builder
		err := cli.Help(&b, doc)
		return cli.Clean, b.String(), err
	}
	if err != nil {
		return cli.Unjudged, "", err
	}
	sides, problems, err := openSides(c.sources)
	if err != nil {
		return cli.Unjudged, "", err
	}
	p, err := newPlan(c, sides)
	if err != nil {
		return cli.Unjudged, "", errors.Join(append(problems, err)...)
	}
	problems = append(problems, p.problems...)
	rows := p.judge(c)
	if err := adjustRows(rows, c.adjust); err != nil {
		return cli.Unjudged, "", err
	}
	problems = append(problems, rowProblems(rows, problems)...)
	var outcomes []verdict.Outcome
	for _, r := range rows {
		outcomes = append(outcomes, r.v.Outcome)
	}
	text := c.render(&report{c, sides, rows, p.notes})
	if c.notesApart {
		for _, note := range p.notes {
			cli.Report(stderr, "learnstat", errors.New(note))
		}
	}
	return c.gate.Status(outcomes), text, errors.Join(problems...)
}
