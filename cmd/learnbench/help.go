package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/internal/cli"
)

var (
	//go:embed doc.go
	doc string

	//go:embed help.txt
	shortHelp string
)

// help writes the whole documentation of the command.
func help(stdout io.Writer) (int, error) {
	var b strings.Builder
	if err := cli.Help(&b, doc); err != nil {
		return cli.Unjudged, err
	}
	return cli.Clean, cli.Write(stdout, b.String())
}

// errNoCommand returns the error on an unknown command.
func errNoCommand(name string) error {
	var names []string
	for line := range strings.Lines(shortHelp) {
		if rest, ok := strings.CutPrefix(line, "\tlearnbench "); ok {
			names = append(names, strings.Fields(rest)[0])
		}
	}
	return fmt.Errorf("no command is called %q: see learnbench help%s", name,
		catalogue.Suggest(name, names))
}

// helpOn writes the part of the documentation that is about one of the commands.
func helpOn(stdout io.Writer, command string) (int, error) {
	var b strings.Builder
	if err := cli.Help(&b, doc); err != nil {
		return cli.Unjudged, err
	}
	var usage strings.Builder
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "\tlearnbench "+command+" ") {
			usage.WriteString(line)
		} else if usage.Len() > 0 && strings.TrimSpace(line) == "" {
			break
		}
	}
	if usage.Len() == 0 {
		return cli.Unjudged, errNoCommand(command)
	}
	// A line of the usage, and no section, is what help and version have.
	text := "Usage:\n\n" + usage.String() + "\n"
	for _, title := range sections(command) {
		part, err := cli.Section(b.String(), title)
		if err != nil {
			return cli.Unjudged, fmt.Errorf("help on %q: %w", command, err)
		}
		text += part + "\n"
	}
	return cli.Clean, cli.Write(stdout, strings.TrimSuffix(text, "\n"))
}

// sections returns the titles of the help sections about a command.
func sections(command string) []string {
	titles := []string{strings.ToUpper(command[:1]) + command[1:]}
	if command == "run" {
		titles = append(titles, "Exit status")
	}
	return titles
}
