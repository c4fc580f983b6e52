package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/learnbench/learnbench/internal/cli"
)

//go:embed doc.go
var doc string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintf(stderr, "learnbench: %v\n", err)
		return cli.Unjudged
	}
	if len(args) == 0 {
		return fail(fmt.Errorf("no command: see learnbench help"))
	}
	switch args[0] {
	case "run":
		status, err := runCommand(ctx, args[1:], stdout, stderr)
		if err != nil {
			return fail(err)
		}
		return status
	case "help", "-h", "-help", "--help":
		if err := cli.Help(stdout, doc); err != nil {
			return fail(err)
		}
		return cli.Clean
	}
	return fail(fmt.Errorf("no command is called %q: see learnbench help", args[0]))
}
