package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/filetimes"
)

// ciTimesCommand gives the files of a checkout times that follow from their contents.
func ciTimesCommand(args []string, stdout io.Writer) (int, error) {
	fs := flag.NewFlagSet("ci-times", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return helpOn(stdout, "ci-times")
	case err != nil:
		return cli.Unjudged, fmt.Errorf("ci-times: %w: see learnbench ci-times -h", err)
	case fs.NArg() > 1:
		return cli.Unjudged, fmt.Errorf("ci-times: %d directories: name one, or none for the working directory", fs.NArg())
	}
	dir := "."
	if fs.NArg() == 1 {
		dir = fs.Arg(0)
	}
	files, dirs, err := filetimes.Set(dir)
	if err != nil {
		return cli.Unjudged, fmt.Errorf("ci-times: %w", err)
	}
	return cli.Clean, cli.Write(stdout, fmt.Sprintf("set the times of %d files and %d directories\n",
		files, dirs))
}
