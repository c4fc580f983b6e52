package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/learner/process/shims"
)

// shimCommand writes a shim to stdout.
func shimCommand(args []string, stdout io.Writer) (int, error) {
	if len(args) == 1 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		return helpOn(stdout, "shim")
	}
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		return cli.Unjudged, fmt.Errorf("shim: name one of %s", strings.Join(shims.Names(), ", "))
	}
	text, err := shims.Text(args[0])
	if err != nil {
		return cli.Unjudged, fmt.Errorf("shim: %w", err)
	}
	return cli.Clean, cli.Write(stdout, text)
}
