package split

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Provenance: computed from the published algorithm with Python integers.
func TestRandomIsSplitMix64(t *testing.T) {
	t.Parallel()
	r := random(1234567)
	for _, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821,
	} {
		assert.Equal(t, want, r.next())
	}
}

// With m = 3·2^62, a quarter of all numbers is rejected, so that the rule is
// visible in the sequence.
func TestBelowRejectsTheIncompletePartOfTheRange(t *testing.T) {
	t.Parallel()
	const m = 3 << 62
	rejected := 0
	r := random(1)
	oracle := r
	for range 200 {
		var want uint64
		for {
			if want = oracle.next(); want >= 1<<62 { // 2^64 mod m
				break
			}
			rejected++
		}
		assert.Equal(t, want%m, r.below64(m))
	}
	assert.Greater(t, rejected, 20)
}

func TestBelowIsUniform(t *testing.T) {
	t.Parallel()
	const m, draws = 7, 70000
	var counts [m]int
	r := random(42)
	for range draws {
		counts[r.below(m)]++
	}
	for k, c := range counts {
		assert.Less(t, abs(c-draws/m), 6*93, "%d: six standard deviations from the mean", k)
	}
}

func TestShuffleReachesEveryPermutationEquallyOften(t *testing.T) {
	t.Parallel()
	counts := make(map[[4]int]int)
	r := random(7)
	for range 24000 {
		a := [4]int{0, 1, 2, 3}
		shuffle(&r, a[:])
		counts[a]++
	}
	assert.Len(t, counts, 24)
	for a, c := range counts {
		assert.Less(t, abs(c-1000), 6*31, "%v: six standard deviations from the mean", a)
	}
}

func TestGeneratorsOfKindsSeedsAndRunsDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		run := rapid.IntRange(1, maxRuns).Draw(t, "run")
		r := newRandom(cv.name, seed, run)
		for _, other := range []random{
			newRandom(groups.name, seed, run), newRandom(cv.name, seed+1, run),
			newRandom(cv.name, seed, run+1),
		} {
			if other == r {
				t.Fatalf("same state %x", uint64(r))
			}
		}
	})
}

func abs(x int) int { return max(x, -x) }
