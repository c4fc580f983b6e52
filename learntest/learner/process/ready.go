package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// Ready starts the program before it is needed, and keeps it for the first model: the error, which
// is one that [Learner.Fit] would return for every model, says that it does not start or does not
// learn from tables such as these. Of a program that reads files, which is started for each model,
// nothing is known but that it is there.
func (l *Learner) Ready(ctx context.Context, tables ...*dataset.Table) error {
	if err := l.opened(); err != nil {
		return err
	}
	if l.template != nil {
		return l.cfg.find()
	}
	c, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer l.give(c)
	for _, t := range tables {
		if err := c.says.suits(t); err != nil {
			return fmt.Errorf("data set %q: %w", t.Name(), err)
		}
	}
	return nil
}

// Predicts starts the program, as [Learner.Ready] does, and returns whether it learns to predict
// classes and whether numbers. Of a program that reads files it is not known: both are true.
func (l *Learner) Predicts(ctx context.Context) (classes, numbers bool, err error) {
	if err := l.Ready(ctx); err != nil || l.template != nil {
		return err == nil, err == nil, err
	}
	c, err := l.take(ctx)
	if err != nil {
		return false, false, err
	}
	defer l.give(c)
	return c.says.classes, c.says.numbers, nil
}

// find returns an error unless the program is there.
func (c Config) find() error {
	name := c.Args[0]
	err := exec.Command(name).Err
	if err == nil && filepath.Base(name) != name {
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.Dir, name)
		}
		_, err = os.Stat(name)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStart, err)
	}
	return nil
}

// suits returns an error unless a program that says this learns from a table.
func (h hello) suits(t *dataset.Table) error {
	classes := t.NumClasses() > 0
	switch {
	case !h.classes && !h.numbers:
		return fmt.Errorf("%w: it answers items, and does not learn", ErrProgram)
	case classes && !h.classes:
		return fmt.Errorf("%w: it predicts numbers, and the data have classes", ErrProgram)
	case !classes && !h.numbers:
		return fmt.Errorf("%w: it predicts classes, and the data have numbers", ErrProgram)
	case t.Weights() != nil && !h.weights:
		return fmt.Errorf("%w: it does not use the weights that the examples have", ErrProgram)
	}
	return nil
}
