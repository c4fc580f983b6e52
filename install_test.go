package learnbench_test

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInstall does what a stranger does: in an empty module, with nothing but Go and a
// module proxy, it gets this module as a release, runs the test of the README, and
// installs the commands.
func TestInstall(t *testing.T) {
	if os.Getenv("LEARNBENCH_INSTALL") == "" {
		t.Skip("LEARNBENCH_INSTALL is not set: it downloads and builds all there is")
	}
	const version = "v0.1.0"
	dir, proxy := t.TempDir(), t.TempDir()
	release(t, proxy, version)
	own, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	cache, others, _ := strings.Cut(strings.TrimSpace(string(own)), "\n")
	env := append(os.Environ(),
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(cache, "cache", "download")+","+others,
		"GOMODCACHE="+filepath.Join(dir, "modules"), "GOBIN="+filepath.Join(dir, "bin"), "GOFLAGS=-modcacherw", "GOSUMDB=off", "GOWORK=off")
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
	for line := range strings.Lines(string(readme)) {
		command, _, _ := strings.Cut(line, "#")
		if words := strings.Fields(command); len(words) > 2 && words[0] == "go" && (words[1] == "get" || words[1] == "install") {
			run("go", words[1:]...)
		}
	}
	for _, b := range block.FindAllStringSubmatch(string(readme), -1) {
		if b[1] == "go" {
			require.NoError(t, os.WriteFile(filepath.Join(home, "model_test.go"), []byte(b[2]), 0o666))
		}
	}
	out := run("go", "test", "-v")
	require.Contains(t, out, "--- PASS: TestNearestBeatsBayes")
	require.Contains(t, out, "nn vs naivebayes on vehicle: improved")
	for _, command := range []string{"learnstat", "learnbench"} {
		require.Contains(t, run(filepath.Join(dir, "bin", command), "-version"), command+" "+version+" go")
	}
	run(filepath.Join(dir, "bin", "learnbench"), "run", "-data", "uci:iris", "-quiet", "-o", "results.txt", "nn", "naivebayes")
	results, err := os.ReadFile(filepath.Join(home, "results.txt"))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^Toolchain: .* learnbench `+version+`$`, string(results))
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
