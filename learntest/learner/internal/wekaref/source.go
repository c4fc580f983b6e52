package wekaref

import (
	"fmt"
	"io/fs"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// A Source is a reference together with its data sets.
type Source struct {
	Name  string
	FS    fs.FS
	Table func(name string) (*dataset.Table, error)
}

// Sources returns the embedded reference and, where there is one, the shared
// one.
func Sources() []Source {
	s := []Source{{"embedded", Embedded(), uci.Load}}
	if shared, ok := Shared(); ok {
		s = append(s, Source{"shared", shared, SharedTable})
	}
	return s
}

// Parameters returns an embedded reference of learners whose parameters are
// not the defaults. Its README says which. Those whose names end in w were
// trained on the tables that [Weighted] returns.
func Parameters() Source {
	return Source{"parameters", sub("testdata/parameters"), uci.Load}
}

// A Case is one data set of a source.
type Case struct {
	Source Source
	Name   string
}

// Cases returns the data sets of all [Sources].
func Cases() ([]Case, error) {
	var all []Case
	for _, s := range Sources() {
		cases, err := s.Cases()
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	return all, nil
}

// Cases returns the data sets of a source, sorted by their names. It is an
// error if there are none.
func (s Source) Cases() ([]Case, error) {
	names, err := Names(s.FS)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the %s reference has no data sets", s.Name)
	}
	cases := make([]Case, len(names))
	for i, name := range names {
		cases[i] = Case{s, name}
	}
	return cases, nil
}

// String returns the names of the source and of the data set.
func (c Case) String() string { return c.Source.Name + "/" + c.Name }

// Load reads the data set and Weka's output on it.
func (c Case) Load() (*dataset.Table, *Set, error) {
	t, err := c.Source.Table(c.Name)
	if err != nil {
		return nil, nil, err
	}
	s, err := Load(c.Source.FS, c.Name)
	return t, s, err
}

// Names returns the data sets of a reference, sorted.
func Names(fsys fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Weighted returns t with a weight of (i mod 3 + 1)/2 for row i.
func Weighted(t *dataset.Table) (*dataset.Table, error) {
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)}
	}
	weights := make([]float64, t.Len())
	for i := range weights {
		weights[i] = float64(i%3+1) / 2
	}
	return dataset.New(t.Name(), cols, t.ClassIndex(), weights)
}
