package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/browser"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const script = "<script>alert(1)</script>"

// pages returns a page of a thousand comparisons, of which a gate fails on some, and one of a data set
// whose name is a program.
func pages(t *testing.T) (thousand, evil string) {
	t.Helper()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	manyRows(t, paths[0], 500, 0)
	manyRows(t, paths[1], 500, 0.01)
	thousand, evil = filepath.Join(dir, "thousand.html"), filepath.Join(dir, "evil.html")
	status, _, stderr := runText("-fail-on", "regressed,inconclusive", "-margin", "2pp", "-html", thousand, paths[0], paths[1])
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

// TestPageInABrowser opens pages in Chromium: on a large and on a small screen, light, dark and printed, they
// have no errors, ask nothing of the network, fit the screen, and have no text that is too small or lies on
// another.
func TestPageInABrowser(t *testing.T) {
	t.Parallel()
	if os.Getenv("LEARNBENCH_BROWSER") == "" {
		t.Skip("it starts a browser, if LEARNBENCH_BROWSER is set, as .ci/run does")
	}
	path, err := browser.Find()
	require.NoError(t, err)
	b, err := browser.Start(t.Context(), path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	thousand, evil := pages(t)
	for _, page := range []struct {
		path string
		rows int
	}{{thousand, 1000}, {evil, 1}} {
		for _, screen := range []browser.Screen{{Width: 1280, Height: 900}, {Width: 390, Height: 844}, {Width: 800, Height: 600, Dark: true}, {Width: 390, Height: 844, Dark: true}} {
			what := fmt.Sprintf("%s on %+v", filepath.Base(page.path), screen)
			said, err := b.Open("file://"+page.path, screen)
			require.NoError(t, err)
			require.Len(t, said, 1, "%s: %v", what, said)
			require.Equal(t, browser.Message{Kind: "request", Text: "file://" + page.path}, said[0])
			for _, open := range []bool{false, true} {
				if open {
					require.NoError(t, b.Evaluate("document.querySelectorAll('details').forEach(d => d.open = true)", nil))
				}
				l, err := b.Measure()
				require.NoError(t, err)
				assert.LessOrEqual(t, l.ScrollWidth, screen.Width, what)
				assert.Empty(t, l.Small, what)
				assert.Empty(t, l.Overlaps, what)
				assert.Empty(t, l.Outside, what)
				assert.Greater(t, l.Texts, 8*page.rows, what)
				if dir := os.Getenv("LEARNBENCH_SCREENSHOTS"); dir != "" && !open && page.rows == 1 {
					picture, err := b.Screenshot()
					require.NoError(t, err)
					require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%v.png", filepath.Base(page.path), screen.Width, screen.Dark)), picture, 0o666))
				}
			}
			var colour, first string
			require.NoError(t, b.Evaluate("getComputedStyle(document.body).backgroundColor", &colour))
			assert.Equal(t, map[bool]string{false: "rgb(255, 255, 255)", true: "rgb(22, 25, 29)"}[screen.Dark], colour, "the style is not forbidden")
			require.NoError(t, b.Evaluate("getComputedStyle(document.querySelector('figure path')).fill", &first))
			assert.Equal(t, colour, first, "pictures are as dark as the page")
			require.NoError(t, b.Evaluate("document.querySelector('details b').innerText", &first))
			if page.path == evil {
				assert.Contains(t, first, script)
			}
		}
	}
	// On paper everything is there.
	_, err = b.Open("file://"+evil, browser.Screen{Width: 794, Height: 1123, Print: true})
	require.NoError(t, err)
	l, err := b.Measure()
	require.NoError(t, err)
	assert.Empty(t, append(l.Small, l.Overlaps...))
	assert.LessOrEqual(t, l.ScrollWidth, 794)
	var shown bool
	require.NoError(t, b.Evaluate("document.querySelector('details dl').getBoundingClientRect().height > 0", &shown))
	assert.True(t, shown, "details are printed")
}
