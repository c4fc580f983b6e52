package record

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMajorityOfAnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.MapOf(anyText(), rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)).Draw(t,
			"scores")
		m := Majority{Class: anyText().Draw(t, "class")}
		for name, x := range scores {
			m.Units, m.Scores = append(m.Units, name), append(m.Scores, x)
		}
		var h Header
		h.SetMajority(m)
		require.Equal(t, len(scores) == 0, h.Majority == "")
		if h.Majority != "" {
			require.NoError(t, checkMajority(h.Majority))
		}
		for name, want := range scores {
			class, x, ok := h.MajorityIn(name)
			require.True(t, ok)
			require.Equal(t, m.Class, class)
			require.Equal(t, math.Float64bits(want), math.Float64bits(x))
		}
		_, _, ok := h.MajorityIn("\x00not there")
		require.False(t, ok)
	})
}

func TestMajorityThatIsNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ham", "ham accuracy", "ham accuracy=", "ham accuracy=x",
		"ham accuracy=NaN", "ham accuracy=1e999", "ham accuracy=1 accuracy=1", "%zz accuracy=1",
		"ham %zz=1",
	} {
		require.Error(t, checkMajority(text), text)
		_, _, ok := (&Header{Majority: text}).MajorityIn("accuracy")
		require.False(t, ok, text)
	}
	require.NoError(t, checkMajority("= accuracy=1"))
}

func TestUnionOfMajorities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, c, want string }{
		{"ham accuracy=0.5", "ham accuracy=0.5", "", "ham accuracy=0.5"},
		{"", "ham accuracy=0.5", "ham accuracy=0.5", "ham accuracy=0.5"},
		{"", "", "", ""},
		{"ham accuracy=0.5", "", "ham accuracy=0.6", ""},
	} {
		var blocks []*Block
		for _, text := range []string{c.a, c.b, c.c} {
			blocks = append(blocks, &Block{Header: Header{Majority: text}})
		}
		require.Equal(t, c.want, agreed(blocks, func(h *Header) string { return h.Majority }))
		for i, b := range blocks {
			own := sampleBlock(t, "mails", 2, 5, string(rune('a'+i)))
			own.Header.Majority = b.Header.Majority
			blocks[i] = own
		}
		u, err := Union(blocks...)
		require.NoError(t, err)
		require.Equal(t, c.want, u.Header.Majority)
	}
}
