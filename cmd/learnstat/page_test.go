package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const script = "<script>alert(1)</script>"

// pages returns a page of a thousand comparisons, of which a gate fails on some, and one of a data
// set whose name is a program.
func pages(t *testing.T) (thousand, evil string) {
	t.Helper()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	manyRows(t, paths[0], 500, 0)
	manyRows(t, paths[1], 500, 0.01)
	thousand, evil = filepath.Join(dir, "thousand.html"), filepath.Join(dir, "evil.html")
	status, _, stderr := runText("-fail-on", "regressed,inconclusive", "-margin", "2pp", "-html",
		thousand, paths[0], paths[1])
	require.Equal(t, cli.Failed, status, stderr)
	f := fields{script, script, script, script}
	old, err := resultFile(t, "old.txt", f, 0)
	require.NoError(t, err)
	new, err := resultFile(t, "new.txt", f, 0.01)
	require.NoError(t, err)
	status, _, stderr = runText("-html", evil, "<script>="+old, "b="+new)
	require.Equal(t, cli.Clean, status, stderr)
	return thousand, evil
}

func TestPageOfAThousandIsSmall(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	thousand, evil := pages(t)
	text, err := os.ReadFile(thousand)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(text), 2_000_000)
	t.Logf("a page of 1000 comparisons has %d bytes", len(text))
	assert.Equal(t, 1000, strings.Count(string(text), "<details "))
	text, err = os.ReadFile(evil)
	require.NoError(t, err)
	assert.NotContains(t, strings.ToLower(string(text)), "<script")
	assert.Contains(t, string(text), "&lt;script&gt;alert(1)&lt;/script&gt;")
}

// A page has a matrix where there are very many rows, digests once, what all rows share above them,
// and its numbers after the adjustment beside the others.
func TestPageSaysOnce(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 16 {
		many = append(many, fmt.Sprintf("set%02d", i))
	}
	many = append(many, "glass")
	page := func(data []string, flags ...string) string {
		before, after := screenFiles(t, data, 2)
		path := filepath.Join(t.TempDir(), "page.html")
		_, _, stderr := runText(append(flags, "-html", path, before, after)...)
		text, err := os.ReadFile(path)
		require.NoError(t, err, stderr)
		return string(text)
	}
	text := page(many, "-fail-on", "regressed")
	require.Equal(t, 1, strings.Count(text, `<div class="matrix" `))
	assert.Equal(t, 1, strings.Count(text, "corrected-cv-t, n = 2×10</dd>"))
	assert.Equal(t, 1, strings.Count(text, fmt.Sprintf("sha256 %064x, partitions %064x", 17, 18)))
	assert.Equal(t, 1, strings.Count(text, "<dt>protocol</dt>"))
	assert.Contains(t, text, "<span>95% interval</span>")
	assert.Regexp(t, `<tbody>\s*<tr><th scope="row">glass</th><td class="regressed bad">-\d\.\d\d <i role="img" aria-label="regressed, the gate fails">▼</i></td>`, text)
	assert.Equal(t, 17*2, strings.Count(text, `</i></td>`), "unchanged learners are no columns")
	assert.Regexp(t, `<summary aria-label="glass/nn: regressed, the gate fails: regressed; before\.txt 3f2a9c1 \d\d\.\d\d%, after\.txt 9ab8c7d \d\d\.\d\d%, difference -\d\.\d\d points, 95% interval -\d\.\d\d to -\d\.\d\d points, p \S+, hommel \S+">`, text)
	assert.NotContains(t, page(many[:10], "-fail-on", "regressed"), `<div class="matrix" `)
	text = page([]string{"glass"}, "-tail", "worse", "-learner", "nn")
	assert.Contains(t, text, "<span>90% interval</span>")

	// What the adjustment spares is counted beside.
	before, after := lossOnEach(t, 50, 0.0552)
	path := filepath.Join(t.TempDir(), "page.html")
	runText("-metric", "accuracy", "-adjust", "holm", "-html", path, before, after)
	html, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(html),
		`<p class="result plain">50 comparisons: 50 regressed (0 by adjusted p)</p>`)
	assert.Contains(t, string(html), `<p class="how">50 regressed (0 by adjusted p)</p>`)
}
