package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/flip"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/unit"
)

// setFlips checks that nothing but flips is asked for: a gate that judges no scores would pass.
func setFlips(c *config, args []string, set map[string]bool) error {
	for name := range set {
		if !slices.Contains([]string{
			"flips", "data", "learner", "baseline", "format", "html", "v", "slice", "data-file",
		}, name) && !slices.Contains(readFlags, name) {
			return fmt.Errorf("-%s is not for -flips, which shows predictions and judges nothing", name)
		}
	}
	if err := c.columns.check(set); err != nil {
		return err
	}
	if c.format.Name != "text" && c.format.Name != "csv" {
		return fmt.Errorf("-format %s is not for -flips: there are text and csv", c.format.Name)
	}
	c.query.HasBaseline = set["baseline"]
	if err := c.takeSources(args); err != nil {
		return err
	}
	switch n := len(c.sources); {
	case c.query.HasBaseline && n != 1:
		return fmt.Errorf("-baseline compares the learners of one file, and there are %d", n)
	case !c.query.HasBaseline && n == 1:
		return fmt.Errorf("-flips has nothing to compare %s with: give a second file of predictions, or a learner of the file as -baseline", args[0])
	case n > 2:
		return fmt.Errorf("-flips compares two files of predictions, and there are %d", n)
	}
	return nil
}

// showFlips shows which predictions have changed, with notes on data and learners without a
// counterpart.
func showFlips(c *config) (text string, notes []string, err error) {
	var sides []*flip.Side
	for _, s := range c.sources {
		shards, err := predictions.Open(s.Paths...)
		if err != nil {
			return "", nil, err
		}
		blocks, err := predictions.Together(shards)
		if err != nil {
			return "", nil, err
		}
		sides = append(sides, &flip.Side{Label: s.Label, Blocks: blocks})
	}
	want, err := wanted(&c.query, sides)
	if err != nil {
		return "", nil, err
	}
	var pairs []*flip.Pair
	title := sides[len(sides)-1].Label
	if c.query.HasBaseline {
		pairs, notes, err = flip.Against(c.query.Baseline, sides[0], want)
		title = "Learners against " + c.query.Baseline + " in " + title
	} else {
		pairs, notes, err = flip.Compare(sides[0], sides[1], want)
		title += " against " + sides[0].Label
	}
	if err != nil {
		return "", nil, err
	}
	if len(pairs) == 0 {
		return "", notes, errors.New("-flips: there is no learner to compare: " +
			strings.Join(append(notes, "the files have none in common"), "; "))
	}
	of, err := c.columns.divide(pairs)
	if err != nil {
		return "", nil, err
	}
	if notes = append(append(notes, of...), flip.Counting); pairs[0].Untested != "" {
		notes = append(notes, pairs[0].Untested)
	}
	if c.drawing.page != "" {
		var page bytes.Buffer
		err := flip.Page(&page, title, pairs, notes, "learnstat "+cli.Quote(c.drawing.args))
		if err == nil {
			err = atomicfile.Write(c.drawing.page, &page)
		}
		if err != nil {
			return "", nil, fmt.Errorf("-html: %w", err)
		}
	}
	if c.format.Name == "csv" {
		return flip.CSV(pairs), notes, nil
	}
	return flip.Text(pairs, c.compare.Verbose), notes, nil
}

// wanted returns whether a learner on a data set is to be shown.
func wanted(q *match.Query, sides []*flip.Side) (func(data, learner string) bool, error) {
	var data, learners []string
	for _, s := range sides {
		for _, b := range s.Blocks {
			data, learners = append(data, b.Data), append(learners, b.Learners()...)
		}
	}
	chosen, err := q.Data.Choose("data set", data)
	if err != nil {
		return nil, err
	}
	of, err := q.Learners.Choose("learner", learners)
	if err != nil {
		return nil, err
	}
	return func(data, learner string) bool {
		return slices.Contains(chosen, data) &&
			slices.Contains(of, learner)
	}, nil
}

// keptPairs returns the pairs of the predictions of the results, which must be proved to be theirs;
// none without -predictions.
func keptPairs(c *config, sides []*input.Side) ([]*flip.Pair, error) {
	if c.drawing.kept == "" {
		return nil, nil
	}
	if len(sides) > 2 {
		return nil, fmt.Errorf("-predictions is for two files, or one with a -baseline, and there are %d",
			len(sides))
	}
	among, err := predictions.Open(unit.SplitList(c.drawing.kept)...)
	if err != nil {
		return nil, fmt.Errorf("-predictions: %w", err)
	}
	var kept []*flip.Side
	for _, s := range sides {
		side := &flip.Side{Label: s.Label}
		for _, b := range s.File.Blocks() {
			if b.Header.IsSecondOpinion() {
				continue
			}
			of, _, err := predictions.Of(b, among)
			if err != nil {
				return nil, fmt.Errorf("-predictions: %s: %w", s.Label, err)
			}
			side.Blocks = append(side.Blocks, of)
		}
		if side.Blocks, err = predictions.Together(side.Blocks); err != nil {
			return nil, fmt.Errorf("-predictions: %s: %w", s.Label, err)
		}
		kept = append(kept, side)
	}
	all := func(string, string) bool { return true }
	var pairs []*flip.Pair
	if c.query.HasBaseline {
		pairs, _, err = flip.Against(c.query.Baseline, kept[0], all)
	} else {
		pairs, _, err = flip.Compare(kept[0], kept[len(kept)-1], all)
	}
	return pairs, err
}
