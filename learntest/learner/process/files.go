package process

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A template is the arguments of a program that reads and writes files.
type template struct {
	args          []string
	probabilities bool // it writes {prob}
}

var placeholder = regexp.MustCompile(`\{(train|test|train\.arff|test\.arff|pred|prob|seed|seed31)\}`)

// newTemplate returns the template that the arguments are, or nil if they have no
// placeholders.
func newTemplate(args []string) (*template, error) {
	has := make(map[string]bool)
	for _, arg := range args {
		for _, m := range placeholder.FindAllStringSubmatch(arg, -1) {
			has[m[1]] = true
		}
	}
	switch {
	case len(has) == 0:
		return nil, nil
	case !has["train"] && !has["train.arff"]:
		return nil, fmt.Errorf("%w: its arguments have no {train} or {train.arff}, which a program that reads files needs", ErrConfig)
	case !has["test"] && !has["test.arff"]:
		return nil, fmt.Errorf("%w: its arguments have no {test} or {test.arff}, which a program that reads files needs", ErrConfig)
	case has["pred"] == has["prob"]:
		return nil, fmt.Errorf("%w: its arguments need {pred} or {prob}, and not both, for the file that it writes", ErrConfig)
	}
	return &template{args, has["prob"]}, nil
}

// fill returns the arguments for files in a directory.
func (t *template) fill(dir string, s *sample) []string {
	args := make([]string, len(t.args))
	for i, arg := range t.args {
		args[i] = placeholder.ReplaceAllStringFunc(arg, func(p string) string {
			switch p = strings.Trim(p, "{}"); p {
			case "seed":
				return strconv.FormatUint(s.seed, 10)
			case "seed31":
				return strconv.FormatUint(s.seed31(), 10)
			case "train", "test", "pred", "prob":
				p += ".csv"
			}
			return filepath.Join(dir, p)
		})
	}
	return args
}

// needs reports whether the arguments name a file.
func (t *template) needs(name string) bool {
	return slices.ContainsFunc(t.args, func(arg string) bool {
		return strings.Contains(arg,
			"{"+name+"}")
	})
}

// fitFiles returns the model of a program that reads files, which learns when it is
// to predict.
func (l *Learner) fitFiles(s *sample) (*Model, error) {
	if s.table.Weights() != nil && l.template.needs("train") {
		return nil, fmt.Errorf("%w: %s: a CSV file has no weights: use {train.arff}", ErrConfig,
			l.cfg.Name)
	}
	kind := Values
	switch {
	case s.classes() > 0 && l.template.probabilities:
		kind = Probabilities
	case s.classes() > 0:
		kind = Labels
	case l.template.probabilities:
		return nil, fmt.Errorf("%w: %s: there are no class probabilities of numbers: use {pred}",
			ErrConfig, l.cfg.Name)
	}
	return &Model{sample: s, kind: kind, predict: l.predictFiles, close: func() {}}, nil
}

// predictFiles runs the program and appends its predictions for the given rows to out.
func (l *Learner) predictFiles(ctx context.Context, s *sample, kind Kind, t *dataset.Table,
	rows []int, out *Predictions,
) (err error) {
	dir, remove, err := tempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	train, err := part(s.table, s.rows, true)
	if err != nil {
		return err
	}
	test, err := part(t, rows, false)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		t    *dataset.Table
	}{{"train", train}, {"test", test}} {
		if err := l.writeFiles(dir, f.name, f.t); err != nil {
			return err
		}
	}
	if err := l.runOnce(ctx, l.template.fill(dir, s)); err != nil {
		return err
	}
	if kind == Probabilities {
		return readFile(filepath.Join(dir, "prob.csv"),
			func(r io.Reader) error { return readProbabilities(r, s.target.Values, len(rows), out) })
	}
	return readFile(filepath.Join(dir, "pred.csv"), func(r io.Reader) error {
		return readPredictions(r,
			s.target, len(rows), out)
	})
}

// runOnce runs the program to its end.
func (l *Learner) runOnce(ctx context.Context, args []string) error {
	c, err := l.start(args, false)
	if err != nil {
		return err
	}
	select {
	case <-c.exited:
		<-c.stderr.done // which follows
	case <-ctx.Done():
		c.kill()
		return context.Cause(ctx)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if c.state != nil {
		return fmt.Errorf("%w: %w%s", ErrEnded, c.state, c.stderr.lastWords())
	}
	return nil
}

// part returns a table of some rows of another, without the label unless known is true.
func part(t *dataset.Table, rows []int, known bool) (*dataset.Table, error) {
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		c := dataset.Column{Attribute: t.Attribute(j)}
		for _, r := range rows {
			switch hidden := j == t.ClassIndex() && !known; {
			case c.Kind == dataset.Nominal && hidden:
				c.Codes = append(c.Codes, -1)
			case c.Kind == dataset.Nominal:
				c.Codes = append(c.Codes, t.Codes(j)[r])
			case hidden:
				c.Numbers = append(c.Numbers, math.NaN())
			default:
				c.Numbers = append(c.Numbers, t.Numbers(j)[r])
			}
		}
		cols[j] = c
	}
	var weights []float64
	if t.Weights() != nil {
		for _, r := range rows {
			weights = append(weights, t.Weights()[r])
		}
	}
	return dataset.New(t.Name(), cols, t.ClassIndex(), weights)
}

