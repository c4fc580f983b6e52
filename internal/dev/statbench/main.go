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

// A shape is the arguments of resultgen for the files of a comparison.
type shape struct {
	name                        string
	data, learners, runs, folds int
	sides                       int
	apart                       bool // each data set in a file of its own
}

func (s shape) lines() int { return s.data * s.learners * s.runs * s.folds }

var shapes = []shape{
	{"200 data sets × 10 learners × 100 folds", 200, 10, 10, 10, 2, false},
	{"400 data sets × 10 learners × 100 folds", 400, 10, 10, 10, 2, false},
	{"1000 data sets × 10 learners × 100 folds", 1000, 10, 10, 10, 2, false},
	{"2000 data sets × 2 learners × 2 folds", 2000, 2, 1, 2, 2, false},
	{"1 data set × 2 learners × 10000 runs", 1, 2, 10000, 10, 2, false},
	{"125 files × 2 learners × 100 folds", 125, 2, 10, 10, 2, true},
	{"1000 files × 2 learners × 100 folds", 1000, 2, 10, 10, 2, true},
	{"25 columns × 2 learners × 100 folds", 1, 2, 10, 10, 25, false},
	{"200 columns × 2 learners × 100 folds", 1, 2, 10, 10, 200, false},
}

// A cost is the time and the memory of a run of a command.
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
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/learnbench/learnbench").Output()
	if err != nil {
		return fmt.Errorf("go list: %w (run this program in the directory of its module)", err)
	}
	learnbench := strings.TrimSpace(string(root))
	for _, build := range [][]string{
		{
			"-C", learnbench, "build", "-o", dir + string(filepath.Separator),
			"golang.org/x/perf/cmd/benchstat", "./cmd/learnstat",
		},
		{"build", "-o", dir + string(filepath.Separator), "./resultgen"},
	} {
		if out, err := exec.CommandContext(ctx, "go", build...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(build, " "), err, out)
		}
	}
	right := func(titles ...string) []texttab.Column {
		var columns []texttab.Column
		for _, title := range titles {
			columns = append(columns, texttab.Column{Title: title, Align: texttab.Right})
		}
		return columns
	}
	t := texttab.New(
		texttab.Group{Columns: append([]texttab.Column{{}}, right("lines a side")...)},
		texttab.Group{Title: "learnstat", Columns: right("CPU s", "µs a line", "MiB")},
		texttab.Group{Title: "benchstat", Columns: right("CPU s", "MiB", "ratio")},
		texttab.Group{Title: "benchstat, accuracy only", Columns: right("CPU s", "ratio")},
	)
	for _, s := range shapes {
		ours, theirs, narrow, err := compare(ctx, dir, s, pairs)
		if err != nil {
			return err
		}
		seconds := func(c cost) string { return fmt.Sprintf("%.2f", c.cpu.Seconds()) }
		ratio := func(c cost) string { return fmt.Sprintf("%.3f", ours.cpu.Seconds()/c.cpu.Seconds()) }
		t.Row(s.name, strconv.Itoa(s.lines()),
			seconds(ours), fmt.Sprintf("%.2f", ours.cpu.Seconds()*1e6/float64(s.sides*s.lines())),
			fmt.Sprintf("%.0f", ours.mib),
			seconds(theirs), fmt.Sprintf("%.0f", theirs.mib), ratio(theirs), seconds(narrow), ratio(narrow))
	}
	_, err = io.WriteString(w, t.String())
	return err
}

// compare runs the commands on files in turns and returns the medians: of learnstat, of benchstat,
// and of benchstat for the one metric that learnstat shows.
func compare(ctx context.Context, dir string, s shape, pairs int) (ours, theirs, narrow cost,
	err error,
) {
	here, err := os.MkdirTemp(dir, "files")
	if err != nil {
		return ours, theirs, narrow, err
	}
	var sides, files []string
	for seed := 1; seed <= s.sides; seed++ {
		path := filepath.Join(here, fmt.Sprintf("%d.txt", seed))
		if err := generate(ctx, dir, path, s, seed); err != nil {
			return ours, theirs, narrow, err
		}
		sides, files = append(sides, path), append(files, path)
		if s.apart {
			found, err := filepath.Glob(filepath.Join(path, "*"))
			if err != nil {
				return ours, theirs, narrow, err
			}
			files = append(files[:len(files)-1], found...)
		}
	}
	grouping := []string{"-ignore", "/run,/fold,commit,data-sha256,split-sha256"}
	if s.apart {
		grouping = []string{"-col", "commit", "-ignore", "/run,/fold,data-sha256,split-sha256"}
	}
	commands := [3][]string{
		append([]string{"learnstat"}, sides...),
		slices.Concat([]string{"benchstat"}, grouping, files),
		slices.Concat([]string{"benchstat", "-filter", ".unit:accuracy"}, grouping, files),
	}
	var costs [3][]cost
	for range pairs {
		for i, args := range commands {
			c, err := run(ctx, filepath.Join(dir, args[0]), args[1:]...)
			if err != nil {
				return ours, theirs, narrow, err
			}
			costs[i] = append(costs[i], c)
		}
	}
	return median(costs[0]), median(costs[1]), median(costs[2]), os.RemoveAll(here)
}

func generate(ctx context.Context, dir, path string, s shape, seed int) (err error) {
	args := []string{
		"-data", strconv.Itoa(s.data), "-learners", strconv.Itoa(s.learners), "-runs",
		strconv.Itoa(s.runs), "-folds", strconv.Itoa(s.folds),
		"-seed", strconv.Itoa(seed), "-commit", fmt.Sprintf("%07x", seed),
	}
	if s.apart {
		args = append(args, "-dir", path)
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "resultgen"), args...)
	f, err := os.CreateTemp(dir, "out")
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = f, os.Stderr
	err = errors.Join(cmd.Run(), f.Close())
	if s.apart || err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}

// run runs a command and returns its cost.
func run(ctx context.Context, path string, args ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w", path, err)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{
		cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		float64(usage.Maxrss) / 1024,
	}, nil
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
