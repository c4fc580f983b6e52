package system

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

// count reads a number from a file of the repository that the test is run in.
func count(t *testing.T, path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// guarded compares the model of a repository, which predicts so many examples wrongly as its file says, with
// what is stored of it.
func guarded(t *testing.T, path string) *learntest.Comparison {
	n, wrong := count(t, "data.txt"), count(t, "model.txt")
	xs, ys, order := make([]int, n), make([]bool, n), make([]int, n)
	hashes := make([]uint64, n)
	for i := range xs {
		xs[i], ys[i], order[i] = i, i%2 == 1, i
		h := fnv.New64a()
		fmt.Fprintf(h, "%d of all", i)
		hashes[i] = h.Sum64() * 0x9E3779B97F4A7C15
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(hashes[i], hashes[j]) })
	fails := make(map[int]bool)
	for _, i := range order[:wrong] {
		fails[i] = true
	}
	model := learntest.Pretrained("model", func(i int) bool { return (i%2 == 1) != fails[i] })
	return learntest.AgainstWith(t, learntest.Config{Protocol: split.CV(10, 10)}, learntest.Examples("numbers", xs, ys), model, path)
}

// TestModel guards against losses of two points to the baseline.
func TestModel(t *testing.T) {
	c := guarded(t, "testdata/baseline.txt")
	assert.NoRegression(t, c, assert.Margin(0.02))
	assert.BaselineIsCurrent(t, c)
}

// TestLosses guards against losses of three points to the reference.
func TestLosses(t *testing.T) {
	assert.WithinBudget(t, guarded(t, "testdata/pinned.txt"), 0.03)
}
