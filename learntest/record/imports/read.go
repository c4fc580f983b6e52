package imports

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Read reads sources of one format and returns the blocks of all their trials
// together. The blocks are complete: every learner has a trial in each cell of the protocol. Read
// decompresses gzip, whatever the name of the source.
//
// The error wraps [ErrOptions] for options that are missing or do not fit, and
// record.ErrIncomplete for cells that are not there; it is a [*record.SyntaxError] for
// a fault in a line, which wraps record.ErrDouble if its cell is there already and
// [ErrLimit] if it exceeds a limit.
func Read(f Format, o Options, sources ...Source) (*Results, error) {
	c, err := newCollector(f, o, sources)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if err := c.open(s); err != nil {
			return nil, err
		}
	}
	if err := finishAMLB(c); err != nil {
		return nil, err
	}
	return c.results()
}

// Open is [Read] for files, and for directories as [Expand] has it, or with all files
// predictions.csv below them. learners names the learner of each file, or of each such directory,
// in their order, or is empty.
func Open(f Format, o Options, paths, learners []string) (*Results, error) {
	find := sourcesOf
	if f.Name == formatAMLBPredictions {
		find = amlbSources
	}
	sources, err := find(paths, learners)
	if err != nil {
		return nil, err
	}
	return Read(f, o, sources...)
}

// extensions are the extensions of the files in a directory, which may be compressed.
var extensions = []string{".csv", ".tsv", ".json", ".jsonl", ".arff"}

// Expand puts files in the place of directories: those in it whose names end with .csv, .tsv,
// .json, .jsonl or .arff, and .gz behind that, in the order of their names.
func Expand(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			files = append(files, path) // the error of opening it names the fault
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		before := len(files)
		for _, e := range entries {
			if !e.IsDir() && slices.Contains(extensions, filepath.Ext(strings.TrimSuffix(e.Name(), ".gz"))) {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no file in it ends with .csv, .tsv, .json, .jsonl or .arff, or with .gz behind that", path)
		}
	}
	return files, nil
}

// Expand is [Expand], or returns all files predictions.csv below directories for the format that is
// in these.
func (f Format) Expand(paths []string) ([]string, error) {
	if f.Name == formatAMLBPredictions {
		return amlbFiles(paths)
	}
	return Expand(paths)
}

// open adds a source, which may be compressed.
func (c *collector) open(s Source) (err error) {
	size := int64(0) // if it is not known
	if s.Reader == nil {
		file, err := os.Open(s.Name)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if info, err := file.Stat(); err == nil {
			size = info.Size()
		}
		s.Reader = file
	}
	in := bufio.NewReaderSize(s.Reader, 1<<16)
	s.Reader = in
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return c.add(s)
	}
	if s.Reader, err = gzip.NewReader(in); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	limits := c.limits
	c.limits = c.given.compressed(size).withDefaults()
	err = c.add(s)
	c.limits = limits
	return err
}

// add reads a source.
func (c *collector) add(s Source) error {
	c.source = s.Name
	c.sources = append(c.sources, s.Name)
	before := c.total
	text := bufio.NewReader(s.Reader)
	if err := checkText(c, text); err != nil {
		return err
	}
	bytes := c.limits.bytes().Reader(text)
	if err := c.format.read(c, bytes, s); err != nil {
		return err
	}
	if c.total == before && c.amlb == nil {
		return fmt.Errorf("%s has no result%s", s.Name, c.unmet())
	}
	return nil
}

// foreign are the first bytes of files that are no text.
var foreign = []struct{ start, what, remedy string }{
	{"PAR1", "a Parquet file", "write it as CSV, as by duckdb -c \"copy (from 'FILE') to 'FILE.csv'\" or pandas.read_parquet('FILE').to_csv('FILE.csv', index=False)"},
	{zipStart, "a workbook or another ZIP archive", "save its table as CSV, or unpack it"},
	{"\xff\xfe", "text in UTF-16", "save it as UTF-8"},
	{"\xfe\xff", "text in UTF-16", "save it as UTF-8"},
}

// checkText returns an error for a file that is no text.
func checkText(c *collector, in *bufio.Reader) error {
	start, _ := in.Peek(4)
	for _, f := range foreign {
		if strings.HasPrefix(string(start), f.start) {
			if f.start == zipStart && c.format.archive != "" {
				return nil // the format has archives
			}
			return c.errorf(1, "this is %s: %s", f.what, f.remedy)
		}
	}
	return nil
}

// unmet says that conditions may be why there is nothing.
func (c *collector) unmet() string {
	if len(c.Where) == 0 {
		return ""
	}
	return " that meets all conditions of Where (-where)"
}

// sourcesOf returns the sources of paths, with the learner of each if there are any.
func sourcesOf(paths, learners []string) ([]Source, error) {
	paths, err := Expand(paths)
	if err != nil {
		return nil, err
	}
	if len(learners) > 0 && len(learners) != len(paths) {
		return nil, fmt.Errorf("%w: %d learners (-learner) for %d files: name one for each, in their order", ErrOptions, len(learners), len(paths))
	}
	sources := make([]Source, len(paths))
	for i, path := range paths {
		sources[i].Name = path
		if len(learners) > 0 {
			sources[i].Learner = learners[i]
		}
	}
	return sources, nil
}
