package split

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func TestWekaEqualsStoredFoldsOfWeka(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"iris", "labor", "zoo"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := readLines(t, filepath.Join("testdata", "weka", name+".csv.gz"))
			require.True(t, strings.HasPrefix(lines[0], "# Provenance"))
			checkWeka(t, parseIndices(t, lines[2]), lines[3:], 2)
		})
	}
}

// The whole reference: every fold of ten runs on every data set.
func TestWekaEqualsAllFoldsOfWeka(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("LEARNBENCH_SHARED")
	if shared == "" {
		t.Skip("LEARNBENCH_SHARED is not set")
	}
	files, err := filepath.Glob(filepath.Join(shared, "weka", "ref", "*", "splits.csv.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := dataset.Open(filepath.Join(shared, "data", name+".arff"), dataset.ReadOptions{})
			require.NoError(t, err)
			class := make([]int, table.Len())
			for i := range class {
				class[i] = table.Class(i)
			}
			checkWeka(t, class, readLines(t, file)[1:], 10)
		})
	}
}

func checkWeka(t *testing.T, class []int, lines []string, runs int) {
	t.Helper()
	require.Len(t, lines, runs*10)
	plan, err := Weka(runs, 10).Plan(Examples{N: len(class), Class: class})
	require.NoError(t, err)
	for k, line := range lines {
		fields := strings.Split(line, ",")
		require.Len(t, fields, 4)
		run, fold := k/10+1, k%10+1
		require.Equal(t, []string{strconv.Itoa(run), strconv.Itoa(fold)}, fields[:2])
		train, test := plan.Trial(run, fold, nil, nil)
		require.Equal(t, parseIndices(t, fields[2]), train, "training set of run %d, fold %d", run, fold)
		require.Equal(t, parseIndices(t, fields[3]), test, "test set of run %d, fold %d", run, fold)
	}
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func parseIndices(t *testing.T, s string) []int {
	t.Helper()
	var indices []int
	for _, word := range strings.Fields(s) {
		i, err := strconv.Atoi(word)
		require.NoError(t, err)
		indices = append(indices, i)
	}
	return indices
}

func TestWekaRunsHaveConsecutiveSeeds(t *testing.T) {
	t.Parallel()
	ex := Examples{N: 57, Class: make([]int, 57)}
	all, err := Weka(5, 10).Plan(ex)
	require.NoError(t, err)
	for run := 1; run <= 5; run++ {
		one, err := Weka(1, 10).WithSeed(uint64(run)).Plan(ex)
		require.NoError(t, err)
		for fold := 1; fold <= 10; fold++ {
			assert.Equal(t, trial(all, run, fold), trial(one, 1, fold), "run %d, fold %d", run, fold)
		}
	}
}

// trial returns both sets of a fold for comparison.
func trial(p *Plan, run, fold int) Fold {
	train, test := p.Trial(run, fold, nil, nil)
	return Fold{Train: train, Test: test}
}

// Without classes, Weka cuts the shuffled list into folds without sorting it.
func TestWekaIsNotStratifiedWithoutClasses(t *testing.T) {
	t.Parallel()
	const n, folds = 23, 4
	without, err := Weka(1, folds).Plan(Examples{N: n})
	require.NoError(t, err)
	one, err := Weka(1, folds).Plan(Examples{N: n, Class: make([]int, n)})
	require.NoError(t, err)
	var list []int
	for fold := 1; fold <= folds; fold++ {
		list = append(list, trial(without, 1, fold).Test...)
	}
	// With one class only, the list is dealt out to the folds position by position.
	var dealt []int
	for f := range folds {
		for j := f; j < n; j += folds {
			dealt = append(dealt, list[j])
		}
	}
	var got []int
	for fold := 1; fold <= folds; fold++ {
		got = append(got, trial(one, 1, fold).Test...)
	}
	assert.Equal(t, dealt, got)
}
