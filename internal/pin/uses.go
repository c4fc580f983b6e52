package pin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// uses returns whether an experiment is of a test that compares a learner with the reference. It is
// nil if none of the experiments is, which tests of Go cannot be unless the learners are named:
// nobody could say which of their results are meant.
func (m *Move) uses(experiments []*record.Block) (func(e *record.Block, learner string) bool,
	error,
) {
	dir, module, err := moduleOf(m.Reference)
	if err != nil {
		return nil, err
	}
	reference, err := filepath.Abs(m.Reference)
	if err != nil {
		return nil, err
	}
	uses := func(e *record.Block, learner string) bool {
		return slices.ContainsFunc(e.Header.Of(learner).Against(), func(used string) bool {
			below, ok := cutModule(e.Header.Pkg, module)
			if !ok { // another module, or none is known
				return strings.HasSuffix(filepath.ToSlash(reference), "/"+path.Clean(used))
			}
			return filepath.Join(dir, filepath.FromSlash(below), filepath.FromSlash(used)) == reference
		})
	}
	ofTests := ""
	for _, e := range experiments {
		if slices.ContainsFunc(e.Learners, func(l string) bool { return uses(e, l) }) {
			return uses, nil
		}
		if e.Header.Test != "" {
			ofTests = fmt.Sprint(e.Header.Identity())
		}
	}
	if ofTests != "" && len(m.Learners) == 0 {
		if _, err := os.Stat(m.Reference); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("no test in %s compares with %s, such as %s: check the path, or name the learners with -learner", m.Results, m.Reference, ofTests)
		}
	}
	return nil, nil
}

// cutModule returns the part of an import path behind the path of the module.
func cutModule(pkg, module string) (below string, ok bool) {
	if module == "" {
		return "", false
	}
	if pkg == module {
		return "", true
	}
	return strings.CutPrefix(pkg, module+"/")
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// moduleOf returns the directory and the import path of the module that a file is in; both are
// empty if it is in none.
func moduleOf(file string) (dir, module string, err error) {
	if dir, err = filepath.Abs(filepath.Dir(file)); err != nil {
		return "", "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			m := moduleLine.FindSubmatch(text)
			if m == nil {
				return "", "", fmt.Errorf("%s names no module", filepath.Join(dir, "go.mod"))
			}
			return dir, string(m[1]), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", "", nil
		}
		dir = parent
	}
}
