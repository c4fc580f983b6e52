package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckFindsFaultsOfOneSystem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, text string
		target     string
		fault      string
	}{
		"sound":             {"a.go", "package a\n\nconst Large = 1 << 40\n", "linux/386", ""},
		"large for 32 bits": {"a.go", "package a\n\nvar Large int = 1 << 40\n", "linux/386", "overflow"},
		"large in a test": {
			"a_test.go", "package a\n\nvar large int = 1 << 40\n", "linux/386",
			"overflow",
		},
		"fits 64 bits": {"a.go", "package a\n\nvar Large int = 1 << 40\n", "windows/amd64", ""},
		"only there": {
			"a_windows.go", "package a\n\nvar X = missing\n", "windows/amd64",
			"undefined: missing",
		},
		"not there": {"a_windows.go", "package a\n\nvar X = missing\n", "darwin/arm64", ""},
		"call of the system": {
			"a.go", "package a\n\nimport \"syscall\"\n\nvar X = syscall.Umask\n",
			"windows/amd64", "Umask",
		},
		"no system": {"a.go", "package a\n", "windows", "GOOS/GOARCH"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"),
				[]byte("module example.com/a\n\ngo 1.26\n"), 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "whole.go"), []byte("package a\n"), 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o666))
			_, err := check(dir, c.target)
			if c.fault == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.fault)
		})
	}
}

func TestCheckNeedsPackages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module example.com/a\n\ngo 1.26\n"), 0o666))
	_, err := check(dir, "linux/386")
	require.Error(t, err)
}
