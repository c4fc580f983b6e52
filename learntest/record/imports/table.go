package imports

import (
	"bufio"
	"io"

	"github.com/learnbench/learnbench/learntest/record"
)

// readTable reads a table of any tool: CSV with commas, semicolons or tabs, JSON lines, or the JSON
// of a DataFrame. Options.Map says which column is what. A row is a trial, or all trials of a
// learner where the names of columns have the number of the fold.
//
// Runs, folds and splits are counted from 0 or from 1, which shows once all files are read: see
// [numbering.renumber].
func readTable(c *collector, in io.Reader, s Source) error {
	t, err := c.anyTable(in)
	if err != nil {
		return err
	}
	if len(c.Map) == 0 {
		return t.guess()
	}
	r, err := newTableReader(t, s)
	if err != nil {
		return err
	}
	return t.each(r.row)
}

// anyTable returns the rows of a file of CSV or JSON.
func (c *collector) anyTable(in io.Reader) (*table, error) {
	r := bufio.NewReaderSize(in, 1<<16)
	if startsJSON(r) {
		return c.nestedJSON(skipBOM(r))
	}
	return c.csv(r)
}

// A tableReader reads the rows of one file.
type tableReader struct {
	t                               *table
	data, learner, run, fold, split int
	groups                          []group
	result                          result
}

func newTableReader(t *table, s Source) (*tableReader, error) {
	c := t.c
	r := &tableReader{t: t, result: result{data: c.Dataset, learner: s.Learner}}
	for _, role := range []struct {
		name string
		at   *int
	}{
		{roleData, &r.data},
		{roleLearner, &r.learner},
		{roleRun, &r.run},
		{roleFold, &r.fold},
		{roleSplit, &r.split},
	} {
		*role.at = -1
		if name := c.column(role.name); name != "" {
			at, err := t.need(name)
			if err != nil {
				return nil, err
			}
			*role.at = at[0]
			c.assumed.add("%s is column %q", role.name, name)
		}
	}
	all, err := r.wanted()
	if err != nil {
		return nil, err
	}
	r.groups, err = t.groups(all)
	return r, err
}

// wanted returns the columns of scores, sizes, times and failures, and takes the units of the
// scores.
func (r *tableReader) wanted() ([]wanted, error) {
	c := r.t.c
	var scores, others []wanted
	for _, m := range c.Map {
		w := wanted{name: m.Column}
		switch m.What {
		case roleData, roleLearner, roleRun, roleFold, roleSplit:
			continue
		case roleTrain:
			w.set = func(g *group, at int) { g.sizes.train = at }
		case roleTest:
			w.set = func(g *group, at int) { g.sizes.test = at }
		case roleFit:
			w.set = func(g *group, at int) { g.times.fit = at }
		case rolePredict:
			w.set = func(g *group, at int) { g.times.predict = at }
		case roleFailure:
			w.set = func(g *group, at int) { g.failure = at }
		default:
			k, err := resolve(nil, Measure{Column: m.Column, Name: m.What, Better: m.Better})
			if err != nil {
				return nil, err
			}
			c.assumed.column(k)
			r.result.units = append(r.result.units, k.unit)
			w.set = func(g *group, at int) { g.scores = append(g.scores, column{at: at, unit: k.unit}) }
			scores = append(scores, w)
			continue
		}
		others = append(others, w)
	}
	return append(scores, others...), nil
}

// row takes the trials of a row.
func (r *tableReader) row() error {
	t, res := r.t, &r.result
	res.line = t.line
	for _, name := range []struct {
		what string
		at   int
		to   *string
	}{{"data set", r.data, &res.data}, {"learner", r.learner, &res.learner}} {
		if name.at < 0 {
			continue
		}
		if *name.to = t.text(name.at); isMissing(*name.to) {
			return t.errorf(name.at, "there is no %s: leave rows that are no trials out with Where (-where)",
				name.what)
		}
	}
	for i := range r.groups {
		if err := r.trial(&r.groups[i]); err != nil {
			return err
		}
	}
	return nil
}

// trial takes a trial of the row. Its run and fold are one more than in the file.
func (r *tableReader) trial(g *group) error {
	t, res := r.t, &r.result
	run, err := r.number(g.run, r.run)
	if err != nil {
		return err
	}
	fold, err := r.number(max(g.fold, g.split), max(r.fold, r.split))
	if err != nil {
		return err
	}
	res.run, res.fold = run+1, fold+1
	if err := g.times.take(t, res); err != nil {
		return err
	}
	if err := g.sizes.take(t, res); err != nil {
		return err
	}
	res.again = ""
	if !t.c.mapped(roleRun) && !t.c.mapped(roleSplit) {
		res.again = "if it is of another run, add run=COLUMN to Map (-map); else choose rows with Where (-where)"
	}
	failed, err := t.scores(res, g.scores)
	if err != nil {
		return err
	}
	res.err = ""
	if failed {
		if g.failure < 0 || isMissing(t.text(g.failure)) {
			return t.errorf(g.scores[0].at,
				"there is no score: if the learner failed, say which column has the cause with failure=COLUMN in Map (-map); else leave the row out with Where (-where)")
		}
		res.err = record.Cause(t.text(g.failure))
	}
	return t.c.put(res)
}

// number returns a number of the name of a column, or of the row; 0 if neither has one.
func (r *tableReader) number(named, at int) (int, error) {
	if named >= 0 {
		return named, nil
	}
	if at < 0 {
		return 0, nil
	}
	if isMissing(r.t.text(at)) {
		return 0, r.t.errorf(at, "there is no number: leave rows that are no trials out with Where (-where)")
	}
	return r.t.count(at, 0)
}
