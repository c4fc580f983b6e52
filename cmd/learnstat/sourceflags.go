package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/learntest/record/imports"
	"github.com/learnbench/learnbench/learntest/unit"
)

// takeSources takes the arguments that are not flags.
func (c *config) takeSources(args []string) (err error) {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") && len(arg) > 1 {
			return fmt.Errorf("%s comes after a file: flags come first", arg)
		}
	}
	if len(args) == 0 {
		return errors.New("no result files: see learnstat -h")
	}
	c.sources, err = input.Sources(args)
	return err
}

// setGitHistory takes the versions of a file in git.
func (c *config) setGitHistory(args []string, set map[string]bool, reference string) error {
	switch {
	case set["from"]:
		return errors.New("-git is for result files: import results of other tools first, with learnbench import")
	case len(args) != 1 || args[0] == input.Stdin:
		return fmt.Errorf("-git takes the versions of one file, not of %d arguments: name one result file that git keeps", len(args))
	}
	versions, err := input.Versions(args[0])
	if err != nil {
		return err
	}
	if c.pinned {
		if c.sources, err = input.Sources([]string{reference}); err != nil {
			return err
		}
	}
	c.sources = append(c.sources, versions...)
	return nil
}

func (c *config) addMeasure(text string) error {
	m, err := imports.ParseMeasure(text)
	c.from.Options.Measures = append(c.from.Options.Measures, m)
	return err
}

func (c *config) addCondition(text string) error {
	w, err := imports.ParseCondition(text)
	c.from.Options.Where = append(c.from.Options.Where, w)
	return err
}

// setImport takes the flags that are about results of other tools. With them, -learner names the
// learners of files that do not say it.
func (c *config) setImport(set map[string]bool, from string) error {
	if !set["from"] {
		for _, name := range []string{
			"dataset", "runs", "folds", "partitions", "examples", "measure",
			"where", "map",
		} {
			if set[name] {
				return fmt.Errorf("-%s is about results of other tools: say of which with -from", name)
			}
		}
		return nil
	}
	var err error
	if c.from.Format, err = imports.Lookup(from); err != nil {
		return fmt.Errorf("-from: %w", err)
	}
	for _, list := range c.query.Learners {
		c.from.Learners = append(c.from.Learners, unit.SplitList(list)...)
	}
	c.query.Learners = nil
	return nil
}
