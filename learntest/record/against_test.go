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
			h.Of(learner).AddAgainst(path)
			if !slices.Contains(want[learner], path) {
				want[learner] = append(want[learner], path)
			}
		}
		require.NoError(t, checkDistinct(&Header{Against: h.Against, Protocol: "loo seed=1 v1"}))
		u := Header{Against: h.Against + several + h.Against} // of two blocks
		for learner, paths := range want {
			require.Equal(t, paths, h.Of(learner).Against())
			require.Equal(t, paths, u.Of(learner).Against())
		}
		require.Empty(t, h.Of("\x00not there").Against())
	})
}

func TestAgainstIsReadable(t *testing.T) {
	t.Parallel()
	var h Header
	h.Of("a forest").AddAgainst("testdata/pinned.txt")
	h.Of("nn").AddAgainst("../x y.txt")
	require.Equal(t, "a%20forest=testdata/pinned.txt nn=../x%20y.txt", h.Against)
}
