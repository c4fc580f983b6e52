package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/learner/tan"
)

// A builder makes a learner, of classes or of numbers, from its parameters. It takes the parameters
// it knows out of the list.
type builder struct {
	name     string
	classify func(p *parameters) learner.Classifier
	regress  func(p *parameters) learner.Regressor
}

func builders() []builder {
	return []builder{
		{name: "c45", classify: buildC45},
		{name: "majority", classify: func(*parameters) learner.Classifier { return baseline.Majority() }},
		{name: "naivebayes", classify: buildNaiveBayes},
		{name: "nn", classify: buildNeighbor},
		{name: "perceptron", classify: buildPerceptron},
		{name: "tan", classify: func(*parameters) learner.Classifier { return tan.New(tan.Config{}) }},
		{name: "mean", regress: func(*parameters) learner.Regressor { return baseline.Mean() }},
		{name: "median", regress: func(*parameters) learner.Regressor { return baseline.Median() }},
		{name: "ols", regress: buildOLS},
	}
}

func buildC45(p *parameters) learner.Classifier {
	return c45.New(c45.Config{
		MinLeaf:    p.count("minleaf", 1),
		Confidence: p.fraction("confidence"),
		Pruning: choice(p, "pruning", map[string]c45.Pruning{
			"pessimistic": c45.Pessimistic, "cost-complexity": c45.CostComplexity, "none": c45.Unpruned,
		}),
		NoRaising: p.yes("noraising"),
		Laplace:   p.yes("laplace"),
	})
}

func buildNaiveBayes(p *parameters) learner.Classifier {
	return naivebayes.New(naivebayes.Config{WekaOrder: p.wekaOrder()})
}

func buildNeighbor(p *parameters) learner.Classifier {
	return neighbor.New(neighbor.Config{
		K: p.count("k", 1),
		Weighting: choice(p, "weighting", map[string]neighbor.Weighting{
			"equal": neighbor.Equal, "inverse": neighbor.Inverse, "similarity": neighbor.Similarity,
		}),
		Ties:      choice(p, "ties", map[string]neighbor.Ties{"all": neighbor.AllTies, "first": neighbor.FirstTies}),
		WekaOrder: p.wekaOrder(),
	})
}

func buildPerceptron(p *parameters) learner.Classifier {
	return perceptron.New(perceptron.Config{Epochs: p.count("epochs", 1), Exponent: p.count("exponent", 1)})
}

func buildOLS(p *parameters) learner.Regressor {
	return ols.New(ols.Config{Missing: choice(p, "missing", map[string]dataset.Missing{
		"error": dataset.MissingError, "indicator": dataset.MissingIndicator,
	})})
}

func learnerNames() string {
	var classes, numbers []string
	for _, b := range builders() {
		if b.classify != nil {
			classes = append(classes, b.name)
		} else {
			numbers = append(numbers, b.name)
		}
	}
	return strings.Join(classes, ", ") + " for classes, " + strings.Join(numbers, ", ") + " for numbers, and exec(COMMAND)"
}

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

// parseLearners returns the learners. Where stored results are judged, any other name is one of these.
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
	return adapted(all, "predicts numbers, the data have classes: name a number with -target", func(c chosen) (l learntest.Learner[dataset.Row, int], ok bool) {
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
	return adapted(all, "predicts classes, the target is a number: name a class with -class", func(c chosen) (l learntest.Learner[dataset.Row, float64], ok bool) {
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
func adapted[Y comparable](all []chosen, refusal string, adapt func(chosen) (learntest.Learner[dataset.Row, Y], bool)) ([]learntest.Learner[dataset.Row, Y], error) {
	var learners []learntest.Learner[dataset.Row, Y]
	for _, c := range all {
		l, ok := adapt(c)
		if c.stored {
			l, ok = learntest.Func(c.name, func(context.Context, learntest.Sample[dataset.Row, Y], uint64) (func(dataset.Row) Y, error) {
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
		l := chosen{name: cmp.Or(label, strings.TrimPrefix(spec, "=")), command: strings.TrimSuffix(params, ")")}
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
	return chosen{}, fmt.Errorf("%w %q; the learners are %s", errNoLearner, name, learnerNames())
}

// parameters are the parameters of a learner that no builder has taken yet.
type parameters struct {
	values map[string]string
	known  []string
	err    error
}

func (p *parameters) parse(s string) error {
	for kv := range strings.SplitSeq(s, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(kv), "=")
		if _, double := p.values[key]; !ok || double {
			return fmt.Errorf("parameter %q: want KEY=VALUE, each once", kv)
		}
		p.values[key] = value
	}
	return nil
}

// take returns the value of a parameter and whether it was given.
func (p *parameters) take(key string) (string, bool) {
	p.known = append(p.known, key)
	v, ok := p.values[key]
	delete(p.values, key)
	return v, ok
}

func (p *parameters) fail(key, value, want string) {
	if p.err == nil {
		p.err = fmt.Errorf("parameter %s=%s: want %s", key, value, want)
	}
}

// count returns an integer parameter of at least 1, or 0 if it is not given.
func (p *parameters) count(key string, least int) int {
	v, ok := p.take(key)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < least {
		p.fail(key, v, fmt.Sprintf("an integer of at least %d", least))
	}
	return n
}

// fraction returns a parameter between 0 and 1, or 0 if it is not given.
func (p *parameters) fraction(key string) float64 {
	v, ok := p.take(key)
	if !ok {
		return 0
	}
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || !(x > 0 && x < 1) {
		p.fail(key, v, "a number between 0 and 1")
	}
	return x
}

// yes returns a parameter that is true or false, or false if it is not given.
func (p *parameters) yes(key string) bool {
	v, ok := p.take(key)
	if !ok {
		return false
	}
	b, err := strconv.ParseBool(v)
	if err != nil {
		p.fail(key, v, "true or false")
	}
	return b
}

// wekaOrder returns whether results are to depend on the order of the examples
// as Weka's do.
func (p *parameters) wekaOrder() bool {
	return choice(p, "order", map[string]bool{"free": false, "weka": true})
}

// choice returns the value with the given name, or the zero value if it is not
// given.
func choice[T any](p *parameters, key string, values map[string]T) T {
	v, ok := p.take(key)
	if !ok {
		return *new(T)
	}
	t, ok := values[v]
	if !ok {
		p.fail(key, v, "one of "+strings.Join(sortedKeys(values), ", "))
	}
	return t
}

// finish returns an error if a parameter was wrong or is not known.
func (p *parameters) finish() error {
	if p.err != nil {
		return p.err
	}
	if unknown := sortedKeys(p.values); len(unknown) > 0 {
		if len(p.known) == 0 {
			return fmt.Errorf("it has no parameter %s: it has none", unknown[0])
		}
		return fmt.Errorf("it has no parameter %s: it has %s", unknown[0], strings.Join(p.known, ", "))
	}
	return nil
}

func sortedKeys[T any](m map[string]T) []string {
	return slices.Sorted(maps.Keys(m))
}
