//go:build linux

// Statbench measures the CPU time and the memory of learnstat beside benchstat, on the same files,
// in turns:
//
//	go -C internal/dev run ./statbench
//
// The files are written by resultgen. benchstat has the flags under which it groups as
// learnstat does. The golang.org/x/perf of learnbench's go.mod is the one measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/learnbench/learnbench/internal/texttab"
)

// A size is the arguments of resultgen for a pair of files, which have a number of lines.
type size struct {
	name                        string
	data, learners, runs, folds int
}

func (s size) lines() int { return s.data * s.learners * s.runs * s.folds }

var sizes = []size{
	{"200 data sets × 10 learners × 100 folds", 200, 10, 10, 10},
	{"400 data sets × 10 learners × 100 folds", 400, 10, 10, 10},
	{"1000 data sets × 10 learners × 100 folds", 1000, 10, 10, 10},
	{"2000 data sets × 2 learners × 2 folds", 2000, 2, 1, 2},
	{"1 data set × 2 learners × 10000 runs", 1, 2, 10000, 10},
}

// A cost is what a run of a command takes.
type cost struct {
	cpu time.Duration
	mib float64
}

func main() {
	pairs := flag.Int("pairs", 3, "times that each command runs")
	flag.Parse()
	if err := measure(context.Background(), os.Stdout, *pairs); err != nil {
		fmt.Fprintf(os.Stderr, "statbench: %v\n", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, w io.Writer, pairs int) (err error) {
	dir, err := os.MkdirTemp("", "statbench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/learnbench/learnbench").Output()
	if err != nil {
		return fmt.Errorf("go list: %w (run this program in the directory of its module)", err)
	}
	learnbench := strings.TrimSpace(string(root))
	for _, build := range [][]string{
		{"-C", learnbench, "build", "-o", dir + string(filepath.Separator), "golang.org/x/perf/cmd/benchstat", "./cmd/learnstat"},
		{"build", "-o", dir + string(filepath.Separator), "./resultgen"},
	} {
		if out, err := exec.CommandContext(ctx, "go", build...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(build, " "), err, out)
		}
	}
	t := texttab.New(
		texttab.Group{Columns: []texttab.Column{{}, {Title: "lines a file", Align: texttab.Right}}},
		texttab.Group{Title: "learnstat", Columns: []texttab.Column{{Title: "CPU s", Align: texttab.Right}, {Title: "µs a line", Align: texttab.Right}, {Title: "MiB", Align: texttab.Right}}},
		texttab.Group{Title: "benchstat", Columns: []texttab.Column{{Title: "CPU s", Align: texttab.Right}, {Title: "MiB", Align: texttab.Right}}},
		texttab.Group{Title: "ratio", Columns: []texttab.Column{{Title: "CPU", Align: texttab.Right}, {Title: "memory", Align: texttab.Right}}},
	)
	for _, s := range sizes {
		ours, theirs, err := compare(ctx, dir, s, pairs)
		if err != nil {
			return err
		}
		t.Row(s.name, strconv.Itoa(s.lines()),
			fmt.Sprintf("%.2f", ours.cpu.Seconds()), fmt.Sprintf("%.2f", ours.cpu.Seconds()*1e6/float64(2*s.lines())), fmt.Sprintf("%.0f", ours.mib),
			fmt.Sprintf("%.2f", theirs.cpu.Seconds()), fmt.Sprintf("%.0f", theirs.mib),
			fmt.Sprintf("%.3f", ours.cpu.Seconds()/theirs.cpu.Seconds()), fmt.Sprintf("%.2f", ours.mib/theirs.mib))
	}
	_, err = io.WriteString(w, t.String())
	return err
}

// compare runs both commands on a pair of files in turns and returns the medians.
func compare(ctx context.Context, dir string, s size, pairs int) (ours, theirs cost, err error) {
	var files []string
	for seed := 1; seed <= 2; seed++ {
		path := filepath.Join(dir, fmt.Sprintf("%d.txt", seed))
		if err := generate(ctx, dir, path, s, seed); err != nil {
			return ours, theirs, err
		}
		files = append(files, path)
	}
	var a, b []cost
	for range pairs {
		x, err := run(ctx, filepath.Join(dir, "learnstat"), files...)
		if err != nil {
			return ours, theirs, err
		}
		y, err := run(ctx, filepath.Join(dir, "benchstat"), append([]string{"-ignore", "/run,/fold,commit,data-sha256,split-sha256"}, files...)...)
		if err != nil {
			return ours, theirs, err
		}
		a, b = append(a, x), append(b, y)
	}
	return median(a), median(b), nil
}

func generate(ctx context.Context, dir, path string, s size, seed int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "resultgen"), "-data", strconv.Itoa(s.data), "-learners", strconv.Itoa(s.learners),
		"-runs", strconv.Itoa(s.runs), "-folds", strconv.Itoa(s.folds), "-seed", strconv.Itoa(seed))
	cmd.Stdout, cmd.Stderr = f, os.Stderr
	return cmd.Run()
}

// run runs a command and returns its cost.
func run(ctx context.Context, path string, args ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w", path, err)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), float64(usage.Maxrss) / 1024}, nil
}

// median returns the median of each number.
func median(costs []cost) cost {
	var cpu []time.Duration
	var mib []float64
	for _, c := range costs {
		cpu, mib = append(cpu, c.cpu), append(mib, c.mib)
	}
	slices.Sort(cpu)
	slices.Sort(mib)
	return cost{cpu[len(cpu)/2], mib[len(mib)/2]}
}
