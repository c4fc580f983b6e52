package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// R, the forecast of a rerun and the detectable difference are of the claim that the gate asks for,
// and every format has the same values.
func TestReplicabilityIsOfWhatIsAsked(t *testing.T) {
	t.Parallel()
	before, after := filepath.Join("testdata", "before.txt"), filepath.Join("testdata", "after.txt")
	pairs := pairsOf(t, before, after, "glass", "nn", "accuracy")
	for _, c := range []struct {
		flags []string
		claim verdict.Claim
		asked string
	}{
		{[]string{"-margin", "8pp"}, verdict.Claim{Margin: 0.08}, ""},
		{[]string{"-margin", "8pp", "-fail-on", "regressed"}, verdict.Claim{Margin: 0.08}, ""},
		{[]string{"-margin", "8pp", "-require", "non-inferior"}, verdict.Claim{
			Kind:   verdict.NoRegression,
			Margin: 0.08,
		}, "non-inferior"},
		{[]string{"-margin", "2pp", "-require", "non-inferior"}, verdict.Claim{
			Kind:   verdict.NoRegression,
			Margin: 0.02,
		}, "non-inferior"},
		{
			[]string{"-margin", "8pp", "-require", "non-inferior,equivalent"},
			verdict.Claim{Kind: verdict.Equivalent, Margin: 0.08},
			"equivalent",
		},
		{
			[]string{"-margin", "8pp", "-require", "non-inferior", "-tail", "worse"},
			verdict.Claim{Kind: verdict.NoRegression, Margin: 0.08},
			"non-inferior",
		},
		{
			[]string{"-margin", "8pp", "-require", "improved"},
			verdict.Claim{Kind: verdict.Improves},
			"improved",
		},
		{[]string{"-require", "improved"}, verdict.Claim{Kind: verdict.Improves}, "improved"},
		{[]string{"-require", "improved", "-tail", "better"}, verdict.Claim{
			Kind:     verdict.Improves,
			OneSided: true,
		}, "improved"},
	} {
		want := verdict.Judge(pairs, c.claim)
		require.NotEqual(t, verdict.Invalid, want.Outcome)
		args := func(more ...string) []string {
			return append(append(c.flags, more...), "-metric", "accuracy", "-data", "glass", "-learner",
				"nn", before, after)
		}
		page := filepath.Join(t.TempDir(), "page.html")
		_, text, _ := runText(args("-format", "json", "-html", page)...)
		var r report.Report
		require.NoError(t, json.Unmarshal([]byte(text), &r))
		assert.Equal(t, c.asked, r.Tables[0].Asked)
		found := r.Tables[0].Rows[0].Cells[1].Verdict
		html, err := os.ReadFile(page)
		require.NoError(t, err)
		if want.Rerun == nil {
			assert.Nil(t, found.Rerun, c.flags)
			assert.NotContains(t, string(html), "a rerun agrees with probability", c.flags)
		} else {
			assert.Equal(t, want.Facts().Rerun, found.Rerun, c.flags)
			assert.Contains(t, string(html), fmt.Sprintf("a rerun agrees with probability %.3f",
				want.Rerun.P), c.flags)
			for _, format := range []string{"text", "markdown"} {
				_, text, _ = runText(args("-format", format)...)
				assert.Contains(t, text, strings.TrimPrefix(fmt.Sprintf("%.3f ", want.Rerun.R), "0"), "%v %s",
					c.flags, format)
				assert.Equal(t, c.asked != "",
					strings.Contains(text, "R: replicability of the requirement ("+c.asked+")"), "%v %s",
					c.flags, format)
			}
			_, text, _ = runText(args("-v")...)
			assert.Contains(t, text, "rerun          "+want.Rerun.String(), c.flags)
		}
		_, text, _ = runText(args("-v")...)
		assert.Equal(t, want.Rerun != nil, strings.Contains(text, "\n  rerun  "), c.flags)
		assert.InDelta(t, want.Detectable, float64(found.Detectable), 1e-15, c.flags)
		assert.Contains(t, text, "detectable     ", c.flags)
		words := strings.Join(c.flags, " ")
		assert.Equal(t, strings.Contains(words, "-margin"), strings.Contains(text, "\n  margin  "),
			c.flags)
		assert.Regexp(t, `\n  difference .* p = `+unit.FormatP(float64(found.P))+`\n`, text, c.flags)
		if k := want.Claim.Kind; k == verdict.NoRegression || k == verdict.Equivalent {
			size := want.Unit.FormatMargin(want.Detectable)
			if !strings.Contains(words, "-tail") {
				assert.Contains(t, text, "detectable     a margin of "+size+" with 80% power", c.flags)
			}
			assert.Contains(t, string(html),
				"a margin of "+size+", if there is no difference, with 80% power", c.flags)
		}
		_, text, _ = runText(args("-format", "csv")...)
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err)
		for name, column := range map[string]string{
			"replicability": "", "rerun_agrees": "",
			"detectable": "",
		} {
			for i, head := range lines[0] {
				if head == name {
					column = lines[1][i]
				}
			}
			for _, x := range found.Columns(verdict.Subject{}) {
				if x.Name == name {
					assert.Equal(t, x.Value, column, "%v %s", c.flags, name)
				}
			}
		}
	}
}

