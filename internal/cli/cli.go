// Package cli holds what the commands have in common.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// The exit statuses.
const (
	Clean    = 0 // the gate passes
	Failed   = 1 // the gate failed
	Unjudged = 2 // it could not be judged
)

// Help writes the package comment of a Go source file as text. A file without
// one is an error.
func Help(w io.Writer, source string) error {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", source,
		parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	if f.Doc == nil {
		return errors.New("there is no package comment")
	}
	var p comment.Parser
	_, err = w.Write(new(comment.Printer).Text(p.Parse(f.Doc.Text())))
	return err
}

// Section returns the part of a text, as [Help] writes it, that is below a heading. One that is not
// there is an error.
func Section(text, title string) (string, error) {
	_, part, ok := strings.Cut(text, "\n# "+title+"\n\n")
	if !ok {
		return "", fmt.Errorf("there is no section %q", title)
	}
	if end := strings.Index(part, "\n# "); end >= 0 {
		part = part[:end]
	}
	return strings.TrimRight(part, "\n") + "\n", nil
}

// A Gate is a set of outcomes that a command fails on. As a flag it is a list
// of their names, separated by commas.
type Gate []verdict.Outcome

// String returns the names of the outcomes, separated by commas.
func (g *Gate) String() string {
	names := make([]string, len(*g))
	for i, o := range *g {
		names[i] = o.String()
	}
	return strings.Join(names, ",")
}

// Set adds the outcomes of a list.
func (g *Gate) Set(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		o, err := gateOutcome(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		*g = append(*g, o)
	}
	return nil
}

func gateOutcome(name string) (verdict.Outcome, error) {
	var names []string
	for _, o := range verdict.Outcomes() {
		if o == verdict.Invalid { // always fails, with a status of its own
			continue
		}
		if o.String() == name {
			return o, nil
		}
		names = append(names, o.String())
	}
	return 0, fmt.Errorf("no outcome is called %q; the outcomes are %s%s", name,
		strings.Join(names, ", "), catalogue.Suggest(name, names))
}

// Status returns the exit status for the outcomes of all verdicts: Unjudged if
// one is Invalid, else Failed if one is in the gate. No outcome at all is not
// a clean gate.
func (g *Gate) Status(outcomes []verdict.Outcome) int {
	status := Clean
	for _, o := range outcomes {
		switch {
		case o == verdict.Invalid || !slices.Contains(verdict.Outcomes(), o):
			return Unjudged
		case slices.Contains(*g, o):
			status = Failed
		}
	}
	if len(outcomes) == 0 {
		return Unjudged
	}
	return status
}

// NearestFlag returns the end of an error on an unknown flag, as in "; did you mean -data?": empty
// for other errors, and if no flag is near.
func NearestFlag(fs *flag.FlagSet, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return ""
	}
	var flags []string
	fs.VisitAll(func(f *flag.Flag) { flags = append(flags, "-"+f.Name) })
	return catalogue.Suggest(name, flags)
}
