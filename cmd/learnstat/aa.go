package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// setAA checks that nothing but the comparison of a system with itself is asked for.
func setAA(c *config, args []string, set map[string]bool) error {
	for name := range set {
		if !slices.Contains([]string{"aa", "alpha", "data", "learner", "metric", "filter"}, name) {
			return fmt.Errorf("-%s is not for -aa, which compares the repeats of each system with each other", name)
		}
	}
	if err := c.takeSources(args); err != nil {
		return err
	}
	if len(c.sources) != 1 {
		return fmt.Errorf("-aa is about one file, and there are %d", len(c.sources))
	}
	c.query.History, c.query.Strict = true, true
	return nil
}

// halvings is how often -aa splits the repeats.
const halvings = 1000

// compareHalves compares the repeats of each system with each other.
func compareHalves(c *config, stdin io.Reader) (string, error) {
	l, sides, problems, err := c.read(stdin)
	if err != nil {
		return "", err
	}
	alpha := c.compare.Claim.Alpha
	t := texttab.New(texttab.Group{Columns: []texttab.Column{
		{Title: "metric"},
		{Title: ""},
		right("items"), right("repeats"), right("odd − even"), right("p"), right("halves differ"),
	}})
	rows := 0
	for _, table := range l.Tables {
		for _, r := range table.Rows {
			s := r.Cells[0].Selection()
			p, err := record.Pair(s, s, table.Metric)
			if err == nil && p.Items == nil {
				continue
			}
			var share float64
			var v verdict.Verdict
			if err == nil {
				v, share, err = halves(p, alpha)
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %s of %s: %w", r.Cells[0].Pos(), table.Metric,
					r.Label, err))
				continue
			}
			rows++
			t.Row(unit.Printable(table.Metric), unit.Printable(r.Label), fmt.Sprint(p.Folds),
				fmt.Sprint(len(p.Items.A)),
				p.Unit.FormatDifference(v.Estimate), unit.FormatP(v.Difference.P),
				fmt.Sprintf("%.1f%%", 100*share))
		}
	}
	if rows == 0 {
		return "", errors.Join(append(problems, errors.New("-aa: no row has items with repeats"))...)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: each system against itself\n%s", unit.Printable(sides[0].Label), t.String())
	fmt.Fprintf(&b, "odd − even: of whole repeats: a p of %v or less says that something has changed from repeat to repeat, so that two runs differ by more than the answers\n", alpha)
	fmt.Fprintf(&b, "halves differ: share of %d random halvings of each item's answers with a p of %v or less: the real level of the test on these items, up to ±%.1f\n",
		halvings, alpha, 300*math.Sqrt(alpha*(1-alpha)/halvings))
	return b.String(), errors.Join(problems...)
}

// halves judges odd against even repeats, and returns the share of random halvings that differ.
func halves(p *record.Pairs, alpha float64) (v verdict.Verdict, share float64, err error) {
	if len(p.Items.A) < 2 {
		return v, 0, errors.New("each item was answered once: ask for repeats")
	}
	v = verdict.Judge(p.OddEven(), verdict.Claim{Alpha: alpha}, verdict.Bare)
	if v.Outcome == verdict.Invalid {
		return v, 0, v.Err
	}
	scores, _ := p.Items.ByItem()
	_, clusters := record.ClusterNumbers(p.Items.Items)
	weight := verdict.WeightOf(p.CandidateHeader)
	share, err = itemwise.Halves(scores, clusters, weight, alpha, halvings, 1)
	return v, share, err
}
