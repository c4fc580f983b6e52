package learnbench_test

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
)

// TestInstall does what a stranger does: in an empty module, with nothing but Go and a module
// proxy, it gets this module as a release, runs the test of the README, which takes the first
// command and none of what the commands are built from, installs the commands, and tidies up: tests
// and the gate of docs/ci.md go on as before.
func TestInstall(t *testing.T) {
	citest.Need(t, citest.Install)
	const version = "v0.1.0"
	dir, proxy := t.TempDir(), t.TempDir()
	release(t, proxy, version)
	own, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	cache, others, _ := strings.Cut(strings.TrimSpace(string(own)), "\n")
	env := append(os.Environ(),
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(cache, "cache", "download")+","+others,
		"GOMODCACHE="+filepath.Join(dir, "modules"), "GOBIN="+filepath.Join(dir, "bin"),
		"GOFLAGS=-modcacherw -trimpath -ldflags=-w", "GOSUMDB=off", "GOWORK=off") // compiled with what other tests have compiled
	home := filepath.Join(dir, "home")
	require.NoError(t, os.Mkdir(home, 0o777))
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = home, env
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
		return string(out)
	}
	run("go", "mod", "init", "example.com/model")
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, b := range block.FindAllStringSubmatch(string(readme), -1) {
		if b[1] == "go" {
			require.NoError(t, os.WriteFile(filepath.Join(home, "model_test.go"),
				[]byte(strings.Replace(b[2], "K: 100", "K: 6", 1)), 0o666))
		}
	}
	file := func(name string) string {
		text, err := os.ReadFile(filepath.Join(home, name))
		require.NoError(t, err)
		return string(text)
	}
	holds := func() {
		out := run("go", "test", "-v")
		require.Contains(t, out, "--- PASS: TestModelIsNoWorse")
		require.Contains(t, out, "2.00 points allowed: holds on this data set")
	}
	commands := 0
	for line := range strings.Lines(string(readme)) {
		command, _, _ := strings.Cut(line, "#")
		if words := strings.Fields(command); len(words) > 2 && words[0] == "go" &&
			(words[1] == "get" || words[1] == "install") {
			run("go", words[1:]...)
			if commands++; commands == 1 {
				holds()
				require.NotContains(t, file("go.mod"), "plot")
				require.NotContains(t, file("go.mod"), "progressbar")
			}
		}
	}
	require.Equal(t, 4, commands)
	run("go", "mod", "tidy")
	holds()
	require.Contains(t, file("go.mod"), "tool "+module+"/cmd/learnstat")
	gate(t, run, file)
	for _, command := range []string{"learnstat", "learnbench"} {
		require.Contains(t, run(filepath.Join(dir, "bin", command), "-version"),
			command+" "+version+" go")
	}
	run(filepath.Join(dir, "bin", "learnbench"), "run", "-data", "uci:iris", "-quiet", "-o",
		"results.txt", "nn", "naivebayes")
	require.Regexp(t, `(?m)^Toolchain: .* learnbench `+version+`$`, file("results.txt"))
}

// gate stores results and runs the command of docs/ci.md that compares them, with the model
// unchanged and with one that is worse.
func gate(t *testing.T, run func(name string, args ...string) string,
	file func(name string) string,
) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("docs", "ci.md"))
	require.NoError(t, err)
	text := func(pattern string) string {
		m := regexp.MustCompile(pattern).FindStringSubmatch(string(page))
		require.NotNil(t, m, pattern)
		return m[1]
	}
	store, compare := text("`(LEARNTEST_OUT=[^`]*)`"), text(`run: (go tool learnstat .*)`)
	const variables = `NEW="$PWD/new.txt" GITHUB_STEP_SUMMARY="$PWD/summary.md"; `
	run("sh", "-c", "mkdir testdata && "+store+" && "+strings.ReplaceAll(store, "testdata/results.txt",
		"new.txt"))
	run("sh", "-c", variables+compare)
	require.Contains(t, file("summary.md"),
		"### learnstat: 2 comparisons with a margin of 2.00 points of accuracy, and the gate passes\n")
	run("sed", "-i", `s/neighbor.Config{K: 6}))/neighbor.Config{K: 100})); changed.Name = "nn(k=6)"/`,
		"model_test.go")
	run("sh", "-c", strings.ReplaceAll(store, "testdata/results.txt", "new.txt")+" || true") // whatever its claims are
	run("sh", "-c", variables+"if "+compare+"; then exit 1; else test $? = 1; fi")
	require.Contains(t, file("summary.md"),
		"2 comparisons with a margin of 2.00 points of accuracy, and the gate fails on 1 (exit status 1)")
}

// release writes this module as a module proxy serves it.
func release(t *testing.T, proxy, version string) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	gomod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	write("list", version+"\n")
	write(version+".info", fmt.Sprintf(`{"Version":%q,"Time":"2026-11-22T00:00:00Z"}`, version))
	write(version+".mod", string(gomod))
	out, err := exec.Command("git", "ls-files", "-z").Output()
	require.NoError(t, err)
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	nested := make(map[string]bool)
	for _, name := range files {
		if dir, ok := strings.CutSuffix(name, "/go.mod"); ok {
			nested[dir] = true
		}
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	require.NoError(t, err)
	w := zip.NewWriter(f)
	for _, name := range files {
		if isBelow(name, nested) {
			continue
		}
		to, err := w.Create(module + "@" + version + "/" + name)
		require.NoError(t, err)
		from, err := os.Open(filepath.FromSlash(name))
		require.NoError(t, err)
		_, err = io.Copy(to, from)
		require.NoError(t, err)
		require.NoError(t, from.Close())
	}
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
}

// isBelow reports whether a file is in one of the directories or below it.
func isBelow(name string, dirs map[string]bool) bool {
	for i, c := range name {
		if c == '/' && dirs[name[:i]] {
			return true
		}
	}
	return false
}
