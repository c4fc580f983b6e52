// Package starter writes what a module needs to guard its first model: a test, and a workflow.
package starter

import (
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/revision"
)

// A Start says about which model to write a test, and into which directory.
type Start struct {
	Dir   string // of the package
	CSV   string // the data
	Label string // the column to be predicted
	Group string // the column that says which rows belong together; may be empty

	// Type names a struct of the package with the tags of learntest.CSV, and Learner a function
	// that returns its learner. If empty, the examples are rows of a table, and a learner of tables
	// is written.
	Type, Learner string

	CI string // github, gitlab or none
}

const baselinePath = "testdata/baseline.txt"

// Write writes all files, and returns their paths and the name of the test. If there is an error,
// as where a file is there already, nothing is written.
func (s *Start) Write() (files []string, test string, err error) {
	root := gotest.ModuleRoot(s.Dir)
	if root == "" {
		return nil, "", errors.New("there is no go.mod here or above: go mod init example.com/model makes one")
	}
	p, err := readPackage(s.Dir)
	if err != nil {
		return nil, "", err
	}
	m, err := s.model(root, p)
	if err != nil {
		return nil, "", err
	}
	text, err := format.Source([]byte(m.text()))
	if err != nil {
		return nil, "", fmt.Errorf("the test cannot be written for these names: %w", err)
	}
	all := []file{{filepath.Join(s.Dir, m.file), string(text)}}
	if s.CI != "none" {
		f, err := workflow(s.CI, root)
		if err != nil {
			return nil, "", err
		}
		all = append(all, f)
	}
	return write(s.Dir, all, m)
}

// A file is one to be written.
type file struct{ path, text string }

// write writes the files, none of which is there.
func write(dir string, all []file, m *model) ([]string, string, error) {
	wanted := []string{filepath.Join(dir, filepath.FromSlash(baselinePath))}
	for _, f := range all {
		wanted = append(wanted, f.path)
	}
	for at, path := range wanted { // the baseline, the test, the workflow
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			help := "move it away, or do without init"
			if at > 1 {
				help = "-ci none writes the test alone"
			}
			return nil, "", fmt.Errorf("%s is there already, and nothing is overwritten: %s", path, help)
		}
	}
	if err := os.MkdirAll(filepath.Dir(wanted[0]), 0o777); err != nil {
		return nil, "", err
	}
	var written []string
	for _, f := range all {
		err := os.MkdirAll(filepath.Dir(f.path), 0o777)
		if err == nil {
			err = create(f)
		}
		if err != nil {
			for _, path := range written {
				err = errors.Join(err, os.Remove(path))
			}
			return nil, "", err
		}
		written = append(written, f.path)
	}
	return written, m.test, nil
}

// create writes a file unless there is one of its name.
func create(f file) error {
	out, err := os.OpenFile(f.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = out.WriteString(f.text)
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, os.Remove(f.path))
	}
	return nil
}

// workflow returns the file that has CI run the tests, and keep the build cache from run to run.
func workflow(ci, module string) (file, error) {
	root, err := repository(module)
	if err != nil {
		root = module
	}
	real, err := filepath.EvalSymlinks(module)
	if err != nil {
		return file{}, err
	}
	below, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(below) {
		root, below = module, "."
	}
	below = filepath.ToSlash(below)
	switch ci {
	case "github":
		text := github
		if below != "." {
			text = strings.Replace(text, "    steps:\n",
				fmt.Sprintf("    defaults: {run: {working-directory: %q}}\n    steps:\n", below), 1)
			text = strings.Replace(text, "go-version-file: go.mod", fmt.Sprintf("go-version-file: %q",
				below+"/go.mod"), 1)
		}
		return file{filepath.Join(root, ".github", "workflows", "guard.yml"), text}, nil
	case "gitlab":
		text := gitlab
		if below != "." {
			text = strings.Replace(text, "  script:\n", fmt.Sprintf("  script:\n    - cd '%s'\n",
				strings.ReplaceAll(below, "'", `'\''`)), 1)
		}
		return file{filepath.Join(root, ".gitlab-ci.yml"), text}, nil
	}
	return file{}, fmt.Errorf("-ci %s: write github, gitlab or none", ci)
}

// github is the workflow of docs/cache.md.
const github = `# .github/workflows/guard.yml
on: [push, pull_request]
permissions: {contents: read}
jobs:
  guard:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - {uses: actions/setup-go@v6, with: {go-version-file: go.mod, cache: false}}
      - uses: actions/cache@v5
        with: {path: ~/.cache/go-build, key: "go-build-${{ github.run_id }}", restore-keys: go-build-}
      - run: go tool learnbench ci-times
      - run: go test ./...
        env: {LEARNTEST_SETTLE: "0.01"} # stop if the other runs decide otherwise in at most 1% of cases
`

const gitlab = `# .gitlab-ci.yml
guard:
  image: golang:1.26
  variables: {GOCACHE: "$CI_PROJECT_DIR/.cache/go-build", GOMODCACHE: "$CI_PROJECT_DIR/.cache/go-mod", LEARNTEST_SETTLE: "0.01"}
  cache: {key: go-build, paths: [.cache]}
  script:
    - go tool learnbench ci-times
    - go test ./...
`

// Commands returns the three commands that follow in a directory. Files that are not committed,
// wherever in the repository, would make a baseline of no commit.
func Commands(dir, test string) []string {
	all := "."
	if root, err := repository(dir); err == nil && !sameDir(root, dir) {
		all = ":/"
	}
	return []string{
		"go get -tool github.com/learnbench/learnbench/cmd/learnbench && go mod tidy",
		fmt.Sprintf("git add -A %s && git commit -m 'a model and its test'", all),
		fmt.Sprintf("LEARNTEST_UPDATE=1 go test -count=1 -run '^%s$' . && git add %s && git commit -m 'its baseline'", test, filepath.ToSlash(filepath.Dir(baselinePath))),
	}
}

// repository returns the root of the repository that a directory is in.
func repository(dir string) (string, error) {
	out, err := revision.Git(dir, "rev-parse", "--show-toplevel")
	return filepath.FromSlash(strings.TrimSpace(string(out))), err
}

// sameDir reports whether two paths are of one directory.
func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}
