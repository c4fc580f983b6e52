package dataset

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Open reads the table in a file. The extension of the path says which format
// it has: .arff ([ReadARFF]) or .csv ([ReadCSV]), followed by .gz if it is compressed.
// A compressed file has tighter default [Limits], which follow from its size.
func Open(path string, opts ReadOptions) (*Table, error) {
	base := strings.ToLower(filepath.Base(path))
	plain := strings.TrimSuffix(base, ".gz")
	var read func(io.Reader, string, ReadOptions) (*Table, error)
	switch filepath.Ext(plain) {
	case ".arff":
		read = ReadARFF
	case ".csv":
		read = ReadCSV
	default:
		return nil, fmt.Errorf("%s: unknown extension: want .arff, .csv, .arff.gz or .csv.gz", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if plain == base {
		return read(f, path, opts)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	opts.Limits = opts.Limits.compressed(info.Size())
	return read(z, path, opts)
}
