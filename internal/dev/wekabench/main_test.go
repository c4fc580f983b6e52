//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/record"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"-pairs 0":               "0 pairs of 10 runs: want at least one",
		"-order random":          `order "random": want weka or free`,
		"-warm -1":               "-1 seconds: want a positive number",
		"data":                   `unexpected argument "data"`,
		"-warm 1 -sklearn":       "-warm measures Weka only: leave out -sklearn",
		"-sklearn -python /none": "no scikit-learn: /none: ",
		"-weka /none/weka.jar":   "no Weka: stat /none/weka.jar: no such file or directory",
		"-data /none":            "anneal.arff: no such file or directory",
	} {
		err := run(t.Context(), strings.Fields(args), &strings.Builder{})
		assert.ErrorContains(t, err, want)
	}
	var help strings.Builder
	require.NoError(t, run(t.Context(), []string{"-h"}, &help))
	assert.Contains(t, help.String(), "-pairs N")
}

// TestRivals runs one data set on both sides where the rivals are installed.
func TestRivals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args    []string
		missing string // beginning of the error if the rival is not there
		sets    int
		rivals  int
		want    string
	}{
		"weka": {nil, "no Weka", 14, 3, "accuracies that differ from Weka's: none"},
		"sklearn": {
			[]string{"-sklearn", "-python", "/usr/bin/python3"},
			"no scikit-learn", 7, 1,
			"percent correct, learnbench's and its: c45 9",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := parse(append(test.args, "-data", "", "-pairs", "1", "-runs", "1"))
			require.NoError(t, err)
			s, err := prepare(t.Context(), c, t.TempDir())
			if err != nil && (strings.HasPrefix(err.Error(), test.missing) ||
				errors.Is(err, exec.ErrNotFound)) {
				t.Skip(err)
			}
			require.NoError(t, err)
			require.Len(t, s.rivals, test.rivals)
			assert.Len(t, s.files, test.sets)
			s.files = slices.DeleteFunc(s.files,
				func(f string) bool { return filepath.Base(f) != "iris.arff" })
			our, theirs, err := s.round(t.Context(), 0)
			require.NoError(t, err)
			require.Len(t, theirs, test.rivals)
			assert.Positive(t, our.cpu)
			for i := range s.rivals {
				assert.Positive(t, theirs[i].cpu)
				about, err := s.agreement(i, c)
				require.NoError(t, err)
				assert.Contains(t, about, test.want)
			}
		})
	}
}

func TestAccuraciesThatDiffer(t *testing.T) {
	t.Parallel()
	cell := record.Cell{Data: "iris", Learner: "nn", Run: 1, Fold: 1}
	one := func(correct int) map[record.Cell]counts {
		return map[record.Cell]counts{cell: {
			9,
			8, correct,
		}}
	}
	assert.Equal(t, "percent correct, learnbench's and its: nn 75.0 and 50.0",
		accuracies(one(6), one(4)))
}

func TestBuiltInDataAreWritten(t *testing.T) {
	t.Parallel()
	files, err := dataFiles(sets, "", t.TempDir())
	require.NoError(t, err)
	require.Len(t, files, 14)
	for _, f := range files {
		got, err := dataset.Open(f, dataset.ReadOptions{})
		require.NoError(t, err)
		want, err := uci.Load(strings.TrimSuffix(filepath.Base(f), ".arff"))
		require.NoError(t, err)
		assert.Equal(t, want.Name(), got.Name())
		assert.Equal(t, digest(t, want), digest(t, got))
	}
}

func digest(t *testing.T, table *dataset.Table) string {
	t.Helper()
	d, err := table.Digest()
	require.NoError(t, err)
	return d
}

func TestFilesAreThoseOfTheDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range sets {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".arff"), nil, 0o666))
	}
	files, err := dataFiles(sets, dir, t.TempDir())
	require.NoError(t, err)
	require.Len(t, files, 27)
	assert.Equal(t, filepath.Join(dir, "zoo.arff"), files[26])
}
