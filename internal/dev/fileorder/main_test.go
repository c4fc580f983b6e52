package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// most is how many arrows may run back between the files of any package of the module.
const most = 12

func TestFewArrowsRunBack(t *testing.T) {
	t.Parallel()
	orders, err := read("../../..")
	require.NoError(t, err)
	require.Greater(t, len(orders), 80)
	for _, o := range orders {
		assert.LessOrEqual(t, len(o.back), most, "%s: %v", o.pkg, o.back)
	}
}

func TestArrowsAreUsesOfNamesOfOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/a\n\ngo 1.26\n",
		// The local name low and the field name of another type draw no arrow.
		"high.go":  "package a\n\nfunc high() int { low := 1; return low + middle() }\n",
		"mid.go":   "package a\n\nimport \"os\"\n\nfunc middle() int { os.Getpid(); return low(T[int]{}.m()) }\n",
		"low.go":   "package a\n\nfunc low(x int) int { return x }\n\nvar back = high\n",
		"type.go":  "package a\n\ntype T[X any] struct{ x X }\n",
		"apart.go": "package a\n\ntype low2 struct{ Getpid int }\n",
		"meth.go":  "package a\n\nfunc (t T[X]) m() X { return t.x }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	orders, err := read(dir)
	require.NoError(t, err)
	require.Len(t, orders, 1)
	assert.Equal(t, 6, orders[0].arrows, "high mid, mid low, mid type, mid meth, meth type, low high")
	assert.Len(t, orders[0].files, 6)
	require.Len(t, orders[0].back, 1)
	assert.Contains(t, []arrow{
		{"low.go", "high.go", []string{"high"}},
		{"high.go", "mid.go", []string{"middle"}},
		{"mid.go", "low.go", []string{"low"}},
	}, orders[0].back[0])
}

func TestReadNamesFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/a\n\ngo 1.26\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nvar X = missing\n"), 0o666))
	_, err := read(dir)
	require.ErrorContains(t, err, "missing")
}

// TestArrange compares with all orders of small graphs: that in which fewest edges run back is nearly
// always found.
func TestArrange(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	graphs, found := 0, 0
	for range 300 {
		n := 1 + rng.IntN(6)
		graph := make([][]bool, n)
		for i := range graph {
			graph[i] = make([]bool, n)
			for j := range graph[i] {
				graph[i][j] = i != j && rng.IntN(3) == 0
			}
		}
		places := arrange(graph)
		sorted := slices.Sorted(slices.Values(places))
		for i := range n {
			require.Equal(t, i, sorted[i])
		}
		least := n * n
		permute(n, func(p []int) { least = min(least, backOf(graph, p)) })
		graphs++
		if backOf(graph, places) == least {
			found++
		}
		if least == 0 {
			assert.Zero(t, backOf(graph, places), "%v has no cycle", graph)
		}
	}
	assert.GreaterOrEqual(t, found, graphs*99/100, "%d of %d", found, graphs)
}

// backOf counts the edges that run from a later node to an earlier one.
func backOf(graph [][]bool, places []int) int {
	n := 0
	for k, i := range places {
		for _, j := range places[k+1:] {
			if graph[j][i] {
				n++
			}
		}
	}
	return n
}

// permute calls a function with each order of n nodes.
func permute(n int, f func([]int)) {
	var next func([]int)
	next = func(p []int) {
		if len(p) == n {
			f(p)
			return
		}
		for i := range n {
			if !slices.Contains(p, i) {
				next(append(p, i))
			}
		}
	}
	next(make([]int, 0, n))
}
