package input

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
)

// ParameterNotes says which parameters of a learner that is compared differ between the first side and each
// other: results of learnbench run have the command that has made them.
func ParameterNotes(sides []*Side, compared func(learner string) bool) []string {
	var notes []string
	for _, s := range sides[1:] {
		for _, data := range sides[0].File.DataSets() {
			for _, learner := range sides[0].File.Learners(data) {
				a, b := specOf(sides[0].File, data, learner), specOf(s.File, data, learner)
				if a == "" || b == "" || a == b || !compared(learner) {
					continue
				}
				text := difference(a, b, sides[0].Label, s.Label)
				if note := fmt.Sprintf("learner %s differs: %s", learner, text); text != "" && !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
	}
	return notes
}

// specOf returns what learnbench run was told that a learner is, such as nn(k=5); nothing if that is not known,
// or not the same for all results on the data set.
func specOf(f *record.File, data, learner string) string {
	spec := ""
	for _, b := range f.Blocks() {
		if b.Header.Data != data || !slices.Contains(b.Learners, learner) {
			continue
		}
		line, ok := strings.CutPrefix(b.Header.Reproduce, "learnbench run ")
		if !ok {
			return ""
		}
		words, _ := cli.Words(line)
		own := ""
		for _, w := range words { // the learners come last
			if named, ok := strings.CutPrefix(w, learner+"="); ok || w == learner {
				own = named
			}
		}
		if own == "" || spec != "" && own != spec {
			return ""
		}
		spec = own
	}
	return spec
}

// A parameter is one of a learner.
type parameter struct{ name, value string }

// parse returns what a learner is and its parameters: those in parentheses, or the words NAME=VALUE of the command
// of a program.
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

// difference says in what two learners differ: in some parameters, or altogether. The order of parameters makes none,
// but of the words of a command.
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
