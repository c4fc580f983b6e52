package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	for line, args := range map[string][]string{
		``:                                 {},
		`''`:                               {""},
		`run -o new.txt`:                   {"run", "-o", "new.txt"},
		`'model=nn(k=5)' nn`:               {"model=nn(k=5)", "nn"},
		`'it'\''s' '$x' '' 'a  b'`:         {"it's", "$x", "", "a  b"},
		`''\'''\''' run`:                   {"''", "run"},
		`-data=λ 'exec(python3 x.py a=1)'`: {"-data=λ", "exec(python3 x.py a=1)"},
	} {
		assert.Equal(t, line, Quote(args))
		words, ok := Words(line)
		require.True(t, ok, line)
		assert.ElementsMatch(t, args, words)
	}
	for _, line := range []string{`'open`, `a "b"`, `$x`, `a\ b`, `(x)`} {
		_, ok := Words(line)
		assert.False(t, ok, line)
	}
}

// Quoted arguments are read back unchanged.
func TestWordsAreWhatWasQuoted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOf(rapid.String()).Draw(t, "args")
		if len(args) == 0 {
			args = nil
		}
		words, ok := Words(Quote(args))
		require.True(t, ok)
		require.Equal(t, args, words)
	})
}
