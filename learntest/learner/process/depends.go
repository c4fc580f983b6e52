package process

import (
	"fmt"
	"io/fs"
	"os"
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
		if err := openAll(path); err != nil {
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

// openAll opens a file, or a directory with all that is below it.
func openAll(path string) error {
	return filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0 {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return f.Close()
	})
}
