package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		require.NoError(t, os.WriteFile(path, []byte("d/l accuracy ceiling=-"+in+" expires=2027-02-28 why=known\n"), 0o600))
		_, err = parseFlags([]string{"-fail-on", "regressed", "-waivers", path, "old.txt", "new.txt"})
		require.NoError(t, err, "%q", in)
	}
	assert.Greater(t, parsed, 8)
}
