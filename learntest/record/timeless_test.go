package record

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Where some trials have no times, their union has none: a time is never made
// up. A block without trials says nothing of that.
func TestUnionOfTimelessBlocks(t *testing.T) {
	t.Parallel()
	with := func(from, to int, timeless bool) *Block {
		s := sampleSet("vehicle", 2, 2, "a")
		s.Trials, s.Timeless = s.Trials[from:to], timeless
		return s.block(t)
	}
	for _, c := range []struct {
		name   string
		blocks []*Block
		want   bool
	}{
		{"timed", []*Block{with(0, 2, false), with(2, 4, false)}, false},
		{"timeless", []*Block{with(0, 2, true), with(2, 4, true)}, true},
		{"one timeless", []*Block{with(0, 2, false), with(2, 4, true)}, true},
		{"timeless and a head", []*Block{with(0, 0, false), with(2, 4, true)}, true},
		{"timed and a timeless head", []*Block{with(0, 2, false), with(0, 0, true)}, false},
		{"heads", []*Block{with(0, 0, false), with(0, 0, false)}, false},
		{"timeless heads", []*Block{with(0, 0, true), with(0, 0, true)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u, err := Union(c.blocks...)
			require.NoError(t, err)
			require.Equal(t, c.want, u.Timeless)
			for tr := range u.Trials() {
				require.Equal(t, c.want, tr.FitSeconds == 0)
			}
		})
	}
}
