package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/starter"
)

// initCommand writes the first test of a model into a module, and a workflow.
func initCommand(args []string, stdout io.Writer) (int, error) {
	s := starter.Start{Dir: "."}
	fs := flag.NewFlagSet("init", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&s.CSV, "csv", "", "")
	fs.StringVar(&s.Label, "label", "", "")
	fs.StringVar(&s.Group, "group", "", "")
	fs.StringVar(&s.Type, "type", "", "")
	fs.StringVar(&s.Learner, "learner", "", "")
	fs.StringVar(&s.CI, "ci", "github", "")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return helpOn(stdout, "init")
	case err != nil:
		return cli.Unjudged, fmt.Errorf("init: %w: see learnbench init -h", err)
	case fs.NArg() > 0:
		return cli.Unjudged, fmt.Errorf("init: %q: it has no arguments but flags: see learnbench init -h",
			fs.Arg(0))
	case s.Type == "" && s.Learner != "":
		return cli.Unjudged, errors.New("init: -learner: it is for a struct of your own, which -type names")
	}
	files, test, err := s.Write()
	if err != nil {
		return cli.Unjudged, fmt.Errorf("init: %w", err)
	}
	var b strings.Builder
	dir, err := os.Getwd()
	if err != nil {
		return cli.Unjudged, err
	}
	for _, path := range files {
		if abs, err := filepath.Abs(path); err == nil {
			if rel, err := filepath.Rel(dir, abs); err == nil {
				path = rel
			}
		}
		fmt.Fprintf(&b, "wrote %s\n", filepath.ToSlash(path))
	}
	b.WriteString("\nThe test fails until there is a baseline. Next, with what you would change of the model changed:\n\n")
	for _, c := range starter.Commands(s.Dir, test) {
		fmt.Fprintf(&b, "\t%s\n", c)
	}
	return cli.Clean, cli.Write(stdout, b.String())
}
