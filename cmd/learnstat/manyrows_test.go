package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lossOnEach writes results of a learner on n data sets before and after it lost 12 points on each.
// The spread makes p of a row: 0.0552 about 0.029, 0.063 about 0.045.
func lossOnEach(t *testing.T, n int, spread float64) (before, after string) {
	t.Helper()
	return changedOnEach(t, n, func(i, _, fold int) float64 {
		return -0.12 +
			(spread+1e-5*float64(i))*float64(fold-2)
	})
}

// changedOnEach writes results of a learner on n data sets before and after its scores were
// shifted.
func changedOnEach(t *testing.T, n int, shift func(i, run, fold int) float64) (before,
	after string,
) {
	t.Helper()
	var old, fresh []experiment
	for i := range n {
		e := experiment{test: "TestMany", data: fmt.Sprintf("d%03d", i), learners: []string{"nn"}}
		old = append(old, e)
		e.shift = func(_ string, run, fold int) float64 { return shift(i, run, fold) }
		fresh = append(fresh, e)
	}
	dir := t.TempDir()
	before, after = filepath.Join(dir, "before.txt"), filepath.Join(dir, "after.txt")
	require.NoError(t, os.WriteFile(before, []byte(fileOf(t, "aaaa", old)), 0o666))
	require.NoError(t, os.WriteFile(after, []byte(fileOf(t, "bbbb", fresh)), 0o666))
	return before, after
}

// layouts are ways to arrange the same comparisons.
var layouts = [][]string{
	nil,
	{"-table", "/learner"},
	{"-table", "/data"},
	{"-row", "/data"},
	{"-row", "/learner,/data"},
}

// Rows that each lose 12 points fail the gate together, however they are arranged, and nothing
// that is printed says otherwise.
func TestGateFailsOnLossesOfManyRowsInEveryLayout(t *testing.T) {
	t.Parallel()
	sizes := []int{50}
	if citest.Has(citest.Slow) {
		sizes = append(sizes, 300)
	}
	for _, n := range sizes {
		for _, spread := range []float64{0.0552, 0.063} {
			before, after := lossOnEach(t, n, spread)
			for _, layout := range layouts {
				if layout != nil && (n > 50 || spread < 0.06 && !citest.Has(citest.Slow)) {
					continue
				}
				page := filepath.Join(t.TempDir(), "page.html")
				args := append([]string{"-fail-on", "regressed", "-metric", "accuracy", "-html", page},
					layout...)
				status, _, messages, err := learnstat(append(args, before, after), strings.NewReader(""),
					print.Options{})
				require.NoError(t, err)
				what := fmt.Sprintf("%d rows, spread %v, %v", n, spread, layout)
				assert.Equal(t, cli.Failed, status, what)
				assert.Contains(t, strings.Join(messages, "\n"), "the gate fails on ", what)
				text, err := os.ReadFile(page)
				require.NoError(t, err)
				assert.Contains(t, string(text), `<p class="result fail">`, what)
			}
		}
	}
}

// A loss that no row shows is one of the learner over data sets: the rows and these tests share the
// level, which a line says.
func TestGateSharesTheLevelWithTestsOverDataSets(t *testing.T) {
	t.Parallel()
	before, after := lossOnEach(t, 50, 0.063)
	gate := func(flags ...string) (int, string, string) {
		status, text, messages, err := learnstat(append(append([]string{
			"-fail-on", "regressed",
			"-metric", "accuracy",
		}, flags...), before, after), strings.NewReader(""), print.Options{})
		require.NoError(t, err)
		return status, text, strings.Join(messages, "\n")
	}
	status, text, message := gate()
	assert.Equal(t, cli.Failed, status)
	assert.Regexp(t, `^the gate fails on 1 test over data sets\naccuracy of nn over 50 data sets is regressed \(-\d+\.\d+ points, 0 better, 50 worse, p = \S+\)\n50 more comparisons are significant by p alone, and not after the hommel adjustment for all comparisons at level 0\.04: `, message)
	text = unbroken(text)
	assert.Contains(t, text, "\nthe gate keeps level 0.05: rows have 0.04 of it, and the test over data sets 0.01\n")
	assert.Regexp(t, `\n✗ nn over 50 data sets: -12\.00, better on 0, worse on 50, p <\.001 \(signed-rank\)\n`, text)
	assert.Regexp(t, `by its own p, and not after the hommel adjustment for all comparisons, at level 0\.04\n`, text)

	// Without these tests the rows have all of it.
	status, text, _ = gate("-across", "none")
	assert.Equal(t, cli.Failed, status)
	assert.NotContains(t, text, "the gate keeps level")

	// What Holm's method spares is no clean gate, in no format.
	for _, f := range print.Formats() {
		format := f.Name
		page := filepath.Join(t.TempDir(), "page.html")
		status, text, message = gate("-across", "none", "-adjust", "holm", "-format", format,
			"-html", page)
		assert.Equal(t, cli.Clean, status)
		const words = "the gate passes with losses that are not shown"
		assert.Contains(t, text+message, words, format)
		assert.NotContains(t, strings.ReplaceAll(text+message, words, ""), "the gate passes", format)
		assert.NotContains(t, text+message, "clean", format)
		html, err := os.ReadFile(page)
		require.NoError(t, err)
		assert.Regexp(t, `<p class="result losses">50 comparisons, and `+words, string(html))
		if format == "github" {
			assert.Contains(t, text, "::warning title=learnstat::50 comparisons, and "+words)
		}
		if format == "json" {
			assert.Contains(t, text, `"state": "`+words+`"`)
		}
	}

	// Seven data sets could not be significant at a fifth of the level, even with the largest
	// effects: rows have all of it.
	before, after = lossOnEach(t, 7, 0.063)
	_, text, _ = gate()
	assert.NotContains(t, text, "the gate keeps level")
	before, after = lossOnEach(t, 8, 0.063)
	_, text, _ = gate()
	assert.Contains(t, text, "the gate keeps level")
}

