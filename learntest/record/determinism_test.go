package record

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDeterminismOfLearners(t *testing.T) {
	t.Parallel()
	var h Header
	h.Of("nn").SetProbe(Deterministic)
	h.Of("a = b").SetProbe(NotDeterministic)
	require.Equal(t, "nn=yes a%20%3d%20b=no", h.Determinism)
	for name, want := range map[string]string{
		"nn": Deterministic, "a = b": NotDeterministic, "n": NotProbed, "b": NotProbed,
	} {
		require.Equal(t, want, h.Of(name).Determinism(), name)
	}
	h.Determinism = "word nn=yes"
	require.Equal(t, Deterministic, h.Of("nn").Determinism())
	require.Equal(t, NotProbed, h.Of("word").Determinism())
}

func TestDeterminismOfAnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.MapOf(anyText(), rapid.SampledFrom([]string{
			Deterministic, NotDeterministic,
			NotProbed,
		})).Draw(t, "outcomes")
		var h Header
		for name, outcome := range outcomes {
			h.Of(name).SetProbe(outcome)
		}
		for name, outcome := range outcomes {
			require.Equal(t, outcome, h.Of(name).Determinism())
		}
	})
}

// A learner that was not deterministic once is not; one that was not probed
// may be probed elsewhere. Nobody says anything of d.
func TestUnionOfDeterminismKeepsTheWorst(t *testing.T) {
	t.Parallel()
	var blocks []*Block
	for _, text := range []string{
		"a=yes b=yes c=unknown e=unknown", "", "a=yes b=no c=yes f=unknown",
		"b=yes f=yes",
	} {
		blocks = append(blocks, &Block{Header: Header{Determinism: text}})
	}
	require.Equal(t, "a=yes b=no c=yes e=unknown f=yes",
		unionDeterminism(blocks, []string{"a", "b", "c", "d", "e", "f"}))
}

// A header says in how many cells a learner was trained again, and a union how many there were at
// least.
func TestTrainedAgain(t *testing.T) {
	t.Parallel()
	var h Header
	require.Zero(t, h.Of("a").TrainedAgain())
	for _, c := range []struct {
		outcome, of string
		cells       int
	}{
		{DeterministicIn(6), Deterministic, 6},
		{DeterministicIn(1), Deterministic, 1},
		{NotDeterministic, NotDeterministic, 0},
		{NotProbed, NotProbed, 0},
		{"yes/x", Deterministic, 1},
	} {
		h.Of("b").SetProbe(NotDeterministic)
		h.Of("a").SetProbe(c.outcome)
		require.Equal(t, c.of, h.Of("a").Determinism(), c.outcome)
		require.Equal(t, c.cells, h.Of("a").TrainedAgain(), c.outcome)
		require.Equal(t, "b=no a="+c.outcome, h.Determinism)
	}
	blocks := []*Block{
		{Header: Header{Determinism: "a=yes b=yes/3 c=yes/2"}},
		{Header: Header{Determinism: "a=yes/6 b=yes/3 c=no"}},
	}
	require.Equal(t, "a=yes/6 b=yes/3 c=no", unionDeterminism(blocks, []string{"a", "b", "c"}))
}
