package record

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAgainstOfAnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var h Header
		want := make(map[string][]string)
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			learner, path := anyText().Draw(t, "learner"), anyText().Draw(t, "path")
			h.AddAgainst(learner, path)
			if !slices.Contains(want[learner], path) {
				want[learner] = append(want[learner], path)
			}
		}
		require.NoError(t, (&Header{Against: h.Against, Protocol: "loo seed=1 v1"}).checkDistinct())
		u := Header{Against: h.Against + several + h.Against} // of two blocks
		for learner, paths := range want {
			require.Equal(t, paths, h.AgainstOf(learner))
			require.Equal(t, paths, u.AgainstOf(learner))
		}
		require.Empty(t, h.AgainstOf("\x00not there"))
	})
}

func TestAgainstIsReadable(t *testing.T) {
	t.Parallel()
	var h Header
	h.AddAgainst("a forest", "testdata/pinned.txt")
	h.AddAgainst("nn", "../x y.txt")
	require.Equal(t, "a%20forest=testdata/pinned.txt nn=../x%20y.txt", h.Against)
}
