package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
)

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
	return p.below(key, 1, "a number between 0 and 1")
}

// positive returns a parameter above 0, or 0 if it is not given.
func (p *parameters) positive(key string) float64 {
	return p.below(key, math.Inf(1), "a positive number")
}

// below returns a parameter above 0 and below a bound, or 0 if it is not given.
func (p *parameters) below(key string, bound float64, want string) float64 {
	v, ok := p.take(key)
	if !ok {
		return 0
	}
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || !(x > 0 && x < bound) {
		p.fail(key, v, want)
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
		return fmt.Errorf("it has no parameter %s: it has %s%s", unknown[0], strings.Join(p.known, ", "),
			catalogue.Suggest(unknown[0], p.known))
	}
	return nil
}

func sortedKeys[T any](m map[string]T) []string {
	return slices.Sorted(maps.Keys(m))
}
