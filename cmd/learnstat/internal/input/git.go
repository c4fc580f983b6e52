package input

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/internal/revision"
	"github.com/learnbench/learnbench/learntest/record"
)

// A version is the text of a file in a commit.
type version struct {
	commit string // that has stored the text
	text   []byte
}

// Versions returns a source for each commit of HEAD's history that has changed a file, the oldest
// first, and one for the file itself if it was changed since.
func Versions(path string) ([]Source, error) {
	dir, base := filepath.Split(path)
	git := func(args ...string) ([]byte, error) { return revision.Git(dir, args...) }
	shallow, err := git("rev-parse", "--is-shallow-repository")
	if err != nil {
		return nil, fmt.Errorf("-git %s: %w", path, err)
	}
	if strings.TrimSpace(string(shallow)) != "false" {
		return nil, fmt.Errorf("-git %s: this clone is shallow, and lacks older commits: git fetch --unshallow, or fetch-depth: 0 in CI, gets them", path)
	}
	log, err := git("log", "--reverse", "--diff-filter=AMT", "--format=%H", "--", base)
	if err != nil {
		return nil, fmt.Errorf("-git %s: %w", path, err)
	}
	var sources []Source
	for _, commit := range strings.Fields(string(log)) {
		text, err := git("show", commit+":./"+base)
		if err != nil {
			return nil, fmt.Errorf("-git %s: %w", path, err)
		}
		label := commit[:12]
		sources = append(sources, Source{
			Key: label, Label: label, Paths: []string{label + ":" + path},
			version: &version{commit, text},
		})
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("-git %s: no commit of HEAD's history has this file: git add and git commit it, or leave -git out", path)
	}
	switch now, err := os.ReadFile(path); {
	case errors.Is(err, os.ErrNotExist): // it was removed
	case err != nil:
		return nil, err
	case !bytes.Equal(now, sources[len(sources)-1].version.text):
		sources = append(sources, Source{
			Key: "working-tree", Label: "working-tree",
			Paths: []string{path},
		})
	}
	return sources, nil
}

// read reads the text of a version. Results of a commit that is gone, as after a squash, are taken
// for results of the commit that has stored them, and a note says so.
func (v *version) read(r record.Reader, name, dir string) (f *record.File, notes []string,
	err error,
) {
	f, err = r.Read(bytes.NewReader(v.text), name)
	if err != nil {
		return nil, nil, err
	}
	said := make(map[string]bool)
	for _, b := range f.Blocks() {
		commit := b.Header.Commit
		lost := revision.Lost(dir, commit)
		if lost == "" {
			continue
		}
		b.Header.Commit = v.commit
		if !said[commit] {
			said[commit] = true
			notes = append(notes, fmt.Sprintf("the results are of commit %s, which %s: named by the commit that stores them", commit, lost))
		}
	}
	return f, notes, nil
}
