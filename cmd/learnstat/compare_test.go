package main

import (
	"encoding/csv"
	"errors"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func testdata(name string) string { return filepath.Join("testdata", name) }

// Rows are judged as package verdict does it, and CSV keeps every bit.
func TestRowsAreVerdicts(t *testing.T) {
	t.Parallel()
	status, text, _, err := learnstat([]string{
		"-format", "csv", "-margin", "accuracy=0.02",
		testdata("before.txt"), testdata("after.txt"),
	}, nil, print.Options{})
	require.NoError(t, err)
	require.Equal(t, cli.Clean, status)
	lines := csvTables(t, text)[0]
	require.Len(t, lines, 9)
	before, err := record.Open(testdata("before.txt"))
	require.NoError(t, err)
	after, err := record.Open(testdata("after.txt"))
	require.NoError(t, err)
	for _, line := range lines[1:] {
		cell := make(map[string]string)
		for i, name := range lines[0] {
			cell[name] = line[i]
		}
		claim := verdict.Claim{Metric: cell["metric"]}
		if claim.Metric == "accuracy" {
			claim.Margin = 0.02
		}
		v := verdict.Of(after.Of(cell["data"], cell["candidate"]),
			before.Of(cell["data"], cell["baseline"]), claim)
		assert.Equal(t, v.Outcome.String(), cell["outcome"])
		for name, want := range map[string]float64{
			"old": v.BaselineMean, "new": v.CandidateMean, "difference": v.Estimate, "lo": v.Difference.Lo,
			"hi":        v.Difference.Hi,
			"statistic": v.Difference.Result.Statistic, "df": v.Difference.Result.DF,
			"p": v.Difference.Result.P, "replicability": v.Rerun.R, "detectable": v.Detectable, "runs": 3,
			"folds": 4,
		} {
			if name == "replicability" && v.Rerun.R < v.Rerun.Lo { // its interval says it all
				assert.Empty(t, cell[name])
				continue
			}
			got, err := strconv.ParseFloat(cell[name], 64)
			require.NoError(t, err)
			assert.Equal(t, math.Float64bits(want+0), math.Float64bits(got), "%s of %v", name, line[:4])
		}
	}
}

// csvTables returns the tables of CSV, which empty lines separate, if no name has any.
func csvTables(t *testing.T, text string) [][][]string {
	t.Helper()
	var tables [][][]string
	for part := range strings.SplitSeq(text, "\n\n") {
		lines, err := csv.NewReader(strings.NewReader(part)).ReadAll() // it checks that they are of one length
		require.NoError(t, err)
		tables = append(tables, lines)
	}
	return tables
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{testdata("old.txt"), testdata("new.txt")},
		{"-fail-on", "regressed", testdata("old.txt"), testdata("new.txt")},
		{"-format", "csv", testdata("old.txt"), testdata("new.txt")},
		{"-h"},
		{"help"},
	} {
		var stderr strings.Builder
		assert.Equal(t, cli.Unjudged, run(args, nil, brokenWriter{}, &stderr), "%v", args)
		_, message, _ := strings.Cut("\n"+stderr.String(), "\nlearnstat: w")
		assert.Equal(t, "riting to standard output: no space left: make room for it or send it elsewhere, and run the command again\n", message)
	}
}

// The files are what benchstat reads, too.
func TestBenchstatReadsTheFiles(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	out, err := exec.CommandContext(t.Context(), "go", "run", "golang.org/x/perf/cmd/benchstat",
		"-ignore", "/run,/fold,commit", testdata("old.txt"), testdata("new.txt")).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) || strings.Contains(string(out), "missing go.sum entry") {
		t.Skip("it cannot be built here")
	}
	require.NoError(t, err, "%s", out)
	assert.Regexp(t, `(?m)│\s+accuracy\s+│\s+accuracy\s+vs base\s+│$`, string(out))
	assert.Regexp(t, `(?m)^CV/data=vehicle/learner=nn .*n=100\)$`, string(out))
}
