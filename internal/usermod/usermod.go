// Package usermod makes modules as users of this one have them, for tests that run the
// go command in one.
package usermod

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const path = "github.com/learnbench/learnbench"

// Write writes the go.mod and the go.sum of a module with the given path into dir. It
// requires this module, whose root directory it has in its place, in the version
// that is there, and asks for nothing that this module does not.
func Write(dir, module, root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(own, []byte("\n"))
	if string(head) != "module "+path || !ok {
		return fmt.Errorf("%s is not the root of %s", root, path)
	}
	text := fmt.Sprintf("module %s\n%s\nrequire %s v0.0.0\n\nreplace %[3]s => %s\n", module,
		rest, path, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666)
}

// Environment returns variables for commands in such a module: without the network,
// with the caches of the go command that runs the tests, with what makes linking fast,
// and with a name for git.
func Environment() ([]string, error) {
	cmd := exec.Command("go", "env", "GOCACHE", "GOMODCACHE")
	cmd.Dir = os.TempDir() // the working directory may go while tests change it
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	build, modules, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return []string{
		"GOCACHE=" + build, "GOMODCACHE=" + modules, "GOFLAGS=-mod=mod -ldflags=-w -vet=off",
		"GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=author", "GIT_AUTHOR_EMAIL=author@example.com", "GIT_COMMITTER_NAME=author",
		"GIT_COMMITTER_EMAIL=author@example.com",
	}, nil
}

// Repeated returns [Environment] for modules whose tests run many times: equal programs are linked
// once, and GOFLAGS has more flags. With -trimpath, equal packages in other directories are compiled
// once, and make equal programs. root is the directory of this module; dir, which must be there, gets
// the programs.
func Repeated(root, dir string, flags ...string) ([]string, error) {
	env, err := Environment()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "linkonce")
	if err := Build(root, "internal/usermod/linkonce", program); err != nil {
		return nil, err
	}
	for i, kv := range env {
		if strings.HasPrefix(kv, "GOFLAGS=") {
			env[i] = strings.Join(append([]string{kv, "-toolexec=" + program}, flags...), " ")
		}
	}
	return env, nil
}

// Build builds a program of this module, whose directory is root, at path. go run keeps programs in
// the build cache, as go build does not.
func Build(root, pkg, path string) error {
	args := []string{"run", "-exec=cp", "./" + pkg, path}
	if runtime.GOOS == "windows" {
		args = []string{"build", "-o", path + ".exe", "./" + pkg}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %v: %w: %s", args, err, out)
	}
	return nil
}
