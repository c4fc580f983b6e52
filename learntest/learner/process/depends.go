package process

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
)

// openDepends opens the files that a program is known to read, so that go test learns that the
// outcome depends on them.
func openDepends(cfg Config) error {
	cached := gotest.MayBeCached()
	if cached && cfg.Depends == nil {
		return fmt.Errorf("%w: %s: go test may cache the outcome and does not see what another process reads: add -count=1, or name the files in Depends", ErrConfig, cfg.Name)
	}
	files, err := argumentFiles(cfg)
	if err != nil {
		return err
	}
	for _, path := range append(files, cfg.Depends...) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(cfg.Dir, path)
		}
		if err := gotest.OpenAll(path); err != nil {
			return fmt.Errorf("%w: %s depends on what cannot be opened: %w", ErrConfig, cfg.Name, err)
		}
		if cached && !gotest.InModule(path) {
			return fmt.Errorf("%w: %s depends on %s, which is outside the module, where go test does not look: add -count=1", ErrConfig, cfg.Name, path)
		}
	}
	return nil
}

// Files returns the files and directories that the program is known to read: files in its
// arguments, the program itself unless it was found in PATH, and Config.Depends.
func (l *Learner) Files() []string {
	files, err := argumentFiles(l.cfg)
	if err != nil {
		return nil
	}
	files = append(files, l.cfg.Depends...)
	if self, err := os.Executable(); err == nil && slices.Contains(l.cfg.Args, self) {
		files = append(files, self)
	}
	for i, path := range files {
		if !filepath.IsAbs(path) {
			files[i] = filepath.Join(l.cfg.Dir, path)
		}
	}
	return files
}

// argumentFiles returns the files that the arguments name, also behind a =, and
// that the program is, unless it was found in PATH. This program itself is left out:
// go test knows it.
func argumentFiles(cfg Config) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	var files []string
	for i, arg := range cfg.Args {
		if arg == self || i == 0 && !strings.ContainsAny(arg, `/\`) {
			continue
		}
		_, value, _ := strings.Cut(arg, "=")
		for _, path := range []string{arg, value} {
			full := path
			if !filepath.IsAbs(path) {
				full = filepath.Join(cfg.Dir, path)
			}
			if info, err := os.Stat(full); path != "" && err == nil && info.Mode().IsRegular() {
				files = append(files, path)
			}
		}
	}
	return files, nil
}

// Identity returns a text that tells the program from others of its name: its arguments, directory
// and variables, and the path and digest of the program that was found in PATH. The error says what
// of it is not known, such as the files that it reads if Config.Depends is nil.
func (l *Learner) Identity() (string, error) {
	cfg := l.cfg
	if cfg.Depends == nil {
		return "", fmt.Errorf("process.Config.Depends does not say what %s reads: []string{} is nothing but the files that its arguments name", cfg.Name)
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	args, dir := slices.Clone(cfg.Args), cfg.Dir
	for i, arg := range args {
		if arg == self {
			args[i] = "\x00" // which the digest of the program stands for
		}
	}
	if here, err := os.Getwd(); err == nil && dir != "" {
		if rel, err := filepath.Rel(here, dir); err == nil {
			dir = rel
		}
	}
	program := ""
	if cfg.Args[0] != self {
		path, err := exec.LookPath(cfg.Args[0])
		if err != nil {
			return "", err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		program = fmt.Sprintf("%x", sha256.Sum256(content))
		if !strings.ContainsAny(cfg.Args[0], `/\`) {
			program += " " + path // an interpreter has other packages beside it in another environment
		}
	}
	return fmt.Sprintf("%q %q %q %s", args, dir, cfg.Env, program), nil
}
