package lab

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func newStore(t *testing.T, path string) *store {
	t.Helper()
	s, err := openStore(path)
	require.NoError(t, err)
	return s
}

func TestStoreKeepsNumbers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "scores")
	want := map[string][]float64{
		"a b": {0.1, -2, math.Pi}, "c": {},
		"d": {math.Inf(1), math.SmallestNonzeroFloat64},
	}
	s := newStore(t, path)
	for k, v := range want {
		require.NoError(t, s.put(k, v))
	}
	check := func(s *store) {
		t.Helper()
		for k, v := range want {
			got, ok, err := s.get(k)
			require.NoError(t, err)
			require.True(t, ok, k)
			require.Equal(t, v, got)
		}
		_, ok, err := s.get("e")
		require.NoError(t, err)
		require.False(t, ok)
	}
	check(s)
	require.NoError(t, s.close())
	s = newStore(t, path)
	check(s)
	require.ErrorIs(t, s.put("tab\t", nil), ErrStore)
	require.NoError(t, s.close())
}

// Wherever a kill cuts the file off, complete lines remain, and later lines follow them.
func TestStoreBearsToBeCutOffAnywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	s := newStore(t, whole)
	require.NoError(t, s.put("first", []float64{1, 2}))
	first := int(s.end)
	require.NoError(t, s.put("second", []float64{3}))
	require.NoError(t, s.close())
	text, err := os.ReadFile(whole)
	require.NoError(t, err)
	for n := range len(text) + 1 {
		if n%5 != 0 && text[max(n, 1)-1] != '\n' && n > len(storeHead) {
			continue // a sync of the disk each
		}
		path := filepath.Join(dir, "cut")
		require.NoError(t, os.WriteFile(path, text[:n], 0o666))
		s := newStore(t, path)
		_, ok, err := s.get("first")
		require.NoError(t, err)
		require.Equal(t, n >= first, ok, "%d bytes", n)
		_, ok, err = s.get("second")
		require.NoError(t, err)
		require.Equal(t, n == len(text), ok, "%d bytes", n)
		for k, v := range map[string]float64{"first": 1, "second": 3} {
			if _, ok, _ := s.get(k); !ok {
				x := []float64{v}
				if k == "first" {
					x = append(x, 2)
				}
				require.NoError(t, s.put(k, x))
			}
		}
		require.NoError(t, s.close())
		s = newStore(t, path)
		require.Len(t, s.at, 2)
		require.NoError(t, s.close())
	}
}

func TestStoreRefusesWhatIsNotOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	refused := func(text, want string) {
		t.Helper()
		path := filepath.Join(dir, "bad")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := openStore(path)
		require.ErrorIs(t, err, ErrStore)
		require.ErrorContains(t, err, want)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(after), "a file that is refused is left alone")
	}
	refused("my notes", "not a file of scores: name another file")
	refused("my notes\nand more", "bad:1: not scores of this version of studies")
	refused("learnbench-study: 0\n", "bad:1: not scores of this version")
	refused(storeHead+"a\tb\n", "bad:2: 2 fields")
	good := filepath.Join(dir, "good")
	s := newStore(t, good)
	require.NoError(t, s.put("a", []float64{1, 2, 3}))
	require.NoError(t, s.close())
	text, err := os.ReadFile(good)
	require.NoError(t, err)
	line := strings.TrimPrefix(string(text), storeHead)
	for i := range len(line) - 1 {
		changed := []byte(storeHead + line)
		changed[len(storeHead)+i] ^= 1
		if c := changed[len(storeHead)+i]; c == '\n' || c == '\t' {
			continue
		}
		path := filepath.Join(dir, "changed")
		require.NoError(t, os.WriteFile(path, changed, 0o666))
		_, err := openStore(path)
		require.ErrorIs(t, err, ErrStore, "byte %d", i)
		require.ErrorContains(t, err, "changed:2: ")
	}
}

func TestStoreIsForOneStudyAtATime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "scores")
	s := newStore(t, path)
	_, err := openStore(path)
	require.ErrorIs(t, err, ErrStore)
	require.ErrorContains(t, err, "in use by another study")
	require.NoError(t, s.close())
	s = newStore(t, path)
	require.NoError(t, s.close())
}

// A Part of a line goes when the file is opened, not when something is added.
func TestStoreCutsOffAPartOfALine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "scores")
	require.NoError(t, os.WriteFile(path, []byte(storeHead+"key\t01234567\tabc"), 0o666))
	s := newStore(t, path)
	require.Empty(t, s.at)
	require.NoError(t, s.close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, storeHead, string(text))
}
