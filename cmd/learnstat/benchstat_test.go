package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// benchstat builds benchstat and returns its path.
func benchstat(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds benchstat")
	}
	path := filepath.Join(t.TempDir(), "benchstat.exe")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path,
		"golang.org/x/perf/cmd/benchstat").CombinedOutput()
	if err != nil {
		t.Skipf("it cannot be built here: %v\n%s", err, out)
	}
	return path
}

// A grid is the columns and rows of a table of one metric.
type grid struct {
	keys, unit    string
	columns, rows []string
}

// TestCommandLinesOfBenchstat checks what docs/others.md says of each command line.
func TestCommandLinesOfBenchstat(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	path := benchstat(t)
	page, err := os.ReadFile("../../docs/others.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(page),
		"| flags and files | learnstat | remarks |\n|---|---|---|\n")
	require.True(t, ok)
	rows := strings.Split(strings.TrimSpace(table), "\n")
	require.Len(t, rows, 41)
	for _, row := range rows {
		cells := strings.Split(strings.TrimPrefix(row, "| "), " | ")
		line := strings.Trim(cells[0], "`")
		args := words(strings.TrimPrefix(line, "none"))
		if status, reason, ok := strings.Cut(cells[1], ": "); ok {
			cmd := exec.CommandContext(t.Context(), "learnstat", args...)
			cmd.Dir = "testdata"
			out, err := cmd.CombinedOutput()
			require.Contains(t, []int{cli.Clean, cli.Unjudged}, cmd.ProcessState.ExitCode(), line)
			assert.Equal(t, cmd.ProcessState.ExitCode() == cli.Unjudged, err != nil, line)
			assert.Equal(t, fmt.Sprintf("status %d", cmd.ProcessState.ExitCode()), status, line)
			assert.Contains(t, string(out), reason, line)
			continue
		}
		require.Equal(t, "the same rows and columns", cells[1])
		want := benchstatGrids(t, path, args)
		got := learnstatGrids(t, args)
		// benchstat's default is a table for each configuration, which here are all equal.
		if !strings.Contains(line, "-table") || strings.Contains(line, ".config") {
			for _, g := range [][]grid{want, got} {
				for i := range g {
					g[i].keys = ""
				}
			}
		}
		assert.Equal(t, want, got, line)
		assert.NotEmpty(t, want, line)
	}
}

// words splits a line at its spaces, but for those between single quotes.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// benchstatGrids returns the tables of the metrics that benchstat makes.
func benchstatGrids(t *testing.T, path string, args []string) []grid {
	t.Helper()
	ignore := "/run,/fold,commit,data-sha256,split-sha256"
	flags := []string{"-format", "csv"}
	for i := 0; i < len(args); i++ {
		if args[i] == "-ignore" {
			i++
			ignore += "," + args[i]
			continue
		}
		flags = append(flags, args[i])
	}
	cmd := exec.CommandContext(t.Context(), path, append([]string{"-ignore", ignore}, flags...)...)
	cmd.Dir = "testdata"
	out, err := cmd.Output()
	require.NoError(t, err)
	var grids []grid
	var keys []string // only keys that change are printed
	for part := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n\n") {
		r := csv.NewReader(strings.NewReader(part))
		r.FieldsPerRecord = -1
		lines, err := r.ReadAll()
		require.NoError(t, err)
		g := grid{}
		for ; len(lines[0]) == 1; lines = lines[1:] {
			name, _, _ := strings.Cut(lines[0][0], ":")
			if at := slices.IndexFunc(keys,
				func(k string) bool { return strings.HasPrefix(k, name+":") }); at >= 0 {
				keys[at] = lines[0][0] + "\n"
			} else {
				keys = append(keys, lines[0][0]+"\n")
			}
		}
		g.keys, g.unit = strings.Join(keys, ""), lines[1][1]
		for _, c := range lines[0] {
			if c != "" {
				g.columns = append(g.columns, c)
			}
		}
		for _, l := range lines[2 : len(lines)-1] {
			g.rows = append(g.rows, label(l[0]))
		}
		if g.unit == "accuracy" || g.unit == "logloss" {
			grids = append(grids, g)
		}
	}
	return grids
}

// label returns a row as the default of learnstat names it.
func label(text string) string {
	return strings.NewReplacer("CV/data=", "", "/learner=", " ", "CV ", "", "CV/learner=",
		"").Replace(text)
}

func learnstatGrids(t *testing.T, args []string) []grid {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "learnstat",
		append([]string{"-format", "json", "-across", "none"}, args...)...)
	cmd.Dir = "testdata"
	out, err := cmd.Output()
	require.NoError(t, err, "%v", args)
	var r report.Report
	require.NoError(t, json.Unmarshal(out, &r))
	var grids []grid
	for _, table := range r.Tables {
		g := grid{unit: table.Metric}
		for _, k := range table.Keys {
			g.keys += k.Key + ": " + k.Value + "\n"
		}
		for _, c := range r.Columns {
			g.columns = append(g.columns, c.Label)
		}
		for _, row := range table.Rows {
			if !slices.Contains(args, "-row") || slices.Contains(args, "/data,/learner") {
				row.Label = strings.Replace(row.Label, "/", " ", 1)
			}
			g.rows = append(g.rows, label(row.Label))
		}
		grids = append(grids, g)
	}
	return grids
}
