package learntest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/storage"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestManyProcessesStoreAtOnce runs one test in many processes, and many tests, with
// one destination.
func TestManyProcessesStoreAtOnce(t *testing.T) {
	t.Parallel()
	const processes = 16
	p := built(t)
	for _, place := range []string{"file", "directory"} {
		for _, tests := range []int{1, processes} {
			t.Run(fmt.Sprintf("%d in a %s", tests, place), func(t *testing.T) {
				t.Parallel()
				out := filepath.Join(t.TempDir(), "results.txt")
				if place == "directory" {
					out = t.TempDir()
				}
				old := earlier(t, out, 2, "e1")
				cmds := make([]*exec.Cmd, processes)
				texts := make([]strings.Builder, processes)
				data := make([]string, tests)
				for i := range cmds {
					data[i%tests] = fmt.Sprintf("data-%d", i%tests)
					cmds[i] = p.test(t.Context(), out, "-test.run=^TestShared$", "-test.v")
					cmds[i].Env = append(cmds[i].Env, "SYSTEM_DATA="+data[i%tests])
					cmds[i].Stdout, cmds[i].Stderr = &texts[i], &texts[i]
				}
				for _, cmd := range cmds {
					require.NoError(t, cmd.Start())
				}
				for i, cmd := range cmds {
					assert.NoError(t, cmd.Wait(), texts[i].String())
					assert.NotContains(t, texts[i].String(), "interrupted",
						"a run that has not ended is taken for one that was")
				}
				requireNothingBeside(t, out)
				require.Contains(t, blockTexts(t, out), old[0])
				requireShared(t, out, data...)
				if place == "directory" {
					assert.Len(t, resultFiles(t, out), 1+tests)
				}
			})
		}
	}
}

// requireShared checks that the results of TestShared are there once, and complete.
func requireShared(t *testing.T, out string, data ...string) {
	t.Helper()
	f := open(t, out)
	require.Len(t, f.Experiments(), 1+len(data))
	for _, name := range data {
		found := 0
		for _, e := range f.Experiments() {
			if e.Header.Data != name {
				continue
			}
			found++
			assert.Equal(t, "TestShared", e.Header.Test)
			assert.Equal(t, "github.com/learnbench/learnbench/learntest/testdata/system", e.Header.Pkg)
			assert.Equal(t, []string{"first", "baseline", "second"}, e.Learners)
			cells := make(map[string]int)
			for _, trial := range trials(e) {
				cells[trial.Learner]++
			}
			assert.Equal(t, map[string]int{"first": 20, "baseline": 20, "second": 10}, cells)
		}
		assert.Equal(t, 1, found, name)
	}
}

// A test that runs several times, on several numbers of processors, is one
// experiment.
func TestRepeatedTestIsStoredOnce(t *testing.T) {
	t.Parallel()
	p := built(t)
	for _, place := range []string{"file", "directory"} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "results.txt")
			if place == "directory" {
				out = t.TempDir()
			}
			old := earlier(t, out, 2, "e1")
			cmd := p.test(t.Context(), out, "-test.run=^TestShared$", "-test.count=3", "-test.cpu=1,2",
				"-test.v")
			text, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", text)
			assert.Equal(t, 6, strings.Count(string(text), "=== RUN "), "%s", text)
			requireNothingBeside(t, out)
			requireShared(t, out, "numbers")
			texts := blockTexts(t, out)
			assert.Contains(t, texts, old[0])
			baselines := 0
			for _, block := range texts {
				baselines += strings.Count(block, "/learner=baseline/run=1/fold=1 ")
			}
			assert.Equal(t, 1, baselines)
		})
	}
}

// A test that contradicts itself fails, says where, and stores nothing of the
// comparison that contradicts the first one.
func TestDisagreeingComparisonsFailTheTest(t *testing.T) {
	t.Parallel()
	p := built(t)
	source, err := os.ReadFile(filepath.Join("testdata", "system", "system_test.go"))
	require.NoError(t, err)
	var lines []any
	for i, line := range strings.Split(string(source), "\n") {
		if regexp.MustCompile(`// (one|other) baseline$`).MatchString(line) {
			lines = append(lines, i+1)
		}
	}
	require.Len(t, lines, 2)
	out := filepath.Join(t.TempDir(), "results.txt")
	old := earlier(t, out, 2, "e1")
	between := filepath.Join(t.TempDir(), "between.txt")
	for range 2 { // the second time, there is what the first time has left
		cmd := p.test(t.Context(), out, "-test.run=^TestDisagreeing$")
		cmd.Env = append(cmd.Env, "SYSTEM_COPY="+between)
		text, err := cmd.CombinedOutput()
		require.Error(t, err)
		assert.Equal(t, 1, cmd.ProcessState.ExitCode())
		assert.Contains(t, string(text),
			fmt.Sprintf("learntest.CompareWith: the comparisons at system_test.go:%d and system_test.go:%d of this test are both of data set numbers", lines...))
		assert.Contains(t, string(text), "learner baseline, run 1, fold ")
		assert.Equal(t, 1, strings.Count(string(text), "learntest.CompareWith: "), "%s", text)
		want, err := os.ReadFile(between)
		require.NoError(t, err)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		partials, err := storage.Partials(out)
		require.NoError(t, err)
		require.Len(t, partials, 1, "the result file lacks findings of the test")
		assert.False(t, partials[0].Live)
		require.Contains(t, blockTexts(t, out), old[0])
		f := open(t, out)
		require.Len(t, f.Blocks(), 2)
		assert.Equal(t, []string{"first", "baseline"}, f.Blocks()[1].Learners)
	}
}
