package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// manyRows writes a file with results of two learners on many data sets.
func manyRows(t *testing.T, path string, data int, shift float64) {
	t.Helper()
	var text bytes.Buffer
	for d := range data {
		h := record.Header{
			Test: "TestModels", Data: fmt.Sprintf("data%d", d), Commit: "3f2a9c1",
			Protocol:   "cv runs=2 folds=2 stratified seed=1 v1",
			DataDigest: fmt.Sprintf("%064x", d+1), SplitDigest: fmt.Sprintf("%064x", d+2),
		}
		b, err := record.NewBlock(h, []string{"a", "b"},
			[]unit.Unit{{Name: "accuracy", Better: unit.Higher, Max: 1}}, 20)
		require.NoError(t, err)
		for i := range 8 {
			score := 0.5 + float64((d*7+i*5)%11)/100 + shift*float64(i%3)
			require.NoError(t, b.Add(record.Trial{
				Data: h.Data, Learner: b.Learners[i%2], Run: i/4 + 1, Fold: i/2%2 + 1, TrainN: 10, TestN: 10,
				Values: []float64{score},
			}))
		}
		require.NoError(t, record.Write(&text, b))
	}
	require.NoError(t, os.WriteFile(path, text.Bytes(), 0o666))
}

// manyFiles writes files of a side, each with one of the data sets of manyRows and all of one size.
func manyFiles(t *testing.T, dir string, files int, shift float64) {
	t.Helper()
	whole := filepath.Join(t.TempDir(), "all.txt")
	manyRows(t, whole, files, shift)
	f, err := record.Open(whole)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(dir, 0o777))
	for i, b := range f.Blocks() {
		var text bytes.Buffer
		require.NoError(t, record.Write(&text, b))
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txt", i)), text.Bytes(),
			0o666))
	}
}

// The cost of the command grows with its input, not with the square of it. Memory tells so on a
// busy machine, too. This test is not parallel: it counts allocations.
func TestCostIsLinear(t *testing.T) {
	citest.Need(t, citest.Slow)
	files := make(map[int][]string)
	for _, data := range []int{10, 40, 160} {
		dir := t.TempDir()
		files[data] = []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
		manyRows(t, files[data][0], data, 0)
		manyRows(t, files[data][1], data, 0.01)
	}
	cost := func(data int, flags ...string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, stdout, stderr := runText(append(flags, files[data]...)...)
		runtime.ReadMemStats(&after)
		require.Equal(t, cli.Clean, status, stderr)
		require.NotEmpty(t, stdout)
		return after.TotalAlloc - before.TotalAlloc
	}
	variants := [][]string{
		{"-v"},
		{"-fail-on", "regressed", "-alpha", "1e-9"},
		{"-row", ".fullname"},
		{"-across", "sign"},
	}
	for _, f := range print.Formats() {
		variants = append(variants, []string{"-format", f.Name})
	}
	for _, flags := range variants {
		cost(10, flags...) // for the allocations that are made once
		small, large := cost(40, flags...), cost(160, flags...)
		require.Less(t, large, 5*small+1<<20, "%v", flags)
	}
}

// The cost grows with the number of files, also of files of equal size.
func TestCostOfFilesIsLinear(t *testing.T) {
	citest.Need(t, citest.Slow)
	cost := func(files int) uint64 {
		dir := t.TempDir()
		sides := []string{filepath.Join(dir, "old"), filepath.Join(dir, "new")}
		manyFiles(t, sides[0], files, 0)
		manyFiles(t, sides[1], files, 0.01)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, stdout, stderr := runText(append([]string{"-format", "csv"}, sides...)...)
		runtime.ReadMemStats(&after)
		require.Equal(t, cli.Clean, status, stderr)
		require.NotEmpty(t, stdout)
		return after.TotalAlloc - before.TotalAlloc
	}
	cost(10)
	small, large := cost(40), cost(160)
	require.Less(t, large, 5*small+1<<20)
}

