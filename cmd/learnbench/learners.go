package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// A chosen learner is one of classes, one of numbers or a program, under a name.
type chosen struct {
	name       string
	classifier learner.Classifier
	regressor  learner.Regressor
	command    string           // of a program
	program    *process.Learner // set by startPrograms
	stored     bool             // it is but the name of results, and not trained
}

// errNoLearner is that no learner has the name.
var errNoLearner = errors.New("no learner is called")

// parseLearners returns the learners. Where stored results are judged, any other name is one of
// these.
func parseLearners(specs []string, judged bool) ([]chosen, error) {
	var learners []chosen
	for _, spec := range specs {
		l, err := parseLearner(spec)
		if judged && errors.Is(err, errNoLearner) && !strings.ContainsAny(spec, "=(") {
			l, err = chosen{name: spec, stored: true}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("learner %s: %w", spec, err)
		}
		learners = append(learners, l)
	}
	return learners, nil
}

// classifiers returns the learners if all are of classes.
func classifiers(all []chosen) ([]learntest.Learner[dataset.Row, int], error) {
	return adapted(all, "predicts numbers, the data have classes: name a number with -target",
		func(c chosen) (l learntest.Learner[dataset.Row, int], ok bool) {
			switch {
			case c.program != nil:
				return learntest.FromProcess[int](c.program), true
			case c.classifier != nil:
				return learntest.FromClassifier(c.classifier), true
			}
			return l, false
		})
}

// regressors returns the learners if all are of numbers.
func regressors(all []chosen) ([]learntest.Learner[dataset.Row, float64], error) {
	return adapted(all, "predicts classes, the target is a number: name a class with -class",
		func(c chosen) (l learntest.Learner[dataset.Row, float64], ok bool) {
			switch {
			case c.program != nil:
				return learntest.FromProcess[float64](c.program), true
			case c.regressor != nil:
				return learntest.FromRegressor(c.regressor), true
			}
			return l, false
		})
}

// adapted returns the learners under the names that they were given. The refusal is the error for a
// learner that adapt rejects.
func adapted[Y comparable](all []chosen, refusal string,
	adapt func(chosen) (learntest.Learner[dataset.Row, Y], bool)) ([]learntest.Learner[dataset.Row, Y],
	error,
) {
	var learners []learntest.Learner[dataset.Row, Y]
	for _, c := range all {
		l, ok := adapt(c)
		if c.stored {
			l, ok = learntest.Func(c.name, func(context.Context, learntest.Sample[dataset.Row, Y],
				uint64,
			) (func(dataset.Row) Y, error) {
				return nil, errors.New("it is the name of stored results, and cannot be trained: say which learner it is, as in NAME=nn(k=5)")
			}), true
		}
		if !ok {
			return nil, fmt.Errorf("learner %s %s", c.name, refusal)
		}
		l.Name = c.name
		learners = append(learners, l)
	}
	return learners, nil
}

// parseLearner parses [LABEL=]NAME[(PARAMETER=VALUE,...)] and [LABEL=]exec(COMMAND).
// Without a label, the learner has the name it gives itself.
func parseLearner(spec string) (chosen, error) {
	head, params, hasParams := strings.Cut(spec, "(")
	label, name, labelled := strings.Cut(head, "=")
	if strings.TrimSpace(label) != label && labelled {
		return chosen{}, fmt.Errorf("the name %q begins or ends with a space: leave that out", label)
	}
	if !labelled {
		label, name = "", head
	}
	p := &parameters{values: make(map[string]string)}
	if hasParams && !strings.HasSuffix(params, ")") {
		return chosen{}, fmt.Errorf("no closing parenthesis")
	}
	if name == "exec" {
		l := chosen{
			name:    cmp.Or(label, strings.TrimPrefix(spec, "=")),
			command: strings.TrimSuffix(params, ")"),
		}
		if _, err := newProgram(l.name, l.command, nil); err != nil { // which starts nothing
			return chosen{}, err
		}
		return l, nil
	}
	if hasParams {
		if err := p.parse(strings.TrimSuffix(params, ")")); err != nil {
			return chosen{}, err
		}
	}
	for _, b := range builders() {
		if b.name != name {
			continue
		}
		l := chosen{name: label}
		own := ""
		if b.classify != nil {
			l.classifier = b.classify(p)
			own = l.classifier.Name()
		} else {
			l.regressor = b.regress(p)
			own = l.regressor.Name()
		}
		if err := p.finish(); err != nil {
			return chosen{}, err
		}
		l.name = cmp.Or(label, own)
		return l, nil
	}
	return chosen{}, fmt.Errorf("%w %q; the learners are %s%s", errNoLearner, name, learnerNames(),
		catalogue.Suggest(name, builderNames()))
}
