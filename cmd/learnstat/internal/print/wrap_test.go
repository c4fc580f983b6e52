package print

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/texttab"
)

// Lines are no wider than asked for unless a word is, and have all words in their order.
func TestTextsAreBrokenBetweenWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"  a bc", "    def", "    longer-than-that", "    g"},
		broken("  a bc def longer-than-that g", 9))
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zé→×]{1,12}`)).Draw(t, "words")
		width := rapid.IntRange(5, 40).Draw(t, "width")
		text := strings.Join(words, " ")
		lines := broken(text, width)
		for _, line := range lines {
			if texttab.Width(line) > width {
				require.Len(t, strings.Fields(line), 1, "a word that is wider")
			}
		}
		require.Equal(t, words, append([]string{}, strings.Fields(strings.Join(lines, "\n"))...))
	})
}

// A name in a text becomes no command of a runner of jobs where a line begins with it.
func TestBrokenTextsAreNoCommands(t *testing.T) {
	t.Parallel()
	for width := range 40 {
		for _, line := range broken("data set x ::error::y ::warning::z lacks ##[error]q", width) {
			require.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), line)
			require.NotContains(t, line, "##[")
		}
	}
}