// A loss over data sets can be waived by the name that the gate calls it, up to a ceiling and a
// date.
func TestWaiversOfTestsOverDataSets(t *testing.T) {
	t.Parallel()
	before, after := lossOnEach(t, 50, 0.063)
	gate := func(waiver, format string) (int, string) {
		path := filepath.Join(t.TempDir(), "waivers.txt")
		require.NoError(t, os.WriteFile(path, []byte(waiver), 0o666))
		status, text, messages, err := learnstat([]string{
			"-fail-on", "regressed", "-metric", "accuracy",
			"-format", format, "-waivers", path, before, after,
		}, strings.NewReader(""), print.Options{})
		text += strings.Join(messages, "\n")
		if err != nil {
			status, text = cli.Unjudged, text+err.Error()
		}
		return status, text
	}
	const until = ` expires=2026-11-20 why="new rule"`
	for _, format := range []string{"text", "markdown", "github", "json"} {
		status, text := gate(`"nn over 50 data sets" accuracy ceiling=-13pp`+until, format)
		assert.Equal(t, cli.Clean, status, text)
		assert.Contains(t, text, "waived: new rule up to -13.00 points until 2026-11-20", format)
		assert.NotContains(t, text, "the gate fails on 1 test", format)
		assert.NotContains(t, text, "::error", format)
		// The rows are still regressed, each by its own p.
		assert.Contains(t, text, "the gate passes with losses that are not shown", format)
	}
	for waiver, want := range map[string]struct {
		status int
		text   string
	}{
		`"nn over 50 data sets" accuracy ceiling=-11pp` + until: {
			cli.Failed,
			"the gate fails on 1 test over data sets\naccuracy of nn over 50 data sets is regressed",
		},
		`"nn over 49 data sets" accuracy ceiling=-13pp` + until: {
			cli.Unjudged,
			"the waiver is unused: there is no comparison of nn over 49 data sets in accuracy",
		},
		`"nn over 50 data sets" accuracy ceiling=13pp` + until: {
			cli.Unjudged,
			"ceiling 13pp is no regression in accuracy",
		},
		`"nn over 50 data sets" accuracy ceiling=-13` + until: {
			cli.Unjudged,
			"ceiling -13 of accuracy has no unit",
		},
		`"nn over 50 data sets" accuracy ceiling=-13pp expires=2026-11-19 why=x`: {
			cli.Unjudged,
			"the waiver of accuracy of nn over 50 data sets has expired",
		},
		`d000/nn accuracy ceiling=-13pp` + until: {
			cli.Unjudged,
			"the waiver is not needed: accuracy of d000/nn is no regression",
		},
		`"nn over 50 data sets" accuracy ceiling=-99%` + until: {
			cli.Clean,
			"waived: new rule up to -",
		},
		`"nn over 50 data sets" accuracy ceiling=-1%` + until: {
			cli.Failed,
			"the gate fails on 1 test over data sets",
		},
	} {
		status, text := gate(waiver, "text")
		assert.Equal(t, want.status, status, "%s: %s", waiver, text)
		assert.Contains(t, text, want.text, waiver)
	}
}
