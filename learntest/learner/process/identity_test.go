package process

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The identity of a program has all that is known of it, and nothing of the place where it runs.
func TestIdentity(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program needs another name there")
	}
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	program := filepath.Join(bin, "forest")
	install := func(text string) { require.NoError(t, os.WriteFile(program, []byte(text), 0o777)) }
	install("#!/bin/sh\n")
	of := func(cfg Config) string {
		l, err := New(cfg)
		require.NoError(t, err)
		text, err := l.Identity()
		require.NoError(t, err)
		return text
	}
	cfg := Config{Args: []string{"forest", "-trees=10"}, Name: "forest", Depends: []string{}}
	was := of(cfg)
	require.Equal(t, was, of(cfg))
	for name, change := range map[string]func(c *Config){
		"an argument":    func(c *Config) { c.Args = []string{"forest", "-trees=11"} },
		"two arguments":  func(c *Config) { c.Args = []string{"forest", "-trees=1", "0"} },
		"a variable":     func(c *Config) { c.Env = []string{"THREADS=2"} },
		"another folder": func(c *Config) { c.Dir = "testdata" },
	} {
		other := cfg
		change(&other)
		assert.NotEqual(t, was, of(other), name)
	}
	install("#!/bin/sh\nexit 1\n")
	assert.NotEqual(t, was, of(cfg), "another program in PATH")

	// A virtual environment has the very interpreter in another place, and other packages.
	was = of(cfg)
	other := filepath.Join(t.TempDir(), "forest")
	require.NoError(t, os.Symlink(program, other))
	t.Setenv("PATH", filepath.Dir(other))
	assert.NotEqual(t, was, of(cfg), "the same program elsewhere in PATH")
	t.Setenv("PATH", bin)
	assert.Equal(t, was, of(cfg))

	// This very program has another path each time that go test runs it.
	self, err := os.Executable()
	require.NoError(t, err)
	assert.NotContains(t, of(Config{Args: []string{self, "x"}, Depends: []string{}}),
		filepath.Base(self))

	cfg.Depends = nil
	l, err := New(cfg)
	require.NoError(t, err)
	_, err = l.Identity()
	require.EqualError(t, err, "process.Config.Depends does not say what forest reads: []string{} is nothing but the files that its arguments name")
	require.NoError(t, os.Remove(program))
	cfg.Depends = []string{}
	l, err = New(cfg)
	require.NoError(t, err)
	_, err = l.Identity()
	require.ErrorContains(t, err, "forest")
}
