//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"-pairs 0":             "0 pairs of 10 runs: want at least one",
		"-order random":        `order "random": want weka or free`,
		"-warm -1":             "-1 seconds: want a positive number",
		"data":                 `unexpected argument "data"`,
		"-weka /none/weka.jar": "no Weka: stat /none/weka.jar: no such file or directory",
		"-data /none":          "anneal.arff: no such file or directory",
	} {
		err := run(t.Context(), strings.Fields(args), &strings.Builder{})
		assert.ErrorContains(t, err, want)
	}
	var help strings.Builder
	require.NoError(t, run(t.Context(), []string{"-h"}, &help))
	assert.Contains(t, help.String(), "-pairs N")
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
