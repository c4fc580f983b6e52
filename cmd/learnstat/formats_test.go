package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// From the JSON form, all other formats can be made: they print the original output.
func TestReportsComeBackFromJSON(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"old.txt", "new.txt"},
		{"-v", "before.txt", "after.txt"},
		{
			"-fail-on", "regressed,inconclusive", "-margin", "accuracy=1pp,logloss=5%", "before.txt",
			"after.txt",
		},
		{
			"-fail-on", "regressed", "-require", "non-inferior:accuracy", "-margin", "accuracy=1pp",
			"before.txt", "after.txt",
		},
		{"-require", "improved", "-adjust", "bonferroni", "before.txt", "after.txt"},
		{"-adjust", "none", "-test", "5x2cv-f", "before.txt", "after.txt"}, // nothing is judged
		{"-test", "permutation", "before.txt", "after.txt"},                // without intervals
		{"-baseline", "naivebayes", "-repeats", "3", "repeated.txt"},
		{"-col", "/learner", "-row", "/data", "-table", "protocol", "old.txt"},
		{
			"-bayes", "-posthoc", "meanranks", "-metric", "accuracy", "before.txt", "after.txt",
			"third=before.txt",
		},
		{"-over", "hierarchical", "-rope", "accuracy=1pp,logloss=0.1", "before.txt", "after.txt"},
		{"-tail", "worse", "old.txt", "new.txt"},
		{"-filter", "/learner:nn -/learner:nn", "old.txt", "new.txt"},
		{"-history", "before.txt", "b=before.txt", "after.txt", "c=before.txt"},
		{
			"-history", "-reference", "after.txt", "-metric", "logloss", "-adjust", "none", "before.txt",
			"after.txt",
		},
		{"-history", "-lenient", "before.txt", "after.txt", "old.txt"},
	} {
		if args[1] == "hierarchical" && !citest.Has(citest.Slow) {
			continue // each format takes its chains
		}
		var flags []string
		for _, a := range args {
			if label, path, ok := strings.Cut(a, "="); ok && strings.HasSuffix(path, ".txt") {
				a = label + "=" + testdata(path)
			} else if strings.HasSuffix(a, ".txt") {
				a = testdata(a)
			}
			flags = append(flags, a)
		}
		full, _ := answerTo(append([]string{"-format", "json"}, flags...), nil, print.Options{})
		short, _ := answerTo(append([]string{"-format", "text"}, flags...), nil, print.Options{})
		var r report.Report
		require.NoError(t, json.Unmarshal([]byte(full.text), &r), "%v", args)
		assert.Equal(t, full.status, r.Status)
		assert.Equal(t, report.Schema, r.Schema)
		for _, f := range print.Formats() {
			if !f.Verbose && flags[0] == "-v" {
				continue
			}
			original := short.report
			if f.Full {
				original = full.report
			}
			var want, got strings.Builder
			require.NoError(t, f.Write(&want, original, print.Options{}))
			require.NoError(t, f.Write(&got, &r, print.Options{}))
			assert.Equal(t, want.String(), got.String(), "%s of %v", f.Name, args)
			if f.Name == "text" {
				assert.Equal(t, short.text, got.String(), "%v", args)
			}
		}
	}
}

