package split

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDigestIsThatOfTheDocumentedEncoding(t *testing.T) {
	t.Parallel()
	plan, err := Predefined([]Fold{{Train: []int{4, 5, 6, 9, 8}, Test: []int{0}}},
		[]Fold{{Train: []int{3, 3 - 1}, Test: []int{7, 8, 9}}}).
		Plan(Examples{N: 10})
	require.NoError(t, err)
	encoded := []byte("learnbench plan v1\n")
	for _, x := range []uint32{
		2, 1,
		3, 4, 3, 9, 1, 8, 1, 1, 0, 1,
		2, 3, 1, 2, 1, 1, 7, 3,
	} {
		encoded = binary.LittleEndian.AppendUint32(encoded, x)
	}
	sum := sha256.Sum256(encoded)
	assert.Equal(t, hex.EncodeToString(sum[:]), plan.Digest())
}

func TestDigestChangesWithAnyChangeOfThePartitions(t *testing.T) {
	t.Parallel()
	a, b := Fold{Train: []int{0, 1, 2}, Test: []int{3}}, Fold{Train: []int{1, 3}, Test: []int{0, 2}}
	plans := [][][]Fold{
		{{a, b}},
		{{b, a}},
		{{a}, {b}},
		{{a}},
		{{a, b}, {a, b}},
		{{{Train: []int{0, 1}, Test: []int{2, 3}}, b}},
		{{{Train: []int{0, 2, 1}, Test: []int{3}}, b}},
		{{{Train: a.Test, Test: a.Train}, b}},
	}
	var digests []string
	for _, runs := range plans {
		plan, err := Predefined(runs...).Plan(Examples{N: 4})
		require.NoError(t, err)
		digests = append(digests, plan.Digest())
	}
	slices.Sort(digests)
	assert.Len(t, slices.Compact(digests), len(plans))
}

// Examples that no fold uses, and the protocol's name, do not enter it.
func TestDigestDependsOnThePartitionsOnly(t *testing.T) {
	t.Parallel()
	p := twoFolds()
	three, err := p.Plan(Examples{N: 3})
	require.NoError(t, err)
	nine, err := p.WithSeed(99).Plan(Examples{N: 9})
	require.NoError(t, err)
	assert.Equal(t, three.Digest(), nine.Digest())
}
