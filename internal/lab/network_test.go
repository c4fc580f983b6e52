package lab

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Data sets have the probabilities of the network, and so has its list of examples.
func TestNetworkHasItsProbabilities(t *testing.T) {
	t.Parallel()
	n, err := ParseNetwork("f", "network n\nclass: 0.3\na: 0.2\nb | a class: 0.1 0.5 0.9 0.4\nc | b: 0.7 0.05\n")
	require.NoError(t, err)
	const size = 100_000
	table, err := n.Table("drawn", size, 5)
	require.NoError(t, err)
	require.Equal(t, 3, table.ClassIndex())
	seen := make(map[[4]int32]int)
	for i := range size {
		seen[[4]int32{table.Codes(0)[i], table.Codes(1)[i], table.Codes(2)[i], table.Codes(3)[i]}]++
	}
	all, p, err := n.Patterns()
	require.NoError(t, err)
	require.Equal(t, 8, all.Len())
	total := 0.0
	for i := range all.Len() {
		for class := range int32(2) {
			a, b, c := all.Codes(0)[i], all.Codes(1)[i], all.Codes(2)[i]
			// By hand.
			want := []float64{0.7, 0.3}[class] * []float64{0.8, 0.2}[a]
			pb := [][]float64{{0.1, 0.5}, {0.9, 0.4}}[a][class]
			want *= []float64{1 - pb, pb}[b]
			pc := []float64{0.7, 0.05}[b]
			want *= []float64{1 - pc, pc}[c]
			require.InDelta(t, want, p[i][class], 1e-15)
			share := float64(seen[[4]int32{a, b, c, class}]) / size
			assert.InDelta(t, want, share, 4.5*math.Sqrt(want*(1-want)/size), "%d %d %d %d", a, b, c, class)
			total += want
		}
	}
	require.InDelta(t, 1, total, 1e-12)
}

func TestIndependentNetworks(t *testing.T) {
	t.Parallel()
	n, err := Independent("null", 3, 0.05, 8)
	require.NoError(t, err)
	require.Equal(t, 0.05, n.Class)
	for _, a := range n.Attributes {
		require.Empty(t, a.Parents)
		require.Len(t, a.P, 1)
		require.True(t, a.P[0] >= 0.05 && a.P[0] <= 0.95)
	}
	other, err := Independent("null", 3, 0.05, 9)
	require.NoError(t, err)
	require.NotEqual(t, n, other)
	for _, bad := range []func() (*Network, error){
		func() (*Network, error) { return Independent("x", 0, 0.5, 1) },
		func() (*Network, error) { return Independent("x", maxAttributes+1, 0.5, 1) },
		func() (*Network, error) { return Independent("x", 3, 0, 1) },
		func() (*Network, error) { return Independent("x", 3, math.NaN(), 1) },
	} {
		_, err := bad()
		require.ErrorIs(t, err, ErrConfig)
	}
}

// TestNetworksDoNotChange has the digests of data sets, which may not change: published
// figures rest on them.
func TestNetworksDoNotChange(t *testing.T) {
	t.Parallel()
	networks, err := Networks()
	require.NoError(t, err)
	var got []string
	for _, n := range networks {
		table, err := n.Table("t", 50, 1)
		require.NoError(t, err)
		d, err := table.Digest()
		require.NoError(t, err)
		got = append(got, n.ID()+" "+d[:16])
	}
	require.Equal(t, []string{
		"network source1 ecf7c89297cfacd6 a854496458e06b76",
		"network source2 e981c7809864ca20 b99944e46cc20bc3",
		"network source3 0af61a20e49d33a0 fbb490fd87868aef",
		"network source4 1d7813d594903ff8 be6feec2ec7888a6",
	}, got)
}

func TestLargeNetworksAreNotListed(t *testing.T) {
	t.Parallel()
	n, err := Independent("large", maxEnumerated+1, 0.5, 1)
	require.NoError(t, err)
	_, _, err = n.Patterns()
	require.ErrorIs(t, err, ErrConfig)
}
