package process

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// keep has the program keep a table, and returns its number.
func (c *child) keep(ctx context.Context, t *dataset.Table) (int, error) {
	digest, err := t.Digest()
	if err != nil {
		return 0, err
	}
	n, known := c.tables.number(digest)
	if known {
		return n, nil
	}
	b := c.begin("table")
	b = strconv.AppendInt(append(b, `,"table":`...), int64(n), 10)
	b = appendExamples(b, t, nil)
	if _, err := c.ask(ctx, "table", b, 0); err != nil {
		c.tables.digests[n-1] = "" // of no table
		return 0, err
	}
	return n, nil
}

// message begins a message about rows of a table, which the program keeps if it
// can and gets with the message if not.
func (c *child) message(ctx context.Context, op string, t *dataset.Table, rows []int) ([]byte,
	error,
) {
	if !c.says.tables {
		return appendExamples(c.begin(op), t, rows), nil
	}
	n, err := c.keep(ctx, t)
	if err != nil {
		return nil, err
	}
	b := c.begin(op)
	b = strconv.AppendInt(append(b, `,"table":`...), int64(n), 10)
	return appendList(append(b, `,"rows":`...), rows, appendInt), nil
}

// fit trains the program, and returns the kind of its predictions.
func (c *child) fit(ctx context.Context, s *sample) (Kind, error) {
	if err := c.says.suits(s.table); err != nil {
		return 0, err
	}
	classes := s.classes() > 0
	b, err := c.message(ctx, "fit", s.table, s.rows)
	if err != nil {
		return 0, err
	}
	a, err := c.ask(ctx, "fit", appendTraining(b, s), 0)
	if err != nil {
		return 0, err
	}
	kind, err := given(a, classes)
	if err != nil {
		c.kill()
		return 0, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return kind, nil
}

// appendTraining appends labels, weights and seed.
func appendTraining(b []byte, s *sample) []byte {
	t := s.table
	b = append(b, `,"labels":`...)
	if s.classes() > 0 {
		b = appendSome(b, t.Codes(t.ClassIndex()), s.rows, appendCode)
	} else {
		b = appendSome(b, t.Numbers(t.ClassIndex()), s.rows, appendNumber)
	}
	if w := t.Weights(); w != nil {
		b = appendSome(append(b, `,"weights":`...), w, s.rows, appendNumber)
	}
	b = strconv.AppendUint(append(b, `,"seed":"`...), s.seed, 10)
	return strconv.AppendUint(append(b, `","seed31":`...), s.seed31(), 10)
}

// given returns what a model predicts by the answer to fit.
func given(a *answer, classes bool) (Kind, error) {
	if a.Gives == nil {
		return 0, errors.New(`its answer does not say what the model "gives"`)
	}
	kind, ok := kindNamed(*a.Gives)
	if !ok {
		return 0, fmt.Errorf("its model gives %q, which is none of %q", *a.Gives, kinds)
	}
	if classes == (kind == Values) {
		return 0, fmt.Errorf("its model gives %v for a target that is not of that kind", kind)
	}
	return kind, nil
}

// predict asks for predictions for the given rows and adds them to out.
func (c *child) predict(ctx context.Context, s *sample, kind Kind, t *dataset.Table, rows []int,
	out *Predictions,
) error {
	b, err := c.message(ctx, "predict", t, rows)
	if err != nil {
		return err
	}
	numbers := len(rows)
	if kind == Probabilities {
		numbers *= s.classes()
	}
	a, err := c.ask(ctx, "predict", b, numbers)
	if err != nil {
		return err
	}
	if err := a.predictions(kind, len(rows), s.classes(), out); err != nil {
		c.kill()
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return nil
}

// predictions adds n predictions to out.
func (a *answer) predictions(kind Kind, n, classes int, out *Predictions) error {
	switch kind {
	case Labels:
		if err := complete(len(a.Labels), n, kind); err != nil {
			return err
		}
		return a.labels(classes, out)
	case Probabilities:
		if err := complete(len(a.Probabilities), n, kind); err != nil {
			return err
		}
		return a.probabilities(classes, out)
	}
	if err := complete(len(a.Values), n, kind); err != nil {
		return err
	}
	for i, y := range a.Values {
		if y == nil {
			return fmt.Errorf("values[%d] is null", i)
		}
		out.Values = append(out.Values, *y)
	}
	return nil
}

func complete(got, want int, kind Kind) error {
	if got != want {
		return fmt.Errorf("%d %v for %d examples", got, kind, want)
	}
	return nil
}

func (a *answer) labels(classes int, out *Predictions) error {
	for i, c := range a.Labels {
		if c == nil {
			return fmt.Errorf("labels[%d] is null", i)
		}
		if *c < 0 || *c >= classes {
			return fmt.Errorf("labels[%d] is %d, which is no index of %d classes", i, *c, classes)
		}
		out.Labels = append(out.Labels, *c)
	}
	return nil
}

func (a *answer) probabilities(classes int, out *Predictions) error {
	for i, row := range a.Probabilities {
		if len(row) != classes {
			return fmt.Errorf("probabilities[%d] has %d numbers for %d classes", i, len(row), classes)
		}
		for c, p := range row {
			if p == nil {
				return fmt.Errorf("probabilities[%d][%d] is null", i, c)
			}
			out.Probabilities = append(out.Probabilities, *p)
		}
	}
	return nil
}
