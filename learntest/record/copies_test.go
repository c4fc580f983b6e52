package record

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCopiesOfAnyShare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		var h Header
		h.SetCopies(share)
		if share <= 0.01 {
			require.Empty(t, h.Copies)
			require.Zero(t, h.CopiesInTraining())
			return
		}
		require.NoError(t, checkCopies(h.Copies))
		require.LessOrEqual(t, len(h.Copies), 5)
		require.InDelta(t, share, h.CopiesInTraining(), 0.0005+1e-15)
		again := h
		again.SetCopies(h.CopiesInTraining())
		if h.CopiesInTraining() > 0.01 {
			require.Equal(t, h.Copies, again.Copies)
		}
	})
	for share, want := range map[float64]string{
		0.5074876: "0.507", 1: "1", 0.29: "0.29", 0.01: "",
		0.0100001: "0.01", 0: "",
	} {
		var h Header
		h.SetCopies(share)
		require.Equal(t, want, h.Copies)
	}
}

func TestCopiesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0", "-0.1", "1.01", "NaN", "Inf", "50%", "0.5 0.5", "half"} {
		require.Error(t, checkCopies(text), text)
		require.Zero(t, (&Header{Copies: text}).CopiesInTraining(), text)
		b := sampleBlock(t, "mails", 2, 5, "a")
		b.Header.Copies = text
		require.ErrorContains(t, checkHeader(&b.Header), "Copies: ", text)
	}
}

// No part of a union can make the share smaller.
func TestUnionOfCopies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var blocks []*Block
		most := 0.0
		for i, share := range rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.02, 0.3, 0.507, 1}), 2,
			4).Draw(rt, "shares") {
			b := sampleBlock(t, "mails", 2, 5, string(rune('a'+i)))
			b.Header.SetCopies(share)
			blocks, most = append(blocks, b), math.Max(most, share)
		}
		u, err := Union(blocks...)
		require.NoError(rt, err)
		require.InDelta(rt, most, u.Header.CopiesInTraining(), 0)
	})
}