// pairsOf returns the pairs of two files.
func pairsOf(t *testing.T, before, after, data, learner, metric string) *record.Pairs {
	t.Helper()
	var s [2]record.Selection
	for i, path := range []string{after, before} {
		f, err := record.Open(path)
		require.NoError(t, err)
		s[i] = f.Of(data, learner)
	}
	p, err := record.Pair(s[0], s[1], metric)
	require.NoError(t, err)
	return p
}

// A requirement that the test shows is not met where the claim's replicability, or what the
// candidate has learned, speaks against it.
func TestRequirementsAreMetByTheWholeClaim(t *testing.T) {
	t.Parallel()
	repeated := filepath.Join("testdata", "repeated.txt")
	gate := func(flags ...string) (int, string, string) {
		return runText(append(append([]string{"-alpha", "0.1", "-baseline", "naivebayes"}, flags...),
			repeated)...)
	}
	for _, c := range []struct {
		require, margin, learner string
		status                   int
		stderr                   string
	}{
		{
			"non-inferior", "1pp", "nn(k=5,weighting=inverse)", cli.Failed,
			"is not shown to be less than 1.00 points worse: 2 of 3 repetitions of the test come to this conclusion: replicability 0.333, of which 0.9 is required with a majority",
		},
		{
			"equivalent", "3pp", "nn", cli.Failed,
			"is not shown to be less than 3.00 points apart: 1 of 3 repetitions ",
		},
		{"non-inferior", "3pp", "nn", cli.Clean, ""},
		{"equivalent", "5pp", "nn", cli.Clean, ""},
	} {
		status, text, stderr := gate("-require", c.require, "-margin", c.margin, "-learner", c.learner,
			"-replicability", "0.9", "-repeats", "3")
		assert.Equal(t, c.status, status, "%v: %s", c, stderr)
		assert.Contains(t, stderr, c.stderr)
		assert.Equal(t, c.status == cli.Clean, strings.Contains(text, "  equivalent\n"), text)
		status, _, stderr = gate("-require", c.require, "-margin", c.margin, "-learner", c.learner)
		assert.Equal(t, cli.Clean, status, "%v without a replicability: %s", c, stderr)
	}
	// Ten repetitions take more runs than there are.
	status, _, stderr := gate("-require", "non-inferior", "-margin", "3pp", "-learner",
		"nn(k=5,weighting=inverse)", "-replicability", "0.9")
	assert.Equal(t, cli.Unjudged, status)
	assert.Contains(t, stderr, "counting replicability needs 10 repetitions of the test: it takes 20 runs; there are 6")
}

// Where tests over data sets have a share of the level, R of a row is at the level left to the
// rows.
func TestReplicabilityIsAtTheLevelOfRows(t *testing.T) {
	t.Parallel()
	before, after := changedOnEach(t, 8, func(i, run, fold int) float64 {
		return -0.05 + 0.01*float64(i) - 0.06*float64(fold%3) - 0.05*float64(run)
	})
	replicability := func(flags ...string) *verdict.RerunFacts {
		_, text, _ := runText(append(flags, "-metric", "accuracy", "-format", "json", before, after)...)
		var r report.Report
		require.NoError(t, json.Unmarshal([]byte(text), &r))
		return r.Tables[0].Rows[0].Cells[1].Verdict.Rerun
	}
	pairs := pairsOf(t, before, after, "d000", "nn", "accuracy")
	at := func(alpha float64) *verdict.RerunFacts {
		return verdict.Judge(pairs, verdict.Claim{Alpha: alpha}).Facts().Rerun
	}
	require.NotEqual(t, at(0.05), at(0.04))
	assert.Equal(t, at(0.04), replicability("-fail-on", "regressed"))
	assert.Equal(t, at(0.05), replicability("-fail-on", "regressed", "-across", "none"))
	assert.Equal(t, at(0.05), replicability("-fail-on", "not-improved"))
	assert.Equal(t, at(0.05), replicability())
}

// No verdict is certain to be found again.
func TestPagesHaveNoProbabilityOfOne(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.html")
	runText("-html", page, testdata("old.txt"), testdata("new.txt"))
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(html), "; a rerun agrees with probability &gt; 0.999")
	assert.NotContains(t, string(html), "probability 1.000")
}
