package record

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTargetOfAnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := Target{Name: anyText().Draw(t, "name"), Examples: rapid.IntRange(0, 1e9).Draw(t,
			"examples")}
		given := want
		for _, value := range rapid.SliceOfNDistinct(anyText(), 0, 25, rapid.ID).Draw(t, "values") {
			n := rapid.IntRange(0, 5).Draw(t, "count")
			given.Values, given.Counts = append(given.Values, value), append(given.Counts, n)
			if n > 0 {
				want.Values, want.Counts = append(want.Values, value), append(want.Counts, n)
			}
		}
		want.Classes = len(want.Values)
		if want.Classes > 20 {
			want.Values, want.Counts = nil, nil
		}
		var h Header
		h.SetTarget(given)
		require.NoError(t, checkTarget(h.Target))
		got, ok := h.TargetOf()
		require.True(t, ok)
		require.Equal(t, want, got)
		h.SetTarget(got)
		again, _ := h.TargetOf()
		require.Equal(t, got, again)
	})
}

func TestTargetThatIsNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "churn", "churn 5", "churn x 2", "churn 5 -2", "churn 5 2 no", "churn 5 2 no=",
		"churn 5 2 no=x", "churn 5 2 no=0",
		"churn 5 1 no=2 yes=3", "churn 5 2 no=5", "churn 5 2 no=2 no=3", "%zz 5 0",
		"churn 5 2 %zz=2 yes=3",
	} {
		require.Error(t, checkTarget(text), text)
		_, ok := (&Header{Target: text}).TargetOf()
		require.False(t, ok, text)
	}
}

func TestTargetInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"churn 312 2 no=167 yes=145", "class churn (no 167, yes 145)"},
		{"churn%20%25 312 5 a=1 b=1 c=1 d=1 e%20f=1", "class churn % (a 1, b 1, c 1, d 1, e f 1)"},
		{"type 312 6 a=1 b=1 c=1 d=1 e=1 f=1", "class type (6 values)"},
		{"type 312 2 a" + strings.Repeat("b", 100) + "=311 c=1", "class type (2 values)"},
		{"type 312 300", "class type (300 values)"},
		{"rent 18 0", "target rent"},
	} {
		target, ok := (&Header{Target: c.text}).TargetOf()
		require.True(t, ok)
		require.Equal(t, c.want, target.String())
	}
}

// A file has the target, and one that is older has none. Shards of both agree.
func TestTargetIsStored(t *testing.T) {
	t.Parallel()
	a, b := sampleBlock(t, "mails", 2, 5, "a"), sampleBlock(t, "mails", 2, 5, "b")
	a.Header.Target = "spam 10 2 no=6 yes=4"
	u, err := Union(a, b)
	require.NoError(t, err)
	require.Equal(t, a.Header.Target, u.Header.Target)
	var text bytes.Buffer
	require.NoError(t, Write(&text, u))
	require.Contains(t, text.String(), "\nTarget: spam 10 2 no=6 yes=4\n")
	f, err := Read(bytes.NewReader(text.Bytes()), "f")
	require.NoError(t, err)
	require.Equal(t, u.Header.Target, f.Blocks()[0].Header.Target)
	_, err = Read(strings.NewReader(strings.Replace(text.String(), "no=6", "no=x", 1)), "f")
	require.ErrorContains(t, err, `key Target: "no=x" is not a class and its number of examples`)
	_, err = Read(strings.NewReader(strings.Replace(text.String(), "no=6", "no=7", 1)), "f")
	require.ErrorContains(t, err, "the checksum is wrong", "it is a header like others")
	b.Header.Target = "spam 10 0"
	u, err = Union(a, b)
	require.NoError(t, err)
	require.Empty(t, u.Header.Target, "they are not of one mind")
}
