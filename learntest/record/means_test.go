package record

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The header has the means of the trials, of the protocol's own runs only.
func TestMeans(t *testing.T) {
	t.Parallel()
	s := sampleSet("mails", 2, 5, "for est", "a/b")
	s.Trials = append(s.Trials, sampleRun(&s, 3, 5)...) // a further run
	b := s.block(t)
	for _, learner := range b.Learners {
		for i, u := range b.Units {
			sum, n := 0.0, 0
			for tr := range b.Trials() {
				if tr.Learner == learner && tr.Run <= 2 {
					sum, n = sum+tr.Values[i], n+1
				}
			}
			mean, ok := b.Mean(learner, u.Name)
			require.True(t, ok)
			require.Equal(t, 10, n)
			require.Equal(t, sum/10, mean)
		}
	}
	require.Empty(t, b.Header.Means)
	b.SetMeans()
	fields := strings.Fields(b.Header.Means)
	require.Len(t, fields, 2*len(b.Units))
	mean, _ := b.Mean("a/b", b.Units[0].Name)
	require.Equal(t, EscapeName("a/b")+"/"+EscapeName(b.Units[0].Name)+"="+strconv.FormatFloat(mean,
		'g', -1, 64), fields[len(b.Units)])
	require.NotContains(t, EscapeName("a/b"), "/")

	// A file has means, and a union has none: the means of its parts are not its own.
	written := text(t, b)
	require.Contains(t, written, "\nMeans: for")
	f, err := Read(strings.NewReader(written), "x")
	require.NoError(t, err)
	require.Equal(t, b.Header.Means, f.Blocks()[0].Header.Means)
	other := sampleBlock(t, "mails", 2, 5, "c")
	u, err := Union(b, other)
	require.NoError(t, err)
	require.Empty(t, u.Header.Means)
	_, ok := b.Mean("none", b.Units[0].Name)
	require.False(t, ok)
	_, ok = b.Mean("a/b", "none")
	require.False(t, ok)
}

// A learner of which a trial failed or is missing has no mean.
func TestMeansOfWhatIsNotComplete(t *testing.T) {
	t.Parallel()
	b := sampleBlock(t, "mails", 1, 2, "a", "b")
	empty, err := NewBlock(b.Header, []string{"a", "b"}, b.Units, 0)
	require.NoError(t, err)
	failed := false
	for tr := range b.Trials() {
		if tr.Learner == "b" && !failed {
			failed = true
			tr.Values, tr.Err = nil, "no memory"
		}
		require.NoError(t, empty.Add(tr))
	}
	empty.SetMeans()
	require.True(t, strings.HasPrefix(empty.Header.Means, "a/"), empty.Header.Means)
	require.NotContains(t, empty.Header.Means, "b/")
}

// Verify accepts only a block that was read with a checksum, and not changed since.
func TestVerify(t *testing.T) {
	t.Parallel()
	a, b := sampleBlock(t, "mails", 1, 2, "a"), sampleBlock(t, "mails", 1, 2, "b")
	require.ErrorIs(t, Verify(a), ErrChecksum, "it was not read")
	whole := text(t, a, b)
	first, rest, _ := strings.Cut(whole, "\nChecksum: ")
	_, rest, _ = strings.Cut(rest, "\n")
	bare := first + "\n" + rest
	read := func(text string) *Block {
		f, err := Read(strings.NewReader(text), "x")
		require.NoError(t, err)
		require.Len(t, f.Experiments(), 1)
		return f.Experiments()[0]
	}
	require.NoError(t, Verify(read(whole)))
	require.ErrorIs(t, Verify(read(bare)), ErrChecksum)
	require.EqualError(t, Verify(read(bare)),
		"x:1: the block has no checksum, so that nothing shows whether its scores were edited")
	require.NoError(t, Verify(read(text(t, a)).Clone()))

	further := sampleSet("mails", 1, 2, "a")
	changed := read(text(t, a)).Clone()
	require.NoError(t, changed.Add(sampleRun(&further, 2, 2)[0]))
	require.ErrorIs(t, Verify(changed), ErrChecksum, "it has more than was read")
}
