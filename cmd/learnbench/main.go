package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/internal/cli"
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
		return scoreCommand(args[1:], stdout, stderr)
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
	return cli.Unjudged, errNoCommand(args[0])
}
