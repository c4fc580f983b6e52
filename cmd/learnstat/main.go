package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

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
	status, text, err := compare(args)
	if _, e := io.WriteString(stdout, text); e != nil {
		err = errors.Join(err, fmt.Errorf("writing the output: %w", e))
	}
	for _, e := range leaves(err) {
		fmt.Fprintf(stderr, "learnstat: %s\n", oneLine(strings.ReplaceAll(e.Error(), "\n", "; ")))
	}
	if err != nil {
		return cli.Unjudged
	}
	return status
}

// compare does what the arguments say and returns the status of the gate, the
// output, and what could not be judged.
func compare(args []string) (int, string, error) {
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
	return c.gate.Status(outcomes), text, errors.Join(problems...)
}

// leaves returns the errors that were joined.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, leaves(e)...)
	}
	return all
}

// oneLine replaces what would break a line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