// writeFiles writes a table as the files of a name that the arguments have.
func (l *Learner) writeFiles(dir, name string, t *dataset.Table) error {
	if l.template.needs(name + ".arff") {
		if err := writeFile(filepath.Join(dir, name+".arff"),
			func(w io.Writer) error { return dataset.WriteARFF(w, t) }); err != nil {
			return err
		}
	}
	if l.template.needs(name) {
		return writeFile(filepath.Join(dir, name+".csv"),
			func(w io.Writer) error { return writeCSV(w, t) })
	}
	return nil
}

func writeFile(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func readFile(path string, read func(r io.Reader) error) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: it wrote no predictions", ErrProtocol)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := read(f); err != nil {
		return fmt.Errorf("%w: its predictions: %w", ErrProtocol, err)
	}
	return nil
}

// writeCSV writes a line of names and a line for each row. Missing values are empty.
func writeCSV(w io.Writer, t *dataset.Table) error {
	out := csv.NewWriter(w)
	record := make([]string, t.NumAttributes())
	for j := range record {
		record[j] = t.Attribute(j).Name
		if slices.Contains(t.Attribute(j).Values, "") {
			return fmt.Errorf("%w: attribute %q has an empty value, which would be a missing one in a CSV file: use {train.arff}", ErrConfig, record[j])
		}
	}
	err := out.Write(record)
	for i := range t.Len() {
		for j := range record {
			switch {
			case t.Missing(i, j):
				record[j] = ""
			case t.Attribute(j).Kind == dataset.Nominal:
				record[j] = t.Attribute(j).Values[t.Codes(j)[i]]
			default:
				record[j] = string(appendNumber(nil, t.Numbers(j)[i]))
			}
		}
		err = errors.Join(err, out.Write(record))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// readPredictions reads n lines with a class or a number each.
func readPredictions(r io.Reader, target dataset.Attribute, n int, out *Predictions) error {
	lines := bufio.NewScanner(r)
	got := 0
	for ; lines.Scan(); got++ {
		if got == n {
			return fmt.Errorf("more than %d lines: one for each example, and no header", n)
		}
		text := strings.TrimRight(lines.Text(), "\r")
		if target.Kind == dataset.Numeric {
			y, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				return fmt.Errorf("line %d: %q is no number", got+1, text)
			}
			out.Values = append(out.Values, y)
			continue
		}
		c := slices.Index(target.Values, text)
		if quoted, err := strconv.Unquote(text); c < 0 && err == nil {
			c = slices.Index(target.Values, quoted)
		}
		if c < 0 {
			return fmt.Errorf("line %d: %q is no class: the classes are %q", got+1, text, target.Values)
		}
		out.Labels = append(out.Labels, c)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", got+1, err)
	}
	if got < n {
		return fmt.Errorf("%d lines for %d examples", got, n)
	}
	return nil
}

// readProbabilities reads a line with names of classes and n lines with their
// probabilities.
func readProbabilities(r io.Reader, classes []string, n int, out *Predictions) error {
	in := csv.NewReader(r)
	names, err := in.Read()
	if err != nil {
		return err
	}
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = slices.Index(classes, name)
		if at[i] < 0 || slices.Contains(names[:i], name) {
			return fmt.Errorf("line 1: %q is no class, or twice there: the classes are %q", name, classes)
		}
	}
	for got := 0; ; got++ {
		record, err := in.Read()
		switch {
		case err == io.EOF && got == n:
			return nil
		case err == io.EOF:
			return fmt.Errorf("%d lines with probabilities for %d examples", got, n)
		case err != nil:
			return err
		case got == n:
			return fmt.Errorf("more than %d lines with probabilities: one for each example", n)
		}
		p := make([]float64, len(classes))
		for i, text := range record {
			if p[at[i]], err = strconv.ParseFloat(strings.TrimSpace(text), 64); err != nil {
				return fmt.Errorf("line %d: %q is no number", got+2, text)
			}
		}
		out.Probabilities = append(out.Probabilities, p...)
	}
}
