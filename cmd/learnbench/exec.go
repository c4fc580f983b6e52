package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// words splits the command of a program as the documentation says: no shell has a
// part in it.
func words(command string) ([]string, error) {
	var all []string
	var word strings.Builder
	begun := false // there is a word, which may be empty
	for i := 0; i < len(command); i++ {
		switch c := command[i]; c {
		case ' ', '\t', '\n':
			if begun {
				all = append(all, word.String())
			}
			word.Reset()
			begun = false
		case '\'', '"':
			inside, _, closed := strings.Cut(command[i+1:], string(c))
			if !closed {
				return nil, fmt.Errorf("no closing %c", c)
			}
			word.WriteString(inside)
			i += len(inside) + 1
			begun = true
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		all = append(all, word.String())
	}
	if len(all) == 0 {
		return nil, errors.New("no program: name it and its arguments, as in exec(python3 shim.py)")
	}
	return all, nil
}

// newProgram returns the learner that a program is.
func newProgram(name, command string, stderr io.Writer) (*process.Learner, error) {
	args, err := words(command)
	if err != nil {
		return nil, err
	}
	return process.New(process.Config{Args: args, Name: name, Stderr: stderr})
}

// startPrograms makes the learners that are programs. The function that it returns
// ends them.
func startPrograms(learners []chosen, stderr io.Writer) (end func(), err error) {
	var programs []*process.Learner
	for i, l := range learners {
		if l.command == "" {
			continue
		}
		if learners[i].program, err = newProgram(l.name, l.command, stderr); err != nil {
			return nil, fmt.Errorf("learner %s: %w", l.name, err)
		}
		programs = append(programs, learners[i].program)
	}
	return func() {
		for _, p := range programs {
			if err := p.Close(); err != nil {
				cli.Report(stderr, "learnbench", err)
			}
		}
	}, nil
}

// readyPrograms returns an error for each program that does not start, or learns from no such
// data, before any is trained on them.
func readyPrograms(ctx context.Context, learners []chosen, tables []*dataset.Table) error {
	errs := make([]error, len(learners))
	var wait sync.WaitGroup
	for i, l := range learners {
		if l.program == nil {
			continue
		}
		wait.Go(func() {
			if err := l.program.Ready(ctx, tables...); err != nil {
				errs[i] = fmt.Errorf("learner %s cannot run: %w", l.name, err)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