// The cost grows with the number of columns, which are files of one directory.
func TestCostOfColumnsIsLinear(t *testing.T) {
	citest.Need(t, citest.Slow)
	cost := func(columns int) uint64 {
		dir := t.TempDir()
		paths := make([]string, columns)
		for i := range paths {
			paths[i] = filepath.Join(dir, fmt.Sprintf("%d.txt", i))
			manyRows(t, paths[i], 1, 0.0001*float64(i))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, stdout, stderr := runText(paths...)
		runtime.ReadMemStats(&after)
		require.Equal(t, cli.Clean, status, stderr)
		require.NotEmpty(t, stdout)
		return after.TotalAlloc - before.TotalAlloc
	}
	cost(10)
	small, large := cost(100), cost(400)
	require.Less(t, large, 5*small)
}

// And so it is with the files of a history.
func TestCostOfHistoryIsLinear(t *testing.T) {
	citest.Need(t, citest.Slow)
	dir := t.TempDir()
	cost := func(files int, flags ...string) uint64 {
		paths := make([]string, files)
		for i := range paths {
			paths[i] = filepath.Join(dir, fmt.Sprintf("%d.txt", i))
			manyRows(t, paths[i], 10, 0.001*float64(i/3%5))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, stdout, stderr := runText(append(append([]string{"-history"}, flags...), paths...)...)
		runtime.ReadMemStats(&after)
		require.Equal(t, cli.Clean, status, stderr)
		require.Contains(t, stdout, paths[files-1][len(dir)+1:])
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, flags := range [][]string{
		nil,
		{"-format", "json"},
		{"-format", "csv"},
		{"-format", "markdown"},
	} {
		cost(2, flags...)
		small, large := cost(10, flags...), cost(40, flags...)
		require.Less(t, large, 5*small+1<<20, "%v", flags)
	}
}

// The header stays short with very many data sets.
func TestHeaderOfManyDataSets(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	manyRows(t, paths[0], 300, 0)
	manyRows(t, paths[1], 300, 0.01)
	_, stdout, _ := runText(append([]string{"-v"}, paths...)...)
	header, _, ok := strings.Cut(stdout, " │")
	require.True(t, ok)
	require.Less(t, strings.Count(header, "\n"), 10, header)
	require.Regexp(t, ` and \d+ more\n`, header)
	require.Contains(t, stdout, "\na, mean of 300 data sets ")
	require.Contains(t, stdout, "signed-rank-normal)")
}

// Tables of very many comparisons do without R; reports made from JSON, which has R, do so, too.
func TestManyComparisonsHaveNoR(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	const note = "R is not shown of more than 300 comparisons; -format csv and json have it, with its interval\n"
	for _, data := range []int{report.ManyComparisons / 2, report.ManyComparisons/2 + 1} {
		manyRows(t, paths[0], data, 0)
		manyRows(t, paths[1], data, 0.01)
		many := data > report.ManyComparisons/2
		_, text, _ := runText(append([]string{"-fail-on", "inconclusive"}, paths...)...)
		require.Equal(t, many, !regexp.MustCompile(`(?m)  adj p +R$`).MatchString(text), text)
		_, text, _ = runText(paths...)
		require.Equal(t, many, strings.Contains(unbroken(text), note))
		_, full, _ := runText(append([]string{"-v"}, paths...)...)
		require.Equal(t, many, !strings.Contains(full, " R (90% interval) "))
		require.Equal(t, many, !regexp.MustCompile(`\) +[\d.]+ +0\.\d{3} \(0\.\d\d–\d\.\d\d\) `).MatchString(full))
		_, list, _ := runText(append([]string{"-format", "csv"}, paths...)...)
		for _, line := range csvTables(t, list)[0][1:] {
			require.NotEmpty(t, line[slices.Index(csvTables(t, list)[0][0], "replicability_lo")])
			break
		}
		_, object, _ := runText(append([]string{"-format", "json"}, paths...)...)
		var r report.Report
		require.NoError(t, json.Unmarshal([]byte(object), &r))
		require.False(t, r.Tables[0].Rows[0].Cells[1].Verdict.Rerun.Lo.IsNaN())
		var again strings.Builder
		require.NoError(t, print.Formats()[0].Write(&again, &r, print.Options{}))
		require.Equal(t, text, again.String())
	}
}
