package input

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
)

// ParameterNotes says which parameters of a learner that is compared differ between the first side
// and each other: results of learnbench run have the command that has made them.
func ParameterNotes(sides []*Side, compared func(learner string) bool) []string {
	var notes []string
	if len(sides) < 2 {
		return nil
	}
	said := make(map[string]bool)
	before := specsOf(sides[0].File)
	for _, s := range sides[1:] {
		after := specsOf(s.File)
		for _, of := range before.order {
			a, b := before.spec[of], after.spec[of]
			if a == "" || b == "" || a == b {
				continue
			}
			text := difference(a, b, sides[0].Label, s.Label)
			note := fmt.Sprintf("learner %s differs: %s", of.learner, text)
			if text != "" && !said[note] && compared(of.learner) {
				notes = append(notes, note)
			}
			said[note] = true
		}
	}
	return notes
}

// specs are the learners as the arguments of learnbench run define them, such as nn(k=5).
type specs struct {
	order []onData // as they come in the file
	spec  map[onData]string
}

type onData struct{ data, learner string }

// specsOf returns the specs of a file. A spec is empty if it is not known, or differs between
// results of a learner on a data set.
func specsOf(f *record.File) specs {
	if !slices.ContainsFunc(f.Blocks(),
		func(b *record.Block) bool { return strings.HasPrefix(b.Header.Reproduce, command) }) {
		return specs{}
	}
	s := specs{spec: make(map[onData]string)}
	lines := make(map[string][]string) // the words of each command
	for _, b := range f.Blocks() {
		words, ok := lines[b.Header.Reproduce]
		if line, is := strings.CutPrefix(b.Header.Reproduce, command); is && !ok {
			words, _ = cli.Words(line)
		}
		lines[b.Header.Reproduce] = words
		for _, learner := range b.Learners {
			of, own := onData{b.Header.Data, learner}, specIn(words, learner)
			if was, ok := s.spec[of]; !ok {
				s.order = append(s.order, of)
			} else if was != own {
				own = ""
			}
			s.spec[of] = own
		}
	}
	return s
}

// command begins a command line that names learners.
const command = "learnbench run "

// specIn returns what the arguments of learnbench run say that a learner is.
func specIn(words []string, learner string) string {
	spec := ""
	for _, w := range words { // the learners come last
		if named, ok := strings.CutPrefix(w, learner+"="); ok || w == learner {
			spec = named
		}
	}
	return spec
}

// A parameter is one of a learner.
type parameter struct{ name, value string }

// parse returns what a learner is and its parameters: those in parentheses, or the words NAME=VALUE
// of the command of a program.
func parse(spec string) (kind string, parameters []parameter) {
	name, list, _ := strings.Cut(spec, "(")
	list = strings.TrimSuffix(list, ")")
	items := strings.Split(list, ",")
	if name == "exec" {
		items = strings.Fields(list)
	}
	kind = name
	for _, item := range items {
		if key, value, ok := strings.Cut(strings.TrimSpace(item), "="); ok {
			parameters = append(parameters, parameter{key, value})
		} else if item != "" {
			kind += " " + item
		}
	}
	return kind, parameters
}

// difference says in what two learners differ: in some parameters, or altogether. The order of
// parameters makes none, but of the words of a command.
func difference(a, b, inA, inB string) string {
	kind, before := parse(a)
	other, after := parse(b)
	var texts []string
	names := make(map[string]bool)
	for _, p := range slices.Concat(before, after) {
		x, y := valueOf(before, p.name), valueOf(after, p.name)
		if !names[p.name] && x != y {
			texts = append(texts, fmt.Sprintf("%s is %s in %s, and %s in %s", p.name, x, inA, y, inB))
		}
		names[p.name] = true
	}
	if kind != other || texts == nil && strings.HasPrefix(kind, "exec ") {
		return fmt.Sprintf("it is %s in %s, and %s in %s", a, inA, b, inB)
	}
	return strings.Join(texts, "; ")
}

// valueOf returns the value of a parameter.
func valueOf(all []parameter, name string) string {
	at := slices.IndexFunc(all, func(p parameter) bool { return p.name == name })
	if at < 0 {
		return "not given"
	}
	return all[at].value
}