// Numbers that JSON does not have come back, too.
func TestNumbersComeBackFromJSON(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{
		0, 1, -1e-300, math.MaxFloat64, 0.1, math.Inf(1), math.Inf(-1),
		math.NaN(),
	} {
		text, err := json.Marshal(unit.Number(x))
		require.NoError(t, err)
		var back unit.Number
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, math.Float64bits(x), math.Float64bits(float64(back)), "%v", x)
	}
	for _, bad := range []string{`"Inf"`, `"NaN"`, `true`, `[]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), new(unit.Number)), bad)
	}
}

// checkFormats checks what hostile names do to the formats for machines and reviewers.
func checkFormats(t *testing.T, n fields, old, new string) {
	t.Helper()
	for i, c := range hostileRuns() {
		if i%2 == len(n.learner)%2 && !citest.Has(citest.Slow) {
			continue // each format has one of both gates
		}
		format := c[0]
		status, stdout, stderr := runText("-format", format, "-fail-on", c[1], old, new)
		if status == cli.Unjudged && stdout == "" {
			continue
		}
		assertPrintable(t, stderr)
		switch format {
		case "json":
			var r report.Report
			require.NoError(t, json.Unmarshal([]byte(stdout), &r))
			require.NotEmpty(t, r.Tables)
			// JSON has only UTF-8, and \ufffd for each byte that is none, as has a conversion to
			// runes.
			assert.Equal(t, []rune(n.learner), []rune(r.Tables[0].Rows[0].Cells[1].Learner))
		case "text":
			assertPrintable(t, stdout)
		case "csv", "csv-over", "csv-ranks", "csv-pairs", "csv-alike", "csv-hierarchical", "csv-repeats": // names unescaped
		case "markdown":
			assertPrintable(t, stdout)
			checkMarkdown(t, stdout)
		case "github":
			assertPrintable(t, workflowCommands.ReplaceAllString(stdout, ""))
			for line := range strings.Lines(stdout) {
				assert.Regexp(t, `^::(error|warning|notice) title=learnstat::[^\r\n]*\n$`, line)
			}
		default:
			t.Errorf("nothing is checked of names in -format %s", format)
		}
	}
}

// hostileRuns returns all formats, each with gates that do and do not hold.
func hostileRuns() (all [][2]string) {
	for _, f := range print.Formats() {
		all = append(all, [2]string{f.Name, "inconclusive"}, [2]string{f.Name, "regressed"})
	}
	return all
}

// workflowCommands matches what the lines of the format github begin with.
var workflowCommands = regexp.MustCompile(`(?m)^::(error|warning|notice) title=learnstat::`)

// htmlTag matches what markdown takes for HTML, of which ours are a few.
var htmlTag = regexp.MustCompile(`<[^>]*>?`)

func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	assert.True(t, strings.HasPrefix(text, print.Marker+"\n"))
	for _, tag := range htmlTag.FindAllString(text, -1) {
		assert.Contains(t, []string{"<!-- learnstat -->", "<!-- -->", "<sub>", "</sub>"}, tag, "%q", text)
	}
	columns := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		if columns == 0 {
			columns = strings.Count(line, "|")
		}
		assert.Equal(t, columns, strings.Count(line, "|"), "%q", line)
	}
	for _, s := range []string{"`", "[", "](", "\\"} {
		assert.NotContains(t, text, s)
	}
}

// The same job as the corrected paired t-tester of Weka's Experimenter gives the same p-values
// and marks. ttest.csv is what weka.experiment.PairedCorrectedTTester of Weka 3.6.14 says of
// experiment.arff: see the generator beside it.
func TestWekasAnalysis(t *testing.T) {
	t.Parallel()
	f, err := os.Open(filepath.Join(imported, "weka", "ttest.csv"))
	require.NoError(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	// Its names of learners have a version, ours have not.
	name := func(text string) string {
		fields := strings.Fields(strings.ReplaceAll(text, "'", ""))
		return strings.Join(fields[:len(fields)-1], " ")
	}
	checked := 0
	verdicts := make(map[string]map[[2]string]verdict.Facts) // by baseline; data set and learner
	for _, l := range lines[1:] {
		data, a, b, measure := l[0], name(l[1]), name(l[2]), l[3]
		metric := map[string]string{
			"Percent_correct": "accuracy", "Kappa_statistic": "kappa",
			"Root_mean_squared_error": "Root_mean_squared_error",
		}[measure]
		require.NotEmpty(t, metric)
		if verdicts[metric+b] == nil {
			verdicts[metric+b] = wekaVerdicts(t, measure, metric, b)
		}
		v, ok := verdicts[metric+b][[2]string{data, a}]
		require.True(t, ok, "%v", l)
		p, err := strconv.ParseFloat(l[6], 64)
		require.NoError(t, err)
		require.InDelta(t, p, float64(v.P), 1e-8, "%v", l)
		mark := map[string]int{"1": 1, "-1": -1, "0": 0}[l[7]]
		if metric == "Root_mean_squared_error" {
			mark = -mark // Weka marks the larger mean, we the better one
		}
		require.Equal(t, mark, v.Significant, "%v", l)
		checked++
	}
	require.Equal(t, len(lines)-1, checked)
	require.Greater(t, checked, 20)
}

// wekaVerdicts returns the verdicts on all learners against a baseline.
func wekaVerdicts(t *testing.T, measure, metric, baseline string) map[[2]string]verdict.Facts {
	t.Helper()
	args := []string{
		"-from", "weka", "-format", "json", "-measure", measure, "-metric", metric,
		"-baseline", baseline, filepath.Join(imported, "weka", "experiment.arff"),
	}
	status, text, _, err := learnstat(args, nil, print.Options{})
	require.NoError(t, err)
	require.Equal(t, cli.Clean, status)
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(text), &r))
	all := make(map[[2]string]verdict.Facts)
	for _, row := range r.Tables[0].Rows {
		c := row.Cells[1]
		all[[2]string{c.Data, c.Learner}] = *c.Verdict
	}
	return all
}
