package main

import (
	"encoding/csv"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/citest"
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
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, "golang.org/x/perf/cmd/benchstat").CombinedOutput()
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

// TestGroupsAreThoseOfBenchstat checks that benchstat has the same rows and columns, for the same
// flags.
func TestGroupsAreThoseOfBenchstat(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	path := benchstat(t)
	for _, args := range [][]string{
		{"old.txt", "new.txt"},
		{"O=old.txt", "N=new.txt"},
		{"-alpha", "0.01", "before.txt", "after.txt"},
		{"-col", ".file", "before.txt", "after.txt"},
		{"-filter", "/learner:nn", "before.txt", "after.txt"},
		{"-filter", "-/data:iris", "before.txt", "after.txt"},
		{"-filter", "/learner:(nn OR naivebayes) /data:glass", "before.txt", "after.txt"},
		{"-filter", ".unit:logloss", "before.txt", "after.txt"},
		{"-filter", "/learner:/^n/", "-row", "/data,/learner", "before.txt", "after.txt"},
		{"-filter", ".file:before.txt OR .file:after.txt", "before.txt", "after.txt", "old.txt"},
		{"-row", "/data,/learner", "before.txt", "after.txt"},
		{"-row", "/learner,/data", "before.txt", "after.txt"},
		{"-row", "/learner@alpha,/data@alpha", "before.txt", "after.txt"},
		{"-row", "/data@(glass iris),/learner", "before.txt", "after.txt"},
		{"-row", ".fullname", "before.txt", "after.txt"},
		{"-row", "/learner", "-filter", "/data:iris", "before.txt", "after.txt"},
		{"-col", "/learner", "-row", "/data", "old.txt"},
		{"-col", "/learner@(naivebayes nn)", "-row", "/data", "-ignore", ".file", "before.txt"},
		{"-col", ".file@(after.txt before.txt)", "before.txt", "after.txt"},
		{"-table", "protocol", "before.txt", "after.txt"},
		{"-table", "/data", "-row", "/learner", "before.txt", "after.txt"},
		{"-table", "/learner", "-row", "/data", "before.txt", "after.txt"},
		{"-table", "/data,/learner", "-row", ".name", "before.txt", "after.txt"},
		{"before.txt", "after.txt", "before.txt"},
		{"-row", ".fullname", "-ignore", "/data", "-filter", "/data:iris", "before.txt", "after.txt"},
	} {
		want := benchstatGrids(t, path, args)
		got := learnstatGrids(t, args)
		assert.Equal(t, want, got, "%v", args)
		assert.NotEmpty(t, want, "%v", args)
	}
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
			if at := slices.IndexFunc(keys, func(k string) bool { return strings.HasPrefix(k, name+":") }); at >= 0 {
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
	// Its default is a table for each configuration, which here are all equal.
	if !strings.Contains(strings.Join(args, " "), "-table") {
		for i := range grids {
			grids[i].keys = ""
		}
	}
	return grids
}

// label returns a row as the default of learnstat names it.
func label(text string) string {
	return strings.NewReplacer("CV/data=", "", "/learner=", " ", "CV ", "", "CV/learner=", "").Replace(text)
}

func learnstatGrids(t *testing.T, args []string) []grid {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "learnstat", append([]string{"-format", "json", "-across", "none"}, args...)...)
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
