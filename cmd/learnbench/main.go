package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/internal/cli"
)

var (
	//go:embed doc.go
	doc string

	//go:embed help.txt
	shortHelp string
)

// endings are the signals that end a command in good order: the user's interrupt, CI's termination,
// and the hang-up of a closed terminal.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endings...)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	status, err := command(ctx, args, stdout, stderr)
	if err != nil {
		cli.Report(stderr, "learnbench", err)
		return cli.Unjudged
	}
	return status
}

func command(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	if len(args) == 0 {
		return cli.Unjudged, errors.New("no command: see learnbench help")
	}
	switch args[0] {
	case "check":
		return checkCommand(ctx, args[1:], stdout, stderr)
	case "run":
		return runCommand(ctx, args[1:], stdout, stderr)
	case "ci-times":
		return ciTimesCommand(args[1:], stdout)
	case "compare":
		return compareCommand(ctx, args[1:], stdout, stderr)
	case "import":
		return importCommand(args[1:], stdout, stderr)
	case "init":
		return initCommand(args[1:], stdout)
	case "pin":
		return pinCommand(args[1:], stdout)
	case "plan":
		return planCommand(args[1:], stdout)
	case "prove":
		return proveCommand(ctx, args[1:], stdout, stderr)
	case "refresh":
		return refreshCommand(ctx, args[1:], stdout, stderr)
	case "score":
		return scoreCommand(args[1:], stdout)
	case "study":
		return studyCommand(ctx, args[1:], stdout, stderr)
	case "shim":
		return shimCommand(args[1:], stdout)
	case "version", "-version", "--version":
		return cli.Clean, cli.Write(stdout, buildinfo.Line("learnbench"))
	case "help", "-h", "-help", "--help":
		if len(args) == 1 {
			return cli.Clean, cli.Write(stdout, shortHelp)
		}
		if args[1] != "all" {
			return helpOn(stdout, args[1])
		}
		return help(stdout)
	case "-help-all", "--help-all":
		return help(stdout)
	}
	return cli.Unjudged, fmt.Errorf("no command is called %q: see learnbench help", args[0])
}

// help writes the whole documentation of the command.
func help(stdout io.Writer) (int, error) {
	var b strings.Builder
	if err := cli.Help(&b, doc); err != nil {
		return cli.Unjudged, err
	}
	return cli.Clean, cli.Write(stdout, b.String())
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
		return cli.Unjudged, fmt.Errorf("no command is called %q: see learnbench help", command)
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
