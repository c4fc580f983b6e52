package record

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionsAndReplays(t *testing.T) {
	t.Parallel()
	h := itemsHeader(1)
	require.NoError(t, h.SetItems([]Item{{ID: "a", Content: "01234567"}}))
	h.Of("my agent").SetVersion("m-1 / prompt=3")
	h.Of("before").SetVersion("m-0")
	h.Of("my agent").SetReplay(Replay{3, "2026-10-02", "2026-10-05"})
	h.Of("before").SetReplay(Replay{})
	b, err := NewBlock(h, []string{"my agent", "before"}, sampleItems(t, 1, "x").Units, 0)
	require.NoError(t, err)
	full := text(t, b)
	require.Contains(t, full, "\nVersions: my%20agent=m-1%20%2f%20prompt%3d3 before=m-0\nReplayed: my%20agent=3/2026-10-02/2026-10-05\n")
	got := readText(t, full).Blocks()[0].Header
	require.Equal(t, "m-1 / prompt=3", got.Of("my agent").Version())
	require.Equal(t, "m-0", got.Of("before").Version())
	require.Empty(t, got.Of("other").Version())
	require.Equal(t, Replay{3, "2026-10-02", "2026-10-05"}, got.Of("my agent").Replay())
	require.Equal(t, Replay{}, got.Of("before").Replay())

	for _, bad := range []string{
		"3", "3/2026-10-02", "0/2026-10-02/2026-10-05",
		"x/2026-10-02/2026-10-05", "3/2026-10-02/2026-10-01", "3/2026-10-02/2026-13-01",
		"-3/2026-10-02/2026-10-05",
	} {
		_, err := Read(strings.NewReader(strings.Replace(withoutChecksum(full),
			"=3/2026-10-02/2026-10-05", "="+bad, 1)), "f.txt")
		require.ErrorContains(t, err, "is not of the form NAME=ANSWERS/FIRST/LAST", bad)
	}
}

// Files of several systems concatenate. One that has several versions says so.
func TestUnionOfVersions(t *testing.T) {
	t.Parallel()
	a, b, c := sampleItems(t, 1, "agent"), sampleItems(t, 1, "before"), sampleItems(t, 1, "agent")
	a.Header.Of("agent").SetVersion("m-2")
	b.Header.Of("before").SetVersion("m-1")
	a.Header.Of("agent").SetReplay(Replay{2, "2026-10-02", "2026-10-03"})
	c.Header.Of("agent").SetReplay(Replay{1, "2026-10-01", "2026-10-02"})
	u, err := Union(a, b)
	require.NoError(t, err)
	require.Equal(t, "m-2", u.Header.Of("agent").Version())
	require.Equal(t, "m-1", u.Header.Of("before").Version())
	require.Equal(t, Replay{2, "2026-10-02", "2026-10-03"}, u.Header.Of("agent").Replay())
	require.Equal(t, "agent=m-2", unionVersions([]*Block{a, c}, []string{"agent"}))
	require.Equal(t, "agent=2/2026-10-01/2026-10-03", unionReplays([]*Block{a, c}, []string{"agent"}))
	c.Header.Of("agent").SetVersion("m-3")
	require.Equal(t, "agent=several", unionVersions([]*Block{a, c}, []string{"agent"}))

	x, y := sampleItems(t, 1, "agent", "x"), sampleItems(t, 1, "before", "x")
	x.Header.Of("agent").SetVersion("m-2")
	y.Header.Of("before").SetVersion("m-1")
	x.Header.Of("agent").SetReplay(Replay{2, "2026-10-02", "2026-10-03"})
	y.Header.Of("before").SetProbe(NotDeterministic)
	p, err := Pair(NewFile(x).Of("faq", "agent"),
		Selection{File: NewFile(y), Data: "faq", Learner: "before", Title: "agent at 3f"}, "correct")
	require.NoError(t, err)
	require.Equal(t, [2]string{"m-2", "m-1"}, p.Items.Versions)
	require.Equal(t, [2]Replay{{2, "2026-10-02", "2026-10-03"}, {}}, p.Items.Replays)
	require.Equal(t, [2]string{"", "no"}, p.Items.Probes)
}

// A text that is read as a replay is written in the same spelling, but for signs and zeros before
// the number.
func FuzzParseReplay(f *testing.F) {
	for _, s := range []string{
		"", "3/2026-10-02/2026-10-05", "1/2026-10-02/2026-10-02",
		"03/2026-10-02/2026-10-05", "3/2026-02-30/2026-10-05", "+3/2026-10-02/2026-10-05",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := ParseReplay(s)
		if !ok {
			return
		}
		again, ok := ParseReplay(r.String())
		require.True(t, ok)
		require.Equal(t, r, again)
		require.True(t, r.Answers > 0 && r.First <= r.Last && len(r.First) == 10 && len(r.Last) == 10, s)
	})
}
