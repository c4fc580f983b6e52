// Package shelf has the real data sets of the papers, and what learners score on them.
package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// A Set is a data set that a paper names.
type Set struct {
	Name   string                                         // the paper's
	File   string                                         // its name in package uci and, without extension, on disk; Name if empty
	Derive func(t *dataset.Table) (*dataset.Table, error) // from the table in the file, if not nil
}

// A Given data set is a source that always draws one table.
type Given struct {
	Name, id string
	Data     *dataset.Table
}

var _ lab.Source = Given{}

func (g Given) ID() string { return g.id }

func (g Given) Table(string, int, uint64) (*dataset.Table, error) { return g.Data, nil }

// smallSet is how many examples a data set of a small study has at most.
const smallSet = 165

// A Shelf is the data sets that a paper asks for, in its order, and the names of the missing ones.
type Shelf struct {
	Sets    []Given
	Missing []string
}

// Open reads the data sets from the directory of the configuration, and data sets without a file
// there from package uci.
func Open(cfg lab.Config, wanted []Set) (Shelf, error) {
	var s Shelf
	read := 0
	for _, w := range wanted {
		if w.File == "" {
			w.File = w.Name
		}
		t, fromFile, err := w.open(cfg.Data)
		switch {
		case errors.Is(err, uci.ErrUnknown):
			s.Missing = append(s.Missing, w.Name)
			continue
		case err != nil:
			return s, fmt.Errorf("data set %s: %w", w.Name, err)
		}
		read += lab.Indicator(fromFile)
		if cfg.Small && t.Len() > smallSet {
			continue
		}
		digest, err := t.Digest()
		if err != nil {
			return s, err
		}
		s.Sets = append(s.Sets, Given{w.Name, "data set " + digest, t})
	}
	if cfg.Data != "" && read == 0 {
		return s, fmt.Errorf("%w: %s has none of the files %s.arff, ...: name the directory that has them", lab.ErrConfig, cfg.Data, wanted[0].Name)
	}
	return s, nil
}

// open returns the data set, and whether it is from a file in the directory.
func (w Set) open(dir string) (t *dataset.Table, fromFile bool, err error) {
	if dir != "" {
		for _, extension := range []string{".arff", ".arff.gz"} {
			t, err = dataset.Open(filepath.Join(dir, w.File+extension), dataset.ReadOptions{})
			if !errors.Is(err, fs.ErrNotExist) {
				fromFile = true
				break
			}
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, false, err
		}
	}
	if !fromFile {
		t, err = uci.Load(w.File)
	}
	if err != nil {
		return nil, false, err
	}
	if t.NumClasses() == 0 {
		return nil, false, errors.New("its last attribute is not a nominal class")
	}
	if w.Derive != nil {
		t, err = w.Derive(t)
	}
	return t, fromFile, err
}

// Note says which data sets there are, of how many.
func (s Shelf) Note(wanted int) string {
	if len(s.Missing) == 0 && len(s.Sets) == wanted {
		return fmt.Sprintf("All %d data sets of the paper.", wanted)
	}
	text := fmt.Sprintf("%d of the %d data sets of the paper: its figures for all of them together are of other sets. There is no file of %s.",
		len(s.Sets), wanted, strings.Join(s.Missing, ", "))
	if len(s.Missing) == 0 {
		text, _, _ = strings.Cut(text, " There")
	}
	return text
}

// Without leaves out an attribute, if the data set has it.
func Without(name string) func(t *dataset.Table) (*dataset.Table, error) {
	return func(t *dataset.Table) (*dataset.Table, error) {
		return attributes(t, t.Name(), func(j int) bool { return t.Attribute(j).Name != name })
	}
}

// attributes returns a data set with the attributes that are kept, and the class.
func attributes(t *dataset.Table, name string, keep func(j int) bool) (*dataset.Table, error) {
	var cols []dataset.Column
	class := -1
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			class = len(cols)
		} else if !keep(j) {
			continue
		}
		cols = append(cols, dataset.Column{
			Attribute: t.Attribute(j), Numbers: t.Numbers(j),
			Codes: t.Codes(j),
		})
	}
	return dataset.New(name, cols, class, t.Weights())
}

// Waveform21 leaves the attributes of noise out of the data set with 40 attributes.
func Waveform21(t *dataset.Table) (*dataset.Table, error) {
	return attributes(t, "waveform-21", func(j int) bool { return j < 21 })
}

// Glass2 has the window glass of the data set glass, float or not.
func Glass2(t *dataset.Table) (*dataset.Table, error) {
	const windows = "build wind float, build wind non-float, vehic wind float, vehic wind non-float"
	class := t.Attribute(t.ClassIndex())
	if len(class.Values) < 4 || strings.Join(class.Values[:4], ", ") != windows {
		return nil, fmt.Errorf("its first classes are %q, not %q", class.Values, windows)
	}
	var rows []int
	for i := range t.Len() {
		if c := t.Class(i); c >= 0 && c < 4 {
			rows = append(rows, i)
		}
	}
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j].Attribute = t.Attribute(j)
		for _, i := range rows {
			switch {
			case j == t.ClassIndex():
				cols[j].Codes = append(cols[j].Codes, int32(t.Class(i)%2))
			case cols[j].Kind == dataset.Nominal:
				cols[j].Codes = append(cols[j].Codes, t.Codes(j)[i])
			default:
				cols[j].Numbers = append(cols[j].Numbers, t.Numbers(j)[i])
			}
		}
	}
	cols[t.ClassIndex()].Values = []string{"float", "non-float"}
	return dataset.New("glass2", cols, t.ClassIndex(), nil)
}

// bySize returns the indices of the data sets, the slowest ones first.
func (s Shelf) bySize() []int {
	order := make([]int, len(s.Sets))
	for i := range order {
		order[i] = i
	}
	size := func(i int) int { return s.Sets[i].Data.Len() * s.Sets[i].Data.NumAttributes() }
	slices.SortStableFunc(order, func(a, b int) int { return size(b) - size(a) })
	return order
}
