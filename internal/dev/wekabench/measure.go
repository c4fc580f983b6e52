//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/learnbench/learnbench/internal/texttab"
)

// A usage has the seconds of a process, and the MiB of memory at its peak.
type usage struct{ wall, cpu, memory float64 }

// measure runs a program. The error has the end of its output.
func measure(cmd *exec.Cmd) (usage, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		text := out.Bytes()
		return usage{}, fmt.Errorf("%s: %w\n%s", cmd.Path, err, text[max(0, len(text)-2000):])
	}
	p := cmd.ProcessState
	return usage{
		wall:   wall.Seconds(),
		cpu:    (p.UserTime() + p.SystemTime()).Seconds(),
		memory: float64(p.SysUsage().(*syscall.Rusage).Maxrss) / 1024,
	}, nil
}

// table returns a table of the usages of each pair, their medians, and how many times the usage of
// learnbench fits into the usage of the rival.
func table(rival string, ours, theirs []usage) string {
	columns := func(titles ...string) []texttab.Column {
		var cs []texttab.Column
		for _, title := range titles {
			cs = append(cs, texttab.Column{Title: title, Align: texttab.Right, TitleAlign: texttab.Right})
		}
		return cs
	}
	t := texttab.New(texttab.Group{Columns: []texttab.Column{{Title: "pair"}}},
		texttab.Group{Title: "learnbench", Columns: columns("wall s", "CPU s", "MiB")},
		texttab.Group{Title: rival, Columns: columns("wall s", "CPU s", "MiB")},
		texttab.Group{Title: "ratio", Columns: columns("wall", "CPU", "memory")})
	row := func(label string, a, b usage) {
		cells := []string{label}
		for _, u := range []usage{a, b} {
			cells = append(cells, fmt.Sprintf("%.2f", u.wall), fmt.Sprintf("%.2f", u.cpu),
				fmt.Sprintf("%.0f", u.memory))
		}
		t.Row(append(cells, fmt.Sprintf("%.1f", b.wall/a.wall), fmt.Sprintf("%.1f", b.cpu/a.cpu),
			fmt.Sprintf("%.1f", b.memory/a.memory))...)
	}
	for i := range ours {
		row(fmt.Sprint(i+1), ours[i], theirs[i])
	}
	row("median", medians(ours), medians(theirs))
	return t.String()
}

func medians(us []usage) usage {
	of := func(get func(usage) float64) float64 {
		values := make([]float64, len(us))
		for i, u := range us {
			values[i] = get(u)
		}
		return median(values)
	}
	return usage{
		wall:   of(func(u usage) float64 { return u.wall }),
		cpu:    of(func(u usage) float64 { return u.cpu }),
		memory: of(func(u usage) float64 { return u.memory }),
	}
}

// median returns the median of values, which are not empty.
func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// machine describes the machine, its load and the rival, whose version a command
// prints.
func machine(ctx context.Context, version []string) string {
	parts := []string{fmt.Sprintf("%d × %s", runtime.NumCPU(), processor()), runtime.Version()}
	if out, err := exec.CommandContext(ctx, version[0], version[1:]...).CombinedOutput(); err == nil {
		first, _, _ := strings.Cut(string(out), "\n")
		parts = append(parts, first)
	}
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		parts = append(parts, "load "+strings.Fields(string(b))[0])
	}
	return strings.Join(parts, ", ")
}

func processor() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(b)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				return strings.Trim(name, " \t:\n")
			}
		}
	}
	return runtime.GOARCH
}
