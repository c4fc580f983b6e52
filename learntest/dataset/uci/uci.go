// Package uci contains small, well-known classification data sets: a function returns each,
// such as [Iris]; [Names] lists them, and [Load] finds one by name.
//
// Most come from the UCI repository of machine learning databases by way of a software
// package; the others follow from a rule and are computed at their first use. SOURCES.md,
// beside this file, gives the origin, licence and derivation of each, and the citation that
// its donors ask for.
//
// The class is the last attribute of every table. Rows, values and their order match the files
// in general use, because partitions depend on them. A table is read at its first use, and
// then shared.
package uci

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"sync"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/dataset"
)

//go:embed data/*.arff.gz
var files embed.FS

// ErrUnknown means that no data set has the given name.
var ErrUnknown = errors.New("unknown data set")

type set struct {
	name string
	load func() (*dataset.Table, error)
}

// sets lists the data sets in the order of their names.
var sets = [...]set{
	ruled("balance-scale", balanceScale),
	embedded("breast-cancer"),
	embedded("contact-lenses"),
	embedded("german-credit"),
	embedded("glass"),
	embedded("ionosphere"),
	embedded("iris"),
	embedded("labor"),
	ruled("monks1-all", monks1),
	ruled("monks2-all", monks2),
	ruled("monks3-all", monks3),
	embedded("pima-diabetes"),
	embedded("sonar"),
	embedded("soybean"),
	ruled("tic-tac-toe", ticTacToe),
	embedded("vehicle"),
	embedded("vote"),
	embedded("wine"),
	embedded("wisconsin-breast-cancer"),
	embedded("zoo"),
}

func embedded(name string) set {
	return set{name, sync.OnceValues(func() (*dataset.Table, error) {
		path := "data/" + name + ".arff.gz"
		b, err := files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return dataset.ReadARFF(z, path, dataset.ReadOptions{})
	})}
}

func ruled(name string, generate func(name string) (*dataset.Table, error)) set {
	return set{name, sync.OnceValues(func() (*dataset.Table, error) { return generate(name) })}
}

// Names returns the names of the data sets in alphabetical order.
func Names() []string {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.name
	}
	return names
}

// Load returns the data set with the given name. For an unknown name the error wraps
// [ErrUnknown], suggests the nearest name and lists all.
func Load(name string) (*dataset.Table, error) {
	s, err := catalogue.Lookup(ErrUnknown, sets[:], func(s set) string { return s.name }, name)
	if err != nil {
		return nil, err
	}
	return s.load()
}

// must loads a data set that is known to exist. It can only fail if the module
// was built from damaged files.
func must(name string) *dataset.Table {
	t, err := Load(name)
	if err != nil {
		panic(err)
	}
	return t
}
