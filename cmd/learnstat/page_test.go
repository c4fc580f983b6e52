package main

import (
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
