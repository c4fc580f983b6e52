package record

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDeterminismOf(t *testing.T) {
	t.Parallel()
	var h Header
	h.AddDeterminism("nn", Deterministic)
	h.AddDeterminism("a = b", NotDeterministic)
	require.Equal(t, "nn=yes a%20%3d%20b=no", h.Determinism)
	for name, want := range map[string]string{
		"nn": Deterministic, "a = b": NotDeterministic, "n": NotProbed, "b": NotProbed,
	} {
		require.Equal(t, want, h.DeterminismOf(name), name)
	}
	h.Determinism = "word nn=yes"
	require.Equal(t, Deterministic, h.DeterminismOf("nn"))
	require.Equal(t, NotProbed, h.DeterminismOf("word"))
}

func TestDeterminismOfAnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.MapOf(anyText(), rapid.SampledFrom([]string{Deterministic, NotDeterministic, NotProbed})).Draw(t, "outcomes")
		var h Header
		for name, outcome := range outcomes {
			h.AddDeterminism(name, outcome)
		}
		for name, outcome := range outcomes {
			require.Equal(t, outcome, h.DeterminismOf(name))
		}
	})
}

// A learner that was not deterministic once is not; one that was not probed
// may be probed elsewhere. Nobody says anything of d.
func TestUnionOfDeterminismKeepsTheWorst(t *testing.T) {
	t.Parallel()
	var blocks []*Block
	for _, text := range []string{"a=yes b=yes c=unknown e=unknown", "", "a=yes b=no c=yes f=unknown", "b=yes f=yes"} {
		blocks = append(blocks, &Block{Header: Header{Determinism: text}})
	}
	require.Equal(t, "a=yes b=no c=yes e=unknown f=yes", unionDeterminism(blocks, []string{"a", "b", "c", "d", "e", "f"}))
}
