package imports

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/learnbench/learnbench/learntest/record"
)

// A Source is a file of another tool.
type Source struct {
	Name    string // of the file, for messages and positions
	Reader  io.Reader
	Learner string // whose results these are, where the format does not say it
}

// Results are what was imported.
type Results struct {
	Blocks []*record.Block // one for each data set, in the order of their first appearance
	Notes  []string        // what a reader of the results should know about the files, in sentences
}

// Read reads sources of one format and returns the blocks of what is in all of them
// together. They are complete: every learner has a trial in each cell of the protocol.
//
// The error wraps [ErrOptions] for options that are missing or do not fit, and
// record.ErrIncomplete for cells that are not there; it is a [*record.SyntaxError] for
// what is wrong in a line, which wraps record.ErrDouble if its cell is there already and
// [ErrLimit] if it exceeds a limit.
func Read(f Format, o Options, sources ...Source) (*Results, error) {
	c, err := newCollector(f, o, sources)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if err := c.add(s); err != nil {
			return nil, err
		}
	}
	return c.results()
}

// Open is [Read] for files, which may be compressed with gzip whatever their names. The
// learners are those of the files, in their order, or none.
func Open(f Format, o Options, paths, learners []string) (*Results, error) {
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
	c, err := newCollector(f, o, sources)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if err := c.open(s); err != nil {
			return nil, err
		}
	}
	return c.results()
}

// open adds a file.
func (c *collector) open(s Source) (err error) {
	file, err := os.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	in := bufio.NewReaderSize(file, 1<<16)
	s.Reader = in
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return c.add(s)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if s.Reader, err = gzip.NewReader(in); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	limits := c.limits
	c.limits = c.given.compressed(info.Size()).withDefaults()
	err = c.add(s)
	c.limits = limits
	return err
}

// add reads a source.
func (c *collector) add(s Source) error {
	c.source = s.Name
	c.sources = append(c.sources, s.Name)
	before := c.total
	bytes := c.limits.bytes().Reader(s.Reader)
	if err := c.format.read(c, bytes, s); err != nil {
		return err
	}
	if c.total == before {
		return fmt.Errorf("%s has no result%s", s.Name, c.unmet())
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
