package browser

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const script = "<script>alert(1)</script>"

// writeResults writes a file with results of two learners on data sets of the given names.
// The first learner has a name of its own.
func writeResults(t *testing.T, path string, data []string, learner, metric string, shift float64) {
	t.Helper()
	var text bytes.Buffer
	for d, name := range data {
		h := record.Header{
			Test: "TestModels", Data: name, Commit: "3f2a9c1",
			Protocol:   "cv runs=2 folds=2 stratified seed=1 v1",
			DataDigest: fmt.Sprintf("%064x", d+1), SplitDigest: fmt.Sprintf("%064x", d+2),
		}
		b, err := record.NewBlock(h, []string{learner, "base"},
			[]unit.Unit{{Name: metric, Better: unit.Higher, Max: 1}}, 20)
		require.NoError(t, err)
		for i := range 8 {
			score := 0.5 + float64((d*7+i*5)%11)/100 + shift*float64(i%3)
			require.NoError(t, b.Add(record.Trial{
				Data: name, Learner: b.Learners[i%2], Run: i/4 + 1, Fold: i/2%2 + 1, TrainN: 10, TestN: 10,
				Values: []float64{score},
			}))
		}
		require.NoError(t, record.Write(&text, b))
	}
	require.NoError(t, os.WriteFile(path, text.Bytes(), 0o666))
}

// pages returns a page of a thousand comparisons, of which a gate fails on some, and one of a
// data set whose name is a program. learnstat is built in its own module.
func pages(t *testing.T) (thousand, evil string) {
	t.Helper()
	dir := t.TempDir()
	learnstat := filepath.Join(dir, "learnstat")
	out, err := exec.CommandContext(t.Context(), "go", "-C", filepath.Join("..", "..", ".."), "build",
		"-o", learnstat, "./cmd/learnstat").CombinedOutput()
	require.NoError(t, err, "%s", out)
	page := func(name string, status int, flags []string, data []string, learner, metric string,
		args func(old, new string) []string,
	) string {
		html, old, new := filepath.Join(dir, name+".html"), filepath.Join(dir, name+"-old.txt"),
			filepath.Join(dir, name+"-new.txt")
		writeResults(t, old, data, learner, metric, 0)
		writeResults(t, new, data, learner, metric, 0.01)
		err := exec.CommandContext(t.Context(), learnstat, append(append(flags, "-html", html),
			args(old, new)...)...).Run()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			require.Equal(t, status, exit.ExitCode(), "%s", exit.Stderr)
		} else {
			require.NoError(t, err)
			require.Zero(t, status)
		}
		return html
	}
	var many []string
	for d := range 500 {
		many = append(many, fmt.Sprintf("data%d", d))
	}
	thousand = page("thousand", 1, []string{"-fail-on", "regressed,inconclusive", "-margin", "2pp"},
		many, "a", "accuracy",
		func(old, new string) []string { return []string{old, new} })
	evil = page("evil", 0, nil, []string{script}, script, script,
		func(old, new string) []string { return []string{"<script>=" + old, "b=" + new} })
	return thousand, evil
}

// TestPageInABrowser opens pages in Chromium: on a large and on a small screen, light, dark and
// printed, they have no errors, ask nothing of the network, fit the screen, and have no text that
// is too small or lies on another.
func TestPageInABrowser(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Chromium)
	path, err := Find()
	require.NoError(t, err)
	b, err := Start(t.Context(), path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	thousand, evil := pages(t)
	for _, page := range []struct {
		path string
		rows int
	}{{thousand, 1000}, {evil, 1}} {
		for _, screen := range []Screen{
			{Width: 1280, Height: 900},
			{Width: 390, Height: 844},
			{Width: 800, Height: 600, Dark: true},
			{Width: 390, Height: 844, Dark: true},
		} {
			what := fmt.Sprintf("%s on %+v", filepath.Base(page.path), screen)
			said, err := b.Open("file://"+page.path, screen)
			require.NoError(t, err)
			require.Len(t, said, 1, "%s: %v", what, said)
			require.Equal(t, Message{Kind: "request", Text: "file://" + page.path}, said[0])
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
					require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%v.png",
						filepath.Base(page.path), screen.Width, screen.Dark)), picture, 0o666))
				}
			}
			var colour, first string
			require.NoError(t, b.Evaluate("getComputedStyle(document.body).backgroundColor", &colour))
			assert.Equal(t, map[bool]string{
				false: "rgb(255, 255, 255)",
				true:  "rgb(22, 25, 29)",
			}[screen.Dark], colour, "the style is not forbidden")
			require.NoError(t, b.Evaluate("getComputedStyle(document.querySelector('figure path')).fill",
				&first))
			assert.Equal(t, colour, first, "pictures are as dark as the page")
			require.NoError(t, b.Evaluate("document.querySelector('details b').innerText", &first))
			if page.path == evil {
				assert.Contains(t, first, script)
			}
		}
	}
	// On paper everything is there.
	_, err = b.Open("file://"+evil, Screen{Width: 794, Height: 1123, Print: true})
	require.NoError(t, err)
	l, err := b.Measure()
	require.NoError(t, err)
	assert.Empty(t, append(l.Small, l.Overlaps...))
	assert.LessOrEqual(t, l.ScrollWidth, 794)
	var shown bool
	require.NoError(t, b.Evaluate("document.querySelector('details dl').getBoundingClientRect().height > 0", &shown))
	assert.True(t, shown, "details are printed")
}
