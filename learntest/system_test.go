package learntest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

// programs are the paths of the commands and of the test binary of testdata/system.
type programs struct{ learnbench, learnstat, tests string }

// buildDir is where the programs are; empty until one is built. TestMain removes it.
var buildDir string

var makeBuildDir = sync.OnceValues(func() (dir string, err error) {
	buildDir, err = os.MkdirTemp("", "learntest-system-")
	return buildDir, err
})

// linkedOnce are the variables of [usermod.Repeated], whose binaries all tests share.
var linkedOnce = sync.OnceValues(func() (env []string, err error) {
	dir, err := makeBuildDir()
	if err != nil {
		return nil, err
	}
	return usermod.Repeated("..", dir)
})

var build = sync.OnceValues(func() (p programs, err error) {
	dir, err := makeBuildDir()
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	if err != nil {
		return p, err
	}
	p.learnbench, p.learnstat = filepath.Join(dir, "learnbench"+suffix),
		filepath.Join(dir, "learnstat"+suffix)
	p.tests = filepath.Join(dir, "system.test"+suffix)
	for _, args := range [][]string{
		{
			"build", "-ldflags=-s -w", "-o", dir + string(filepath.Separator), "../cmd/learnbench",
			"../cmd/learnstat",
		},
		{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", p.tests, "./testdata/system"},
	} {
		if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return p, fmt.Errorf("go %v: %w\n%s", args, err, text)
		}
	}
	return p, nil
})

// built returns the programs, which are built for the first test that asks for them.
func built(t *testing.T) programs {
	t.Helper()
	citest.Need(t, citest.Slow)
	p, err := build()
	require.NoError(t, err)
	return p
}

// test returns the command that runs tests with a result file.
func (p *programs) test(ctx context.Context, out string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.tests, args...)
	cmd.Env = append(os.Environ(), "LEARNTEST_OUT="+out)
	return cmd
}

// mustSucceed runs a command.
func mustSucceed(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
}

// earlier stores results of experiments that the programs do not run, and returns
// the texts of their blocks. They take some 1000 bytes for each 10 runs.
func earlier(t *testing.T, out string, runs int, names ...string) []string {
	t.Helper()
	for _, name := range names {
		xs, ys := make([]int, 30), make([]bool, 30)
		for i := range xs {
			xs[i], ys[i] = i, i%2 == 1
		}
		cfg := Config{Protocol: split.CV(runs, 5), Results: Results{
			Out: out, Pkg: "example.com/earlier",
			Test: "TestEarlier",
		}}
		mustRun(t, Examples(name, xs, ys), cfg, guesser("a"), constant("odd", true))
	}
	var texts []string
	for _, text := range blockTexts(t, out) {
		if strings.HasPrefix(text, "pkg: example.com/earlier\n") {
			texts = append(texts, text)
		}
	}
	require.NotEmpty(t, texts)
	return texts
}

// blockTexts returns the texts of the blocks of a result file, or of those in a
// directory.
func blockTexts(t *testing.T, out string) []string {
	t.Helper()
	var texts []string
	for _, path := range resultFiles(t, out) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for i, block := range strings.Split("\n"+string(text), "\nlearnbench-format: 2\n") {
			if i > 0 {
				texts = append(texts, strings.TrimRight(block, "\n"))
			}
		}
	}
	return texts
}

func resultFiles(t *testing.T, out string) []string {
	t.Helper()
	if info, err := os.Stat(out); err != nil || !info.IsDir() {
		return []string{out}
	}
	files, err := filepath.Glob(filepath.Join(out, "*.txt"))
	require.NoError(t, err)
	return files
}

// requireNothingBeside checks that there is no file but result files.
func requireNothingBeside(t *testing.T, out string) {
	t.Helper()
	dir := filepath.Dir(out)
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		dir = out
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, filepath.Join(dir, e.Name()))
	}
	require.Equal(t, resultFiles(t, out), names)
}

// checksums returns what the blocks on the given data sets hold, times apart, by
// experiment.
func checksums(f *record.File, data ...string) map[string][]string {
	sums := make(map[string][]string)
	for _, b := range f.Blocks() {
		if slices.Contains(data, b.Header.Data) {
			id := b.Header.Identity().String()
			sums[id] = append(sums[id], fmt.Sprint(b.Learners, b.Len(), b.Checksum()))
		}
	}
	return sums
}
