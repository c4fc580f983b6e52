//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func TestSidesHaveTheSameTable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var digests []string
	for _, format := range []string{"arff", "csv"} {
		name, err := file("uniform", format, "", dir)
		require.NoError(t, err)
		table, err := dataset.Open(name, dataset.ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, 20000, table.Len())
		for j := range 20 {
			digests = append(digests, table.Attribute(j).Name)
			require.IsIncreasing(t, []float64{-1, table.Numbers(j)[0], 1})
		}
	}
	require.Equal(t, digests[:20], digests[20:])
}

func TestWorkIsMeasured(t *testing.T) {
	t.Parallel()
	table, err := draw(shape{300, 4, "normal"})
	require.NoError(t, err)
	line, err := draw(shape{300, 4, "line"})
	require.NoError(t, err)
	dir := t.TempDir()
	for name, table := range map[string]*dataset.Table{"normal.csv": table, "line.csv": line} {
		f, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, writeCSV(f, table))
		require.NoError(t, f.Close())
	}
	for _, r := range rows {
		name := "normal.csv"
		if r.table == "line" {
			name = "line.csv"
		}
		var out bytes.Buffer
		require.NoError(t, work(r.job, filepath.Join(dir, name), &out), r.job)
		u, err := parse(out.String())
		require.NoError(t, err)
		require.GreaterOrEqual(t, u.seconds, 0.0)
		if r.table != "line" && r.job != "read" {
			require.Greater(t, u.correct, 15, "of 30, %s", r.job)
		}
	}
}

func TestRowsOfLeastRatioComeFirst(t *testing.T) {
	t.Parallel()
	at := func(seconds ...float64) (all []usage) {
		for _, s := range seconds {
			all = append(all, usage{seconds: s, mib: 10, correct: 7})
		}
		return all
	}
	got := table([]side{{name: "learnbench"}, {name: "peer"}, {name: "other"}}, []result{
		{row{name: "good", table: "uniform"}, [][]usage{at(1, 2, 4), at(3, 3, 9), nil}},
		{row{name: "bad", table: "letter"}, [][]usage{at(2, 2, 2), at(9, 9, 9), at(1, 4, 5)}},
	})
	require.Regexp(t, `(?s)bad +letter +2\.000 +10 +7 . +4\.50 +4\.50 +9\.000 +10 +7 . +0\.50 +2\.00 +1\.000.*good +20000 × 20 uniform +1\.000 +10 +7 . +3\.00 +1\.50 +3\.000`, got)
}

func TestWrongFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-turns", "0"}, {"-only", "("}, {"more"}, {"-x"}} {
		require.Error(t, run(t.Context(), args, &bytes.Buffer{}), "%v", args)
	}
}
