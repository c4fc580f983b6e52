//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// file returns the file of a table in a format, which it writes to dir unless it is there.
func file(table, format, data, dir string) (string, error) {
	name := filepath.Join(dir, table+"."+format)
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	var t *dataset.Table
	var err error
	if s, ok := shapes[table]; ok {
		t, err = draw(s)
	} else {
		t, err = dataset.Open(filepath.Join(data, table+".arff"), dataset.ReadOptions{})
	}
	if err != nil {
		return "", err
	}
	write := map[string]func(io.Writer, *dataset.Table) error{
		"arff": dataset.WriteARFF,
		"csv":  writeCSV,
	}[format]
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	return name, errors.Join(write(f, t), f.Close())
}

// writeCSV writes a table that has neither missing values nor names that need quotes.
func writeCSV(w io.Writer, t *dataset.Table) error {
	b := bufio.NewWriter(w)
	for j := range t.NumAttributes() {
		fmt.Fprint(b, separator(j), t.Attribute(j).Name)
	}
	for i := range t.Len() {
		b.WriteByte('\n')
		for j := range t.NumAttributes() {
			b.WriteString(separator(j))
			if a := t.Attribute(j); a.Kind == dataset.Nominal {
				b.WriteString(a.Values[t.Codes(j)[i]])
			} else {
				b.Write(strconv.AppendFloat(b.AvailableBuffer(), t.Numbers(j)[i], 'f', -1, 64))
			}
		}
	}
	b.WriteByte('\n')
	return b.Flush()
}

func separator(column int) string {
	if column == 0 {
		return ""
	}
	return ","
}
