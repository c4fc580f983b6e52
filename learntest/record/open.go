package record

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/learnbench/learnbench/internal/blockfile"
)

// Extension ends the names of the result files in a directory.
const Extension = ".txt"

const compressed = Extension + ".gz"

// Open reads files as if they were one: the blocks of each follow the
// blocks of the one before. A directory stands for the files in it whose names end with .txt or
// .txt.gz, in the order of their names. It returns the errors of the file system and of
// [Reader.Read].
func (r Reader) Open(paths ...string) (*File, error) {
	files, err := Expand(paths)
	if err != nil {
		return nil, err
	}
	units := make(map[string]declaration)
	room := r.Limits.Cells
	var all []*Block
	for _, path := range files {
		one := r
		one.Limits.Cells = room
		p, blocks, err := one.openFile(path, units)
		for tries := 0; errors.Is(err, blockfile.ErrChanged) && tries < 10; tries++ { // a writer came in between
			p, blocks, err = one.openFile(path, units)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, blocks...)
		room, units = max(p.room, 1), p.units
	}
	return NewFile(all...), nil
}

// Open is [Reader.Open] with the default limits.
func Open(paths ...string) (*File, error) { return Reader{}.Open(paths...) }

// openFile reads the blocks of one file, which declare units as others have done.
func (r Reader) openFile(path string, units map[string]declaration) (*parser, []*Block, error) {
	f, err := blockfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	p, err := r.newParser(f, path)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	defer p.release()
	p.units = maps.Clone(units)
	var blocks []*Block
	for {
		b, err := p.next()
		switch {
		case err != nil:
			if cerr := f.Close(); cerr != nil {
				err = errors.Join(err, cerr)
			}
			return nil, nil, err
		case b == nil:
			return p, blocks, f.Close()
		}
		blocks = append(blocks, b)
	}
}

// Expand returns the paths of the files that [Open] reads: in place of a directory, the paths of
// the result files in it.
func Expand(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("%w: no result files given", ErrNotFound)
	}
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := blockfile.List(path, func(name string) bool {
			return strings.HasSuffix(name, Extension) || strings.HasSuffix(name, compressed)
		})
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%w: no result files (*%s) in the directory %s", ErrNotFound, Extension,
				path)
		}
		files = append(files, found...)
	}
	return files, nil
}
