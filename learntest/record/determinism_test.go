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

func TestMergeDeterminismKeepsTheWorst(t *testing.T) {
	t.Parallel()
	var sets []Set
	for _, text := range []string{"a=yes b=yes c=unknown", "", "a=yes b=no c=yes", "b=yes"} {
		sets = append(sets, Set{Header: Header{Determinism: text}})
	}
	require.Equal(t, "a=yes b=no c=yes d=unknown", mergeDeterminism(sets, []string{"a", "b", "c", "d"}))
}
