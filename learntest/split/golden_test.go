package split

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pageExamples are the examples of the test vectors in the package
// documentation.
func pageExamples() Examples {
	return Examples{
		N:     12,
		Class: []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2},
		Group: []int{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4},
	}
}

type goldenFile struct {
	Page []struct {
		Protocol string
		Runs     [][][2][]int
		Digest   string
	}
	Large []struct {
		Protocol string
		N        int
		ClassMod int
		Group    string
		Digest   string
	}
}

// Partitions of version v1 never change. The golden file is the output of
// testdata/reference.py, which was written from the package documentation.
func TestPlansEqualReferenceImplementation(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/golden.json")
	require.NoError(t, err)
	var golden goldenFile
	require.NoError(t, json.Unmarshal(data, &golden))
	require.Len(t, golden.Page, 19)
	require.Len(t, golden.Large, 52)
	for _, c := range golden.Page {
		t.Run(c.Protocol, func(t *testing.T) {
			t.Parallel()
			plan := mustPlan(t, c.Protocol, pageExamples())
			require.Equal(t, len(c.Runs), plan.Runs())
			for j, folds := range c.Runs {
				require.Equal(t, len(folds), plan.Folds())
				for i, want := range folds {
					train, test := plan.Trial(j+1, i+1, nil, nil)
					assert.Equal(t, want, [2][]int{train, test}, "run %d, fold %d", j+1, i+1)
				}
			}
			assert.Equal(t, c.Digest, plan.Digest())
		})
	}
	for _, c := range golden.Large {
		t.Run(fmt.Sprintf("%s of %d examples, classes %d, groups %s", c.Protocol, c.N, c.ClassMod,
			c.Group), func(t *testing.T) {
			t.Parallel()
			ex := Examples{N: c.N, Group: make([]int, c.N)}
			for i := range ex.Group {
				if c.ClassMod > 0 {
					ex.Class = append(ex.Class, i*i%c.ClassMod)
				}
				switch c.Group {
				case "isqrt":
					ex.Group[i] = int(math.Sqrt(float64(i)))
				case "square":
					ex.Group[i] = i * i % 89
				default:
					t.Fatalf("unknown groups %q", c.Group)
				}
			}
			assert.Equal(t, c.Digest, mustPlan(t, c.Protocol, ex).Digest())
		})
	}
}

func mustPlan(t *testing.T, protocol string, ex Examples) *Plan {
	t.Helper()
	p, err := Parse(protocol)
	require.NoError(t, err)
	require.Equal(t, protocol, p.String())
	plan, err := p.Plan(ex)
	require.NoError(t, err)
	return plan
}

func TestVectorsInPackageDocumentationHold(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "// # Test vectors\n")
	require.True(t, ok)
	vectors, _, ok := strings.Cut(rest, "// # Sources\n")
	require.True(t, ok)
	var plan *Plan
	checked := 0
	for line := range strings.Lines(vectors) {
		line, ok := strings.CutPrefix(line, "//\t")
		if !ok {
			continue
		}
		line = strings.TrimSuffix(line, "\n")
		runLine, ok := strings.CutPrefix(line, "    run ")
		if !ok {
			plan = mustPlan(t, line, pageExamples())
			continue
		}
		var run int
		number, sets, ok := strings.Cut(runLine, "  ")
		require.True(t, ok, line)
		_, err := fmt.Sscan(number, &run)
		require.NoError(t, err)
		var got []string
		for fold := 1; fold <= plan.Folds(); fold++ {
			_, test := plan.Trial(run, fold, nil, nil)
			got = append(got, strings.Trim(fmt.Sprint(test), "[]"))
		}
		assert.Equal(t, sets, strings.Join(got, " | "), "%s, run %d", plan.Protocol(), run)
		checked++
	}
	assert.Equal(t, 16, checked)

	r := newRandom(cv.name, 1, 1)
	state := uint64(r)
	sentence := fmt.Sprintf("For cv, seed 1, run 1, the state starts\n// as 0x%016x, and next() first returns 0x%016x.", state, r.next())
	assert.True(t, strings.Contains(string(page), sentence), "not in doc.go: %s", sentence)
}
