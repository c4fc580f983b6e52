package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The flags of all commands that take a margin read it alike.
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
		message := func(err error) string { return "error: " + err.Error() }
		for name, parse := range map[string]func() (string, error){
			"run": func() (string, error) {
				r, err := parseRun([]string{"-margin", in, "-data", "uci:iris", "nn", "naivebayes"})
				if err != nil {
					return "", err
				}
				return r.claim.Margins.String(), nil
			},
			"plan -margin": func() (string, error) {
				p, err := parsePlan([]string{"-margin", in, "-examples", "100", "-sd", "1"})
				if err != nil {
					return "", err
				}
				return p.margins.String(), nil
			},
			"plan -difference": func() (string, error) {
				p, err := parsePlan([]string{"-difference", in, "-examples", "100", "-sd", "1"})
				if err != nil {
					return "", err
				}
				return p.amounts.String(), nil
			},
			"compare": func() (string, error) {
				c, err := parseCompare([]string{"-margin", in, "main.."})
				if err != nil {
					return "", err
				}
				return c.margins.String(), nil
			},
		} {
			got, err := parse()
			if err != nil {
				why, refused := strings.CutPrefix(want, "error: ")
				require.True(t, refused, "%s: %q: %v", name, in, err)
				if name == "plan -difference" {
					why = strings.ReplaceAll(why, "margin", "difference")
				}
				assert.Contains(t, message(err), ": "+why+": see learnbench ", "%s: %q", name, in)
				continue
			}
			assert.Equal(t, want, got, "%s: %q", name, in)
			parsed++
		}
	}
	assert.Greater(t, parsed, 40)
}
