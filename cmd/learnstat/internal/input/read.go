package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/record/imports"
)

// A Side is a source that was read.
type Side struct {
	Source
	File  *record.File
	Notes []string // what should be known of results that were imported

	files []file // that were read, but for standard input and pipes
}

// An Import says how to read results of other tools. The zero Import is for result files.
type Import struct {
	Format   imports.Format
	Options  imports.Options
	Learners []string // of the files of a source, in their order, or of each file
	Times    bool     // of trials are read, from result files
}

// Together makes one source of several files without labels, of which each has a learner of its
// own, and reports whether it has done so: they are parts of one experiment, whose learners are
// compared.
func (i *Import) Together(sources *[]Source) bool {
	all := *sources
	if len(all) < 2 || len(i.Learners) != len(all) {
		return false
	}
	one := Source{Key: "imported", Label: "imported"}
	seen := make(map[string]bool)
	for n, s := range all {
		if s.labelled || len(s.Paths) != 1 || seen[i.Learners[n]] {
			return false
		}
		if isDir(s.Paths[0]) {
			return false
		}
		seen[i.Learners[n]] = true
		one.Paths = append(one.Paths, s.Paths[0])
	}
	*sources = []Source{one}
	return true
}

// checkLearners returns an error for learners of several sources, each of one file, whose number is
// another.
func (i *Import) checkLearners(sources []Source) error {
	n := len(i.Learners)
	if n < 2 || len(sources) < 2 || n == len(sources) || slices.ContainsFunc(sources,
		func(s Source) bool { return len(s.Paths) > 1 || isDir(s.Paths[0]) }) {
		return nil
	}
	return fmt.Errorf("%d learners (-learner) for %d files: name one for each, in their order, or one for all", n, len(sources))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Open reads the sources. The problems are runs that have not ended, or were interrupted: their
// stored results may be judged nevertheless. Times are read only if they are asked for.
func Open(sources []Source, from Import, stdin io.Reader) (sides []*Side, problems []error,
	err error,
) {
	var paths []string
	for _, s := range sources {
		paths = append(paths, slices.DeleteFunc(slices.Clone(s.Paths),
			func(path string) bool { return path == Stdin })...)
	}
	if err := storage.Unfinished(paths...); err != nil {
		problems = append(problems, err)
	}
	if err := from.checkLearners(sources); err != nil {
		return nil, nil, err
	}
	var errs []error
	perFile := len(sources) > 1 && len(from.Learners) == len(sources) && !slices.ContainsFunc(sources,
		func(s Source) bool { return len(s.Paths) > 1 })
	for i, s := range sources {
		from := from
		if perFile {
			from.Learners = from.Learners[i : i+1]
		}
		f, notes, err := s.open(from, stdin)
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			err = fmt.Errorf("%s: %w", pathError.Path, pathError.Err)
		}
		errs = append(errs, err)
		sides = append(sides, &Side{s, f, notes, s.files(from)})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, errors.Join(append(problems, err)...)
	}
	return sides, problems, nil
}

func (s *Source) open(from Import, stdin io.Reader) (*record.File, []string, error) {
	if from.Format.Name != "" {
		return s.imported(from, stdin)
	}
	if s.version != nil {
		_, path, _ := strings.Cut(s.Paths[0], ":")
		return s.version.read(record.Reader{NoTimes: true}, s.Paths[0], filepath.Dir(path))
	}
	f, err := s.native(from.Times, stdin)
	return f, s.deeper(), err
}

// imported reads results of another tool.
func (s *Source) imported(from Import, stdin io.Reader) (*record.File, []string, error) {
	paths, err := from.Format.Expand(s.Paths)
	if err != nil {
		return nil, nil, err
	}
	learners := from.Learners
	switch {
	case len(learners) == 1:
		learners = slices.Repeat(learners, len(paths))
	case len(learners) > 0 && len(learners) != len(paths):
		return nil, nil, fmt.Errorf("%s: %d learners (-learner) for %d files: name one for each, in their order, or one for all", s.Label, len(learners), len(paths))
	}
	sources := make([]imports.Source, len(paths))
	for i, path := range paths {
		if sources[i].Name = path; path == Stdin {
			sources[i].Name, sources[i].Reader = "<stdin>", stdin
		}
		if len(learners) > 0 {
			sources[i].Learner = learners[i]
		}
	}
	r, err := imports.Read(from.Format, from.Options, sources...)
	if err != nil {
		return nil, nil, err
	}
	notes := r.Notes
	if len(r.Assumed) > 0 {
		notes = append([]string{"assumed: " + strings.Join(r.Assumed, "; ")}, notes...)
	}
	return record.NewFile(r.Blocks...), notes, nil
}

// deeper names the result files in subdirectories of a directory, which are not read.
func (s *Source) deeper() (notes []string) {
	for _, path := range s.Paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			continue
		}
		err := fs.WalkDir(os.DirFS(path), ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if strings.Contains(name, "/") && !e.IsDir() && (strings.HasSuffix(name, ".txt") ||
				strings.HasSuffix(name, ".txt.gz")) {
				notes = append(notes, "not read, since it is in a subdirectory: "+name)
			}
			return nil
		})
		if err != nil {
			notes = append(notes, "subdirectories cannot be read: "+err.Error())
		}
	}
	return notes
}

func (s *Source) native(times bool, stdin io.Reader) (*record.File, error) {
	reader := record.Reader{NoTimes: !times}
	var blocks []*record.Block
	for _, path := range s.Paths {
		f, err := openOne(reader, path, stdin)
		if err != nil {
			return nil, err
		}
		if len(s.Paths) == 1 {
			return f, nil
		}
		blocks = append(blocks, f.Blocks()...)
	}
	return record.NewFile(blocks...), nil
}

// openOne opens a file or a directory; it reads a path that is neither, such as a pipe.
func openOne(r record.Reader, path string, stdin io.Reader) (*record.File, error) {
	if path == Stdin {
		return r.Read(stdin, "<stdin>")
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close() // it was only read
		return r.Read(f, path)
	}
	return r.Open(path)
}

// Problem says where in the file the error is.
func (s *Side) Problem(err error) error {
	for _, path := range s.Paths {
		if strings.HasPrefix(err.Error(), path+":") {
			return err
		}
	}
	return fmt.Errorf("%s: %w", s.name(), err)
}

// Pos returns where the results of a learner on a data set begin; of its first learner if none is
// given.
func (s *Side) Pos(data, learner string) string {
	if all := s.File.Learners(data); learner == "" && len(all) > 0 {
		learner = all[0]
	}
	if pos := s.File.Pos(data, learner); pos != (record.Pos{}) {
		return pos.String()
	}
	return s.name()
}

// ImportNotes returns the notes on imported results.
func ImportNotes(sides []*Side) []string {
	var order []string
	labels := make(map[string][]string)
	for _, s := range sides {
		for _, n := range s.Notes {
			if labels[n] == nil {
				order = append(order, n)
			}
			labels[n] = append(labels[n], s.Label)
		}
	}
	for i, n := range order {
		order[i] = strings.Join(labels[n], ", ") + ": " + n
	}
	return order
}
