package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
)

// learnstat compares two result files as the command of that name does, and returns its
// exit status.
func learnstat(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	path, err := findLearnstat(ctx)
	if err != nil {
		return cli.Unjudged, err
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() >= 0 {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("learnstat: %w", err)
	}
	return cli.Clean, nil
}

// checkLearnstat returns an error if there is no learnstat, or if it does not understand
// the flags: before the tests are run, not after. Whether the results have the names the flags
// choose is seen when there are results.
func checkLearnstat(ctx context.Context, flags []string) error {
	var stderr strings.Builder
	status, err := learnstat(ctx, append(slices.Clone(flags), "-help"), io.Discard, &stderr)
	if err == nil && status != cli.Clean {
		err = errors.New(strings.TrimPrefix(strings.TrimSpace(stderr.String()), "learnstat: "))
	}
	return err
}

// learnstatPath is where the command is in this module.
const learnstatPath = "github.com/learnbench/learnbench/cmd/learnstat"

// findLearnstat returns the path of the command beside this one, as a tool of the module that the
// directory is in, which is where go tool learnbench has it, or on PATH.
func findLearnstat(ctx context.Context) (string, error) {
	name := "learnstat"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); isFile(beside) {
			return beside, nil
		}
	}
	if out, err := exec.CommandContext(ctx, "go", "tool", "-n", learnstatPath).Output(); err == nil {
		if path := strings.TrimSpace(string(out)); isFile(path) {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", errors.New("learnstat is neither beside learnbench, nor a tool of go.mod, nor on PATH: go get -tool " + learnstatPath + " makes it the second, go install " + learnstatPath + "@latest the others")
	}
	return path, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
