package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/datafile"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/split"
)

// A dataCheck has the arguments of check about data.
type dataCheck struct {
	set       string
	maxCopies float64 // less than 0 if there may be none
	protocol  split.Protocol
	allowed   []learnercheck.Rule
	read      dataset.ReadOptions
}

func (c *dataCheck) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.set, "data", "", "")
	fs.Func("max-copies", "", func(text string) error {
		number, percent := strings.CutSuffix(text, "%")
		x, err := strconv.ParseFloat(number, 64)
		if err != nil || !percent || !(x >= 0 && x < 100) {
			return fmt.Errorf("want a percentage below 100, as in 1%%")
		}
		if c.maxCopies = x / 100; x == 0 {
			c.maxCopies = -1
		}
		return nil
	})
	fs.Func("allow", "", func(text string) error {
		for name := range strings.SplitSeq(text, ",") {
			c.allowed = append(c.allowed, learnercheck.Rule(strings.TrimSpace(name)))
		}
		return nil
	})
	fs.Func("protocol", "", func(text string) (err error) {
		c.protocol, err = split.Parse(text)
		return err
	})
	datafile.Flags(fs, &c.read)
}

// check checks the data. The exit status works as in a gate: a finding fails it.
func (c *dataCheck) check(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	tables, err := datafile.Open([]string{c.set}, datafile.Options{
		ReadOptions: c.read, Note: notes(stderr),
		Labeled: true,
	})
	if err != nil {
		return cli.Unjudged, fmt.Errorf("check: %w", err)
	}
	t, opts := tables[0], learnercheck.DataOptions{Protocol: c.protocol, MaxCopies: c.maxCopies}
	s := learnercheck.Data(learntest.Data[dataset.Row, int](t), opts)
	if t.NumClasses() == 0 {
		numbers, err := t.Regression()
		if err != nil {
			return cli.Unjudged, fmt.Errorf("check: %w", err)
		}
		s = learnercheck.Data(learntest.Data[dataset.Row, float64](numbers), opts)
	}
	findings, err := learnercheck.Inspect(ctx, s, c.allowed...)
	if err != nil {
		return cli.Unjudged, fmt.Errorf("check: %w", err)
	}
	return writeFindings(stdout, findings, "docs/gates.md says what each can do to a score")
}
