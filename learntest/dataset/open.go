package dataset

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Open reads the table in a file. The extension of the path gives the format: .arff
// ([ReadARFF]) or .csv ([ReadCSV]), followed by .gz if it is compressed. A compressed file
// has tighter default [Limits], which follow from its size.
//
// When a test compares learners on the table, go test learns that the outcome depends on
// the file, even if the file was read before the tests began. go test does not look at
// files outside of the module; such a file is an error unless go test has -count=1 or the
// test has written it.
func Open(path string, opts ReadOptions) (*Table, error) {
	file, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	var table *Table
	err = open(path, opts, []format{
		{".arff", func(r io.Reader, opts ReadOptions) (err error) {
			table,
				err = ReadARFF(r, path, opts)
			return err
		}},
		{".csv", func(r io.Reader, opts ReadOptions) (err error) {
			table,
				err = ReadCSV(r, path, opts)
			return err
		}},
	})
	if err != nil {
		return nil, err
	}
	table.file = file
	return table, nil
}

// OpenCSV opens the CSV file at path, compressed or not, and calls read with a reader that
// starts at the first row after the header. One column may lack a name. OpenCSV applies the
// options Comma and Limits and ignores the others.
func OpenCSV(path string, opts ReadOptions, read func(c *CSVReader) error) error {
	if err := opts.checkCSV(); err != nil {
		return err
	}
	return open(path, opts, []format{{".csv", func(r io.Reader, opts ReadOptions) error {
		c, err := newCSVReader(r, path, &opts, true)
		if err != nil {
			return err
		}
		return read(c)
	}}})
}

// A format describes the files with an extension.
type format struct {
	extension string
	read      func(r io.Reader, opts ReadOptions) error
}

// open reads a file, unpacked, in the format of its extension.
func open(path string, opts ReadOptions, formats []format) error {
	base := strings.ToLower(filepath.Base(path))
	plain := strings.TrimSuffix(base, ".gz")
	i := slices.IndexFunc(formats, func(f format) bool { return f.extension == filepath.Ext(plain) })
	if i < 0 {
		var want []string
		for _, suffix := range []string{"", ".gz"} {
			for _, f := range formats {
				want = append(want, f.extension+suffix)
			}
		}
		last := len(want) - 1
		return fmt.Errorf("%s: unknown extension: want %s or %s", path, strings.Join(want[:last], ", "),
			want[last])
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if plain == base {
		return formats[i].read(f, opts)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	opts.Limits = opts.Limits.compressed(info.Size())
	return formats[i].read(z, opts)
}
