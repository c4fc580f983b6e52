package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Flag and waivers read amounts as the flags of learnbench do.
func TestMarginsHaveOneGrammar(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "learntest", "unit", "testdata", "margins.txt"))
	require.NoError(t, err)
	parsed := 0
	for line := range strings.Lines(string(text)) {
		in, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			continue
		}
		c, err := parseFlags([]string{"-margin", in, "old.txt", "new.txt"})
		if why, refused := strings.CutPrefix(want, "error: "); refused {
			assert.ErrorContains(t, err, "for flag -margin: "+why, "%q", in)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want, c.compare.Margins.String(), "%q", in)
		parsed++
		if strings.ContainsAny(in, "=,") {
			continue
		}
		path := filepath.Join(t.TempDir(), "waivers.txt")
		require.NoError(t, os.WriteFile(path,
			[]byte("d/l accuracy ceiling=-"+in+" expires=2027-02-28 why=known\n"), 0o600))
		_, err = parseFlags([]string{"-fail-on", "regressed", "-waivers", path, "old.txt", "new.txt"})
		require.NoError(t, err, "%q", in)
	}
	assert.Greater(t, parsed, 8)
}

// Every format says which margin there is, and so does the line of the gate.
func TestMarginsAreSaidInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, gate := range [][]string{
		{"-require", "non-inferior"},
		{"-fail-on", "regressed"},
		{"-fail-on", "inconclusive"},
		{"-fail-on", "improved"},
		nil,
	} {
		margin := []string{"-margin", "accuracy=1.5pp,logloss=0.1"}
		if gate != nil && gate[0] == "-require" {
			gate = append(gate, "-metric", "accuracy")
			margin[1] = "1.5pp"
		}
		args := slices.Concat(gate, margin, []string{testdata("before.txt"), testdata("after.txt")})
		want := []string{"1.50 points of accuracy"}
		if gate == nil || gate[0] != "-require" {
			want = append(want, "0.1 of logloss")
		}
		for _, f := range print.Formats() {
			_, text, messages, err := learnstat(append([]string{"-format", f.Name}, args...), nil,
				print.Options{})
			require.NoError(t, err)
			shown := []string{text}
			if len(messages) > 0 && strings.HasPrefix(messages[0], "the gate ") {
				shown = append(shown, messages[0])
			}
			for _, s := range shown {
				if strings.HasPrefix(f.Name, "csv-") && s == text {
					continue // of tests over data sets, which have no margin
				}
				if f.Name == "csv" && s == text {
					assert.Contains(t, text, ",0.015,")
					continue
				}
				for _, w := range want {
					assert.Contains(t, s, w, "%s: %v", f.Name, gate)
				}
			}
		}
		page := filepath.Join(t.TempDir(), "page.html")
		_, _, _, err := learnstat(append([]string{"-html", page}, args...), nil, print.Options{})
		require.NoError(t, err)
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		assert.Contains(t, string(text), " with a margin of "+strings.Join(want, " and "), "%v", gate)
	}
	_, text, _, err := learnstat([]string{
		"-history", "-margin", "1.5pp", "-metric", "accuracy",
		testdata("before.txt"), testdata("after.txt"),
	}, nil, print.Options{})
	require.NoError(t, err)
	assert.Contains(t, text, "\nmargin: 1.50 points of accuracy\n")
}
