package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// A realSet is a data set that a paper names.
type realSet struct {
	name   string                                         // the paper's
	file   string                                         // its name in package uci, and without extension that of its file; name if empty
	derive func(t *dataset.Table) (*dataset.Table, error) // from what is in the file, if not nil
}

// A given data set is a source that always draws the same.
type given struct {
	name, id string
	table    *dataset.Table
}

var _ Source = given{}

func (g given) ID() string { return g.id }

func (g given) Table(string, int, uint64) (*dataset.Table, error) { return g.table, nil }

// smallSet is how many examples a data set of a small study has at most.
const smallSet = 165

// A shelf is the data sets that a paper asks for, in its order, and those that there are
// none of.
type shelf struct {
	sets    []given
	missing []string
}

// openShelf reads the data sets from the directory of the configuration, and those that have no file there from
// package uci.
func openShelf(cfg Config, wanted []realSet) (shelf, error) {
	var s shelf
	read := 0
	for _, w := range wanted {
		if w.file == "" {
			w.file = w.name
		}
		t, fromFile, err := w.open(cfg.Data)
		switch {
		case errors.Is(err, uci.ErrUnknown):
			s.missing = append(s.missing, w.name)
			continue
		case err != nil:
			return s, fmt.Errorf("data set %s: %w", w.name, err)
		}
		read += index(fromFile)
		if cfg.Small && t.Len() > smallSet {
			continue
		}
		digest, err := t.Digest()
		if err != nil {
			return s, err
		}
		s.sets = append(s.sets, given{w.name, "data set " + digest, t})
	}
	if cfg.Data != "" && read == 0 {
		return s, fmt.Errorf("%w: %s has none of the files %s.arff, ...: name the directory that has them", ErrConfig, cfg.Data, wanted[0].name)
	}
	return s, nil
}

// open returns the data set, and whether it is from a file in the directory.
func (w realSet) open(dir string) (t *dataset.Table, fromFile bool, err error) {
	if dir != "" {
		for _, extension := range []string{".arff", ".arff.gz"} {
			t, err = dataset.Open(filepath.Join(dir, w.file+extension), dataset.ReadOptions{})
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
		t, err = uci.Load(w.file)
	}
	if err != nil {
		return nil, false, err
	}
	if t.NumClasses() == 0 {
		return nil, false, errors.New("its last attribute is not a nominal class")
	}
	if w.derive != nil {
		t, err = w.derive(t)
	}
	return t, fromFile, err
}

// note says which data sets there are, of how many.
func (s shelf) note(wanted int) string {
	if len(s.missing) == 0 && len(s.sets) == wanted {
		return fmt.Sprintf("All %d data sets of the paper.", wanted)
	}
	text := fmt.Sprintf("%d of the %d data sets of the paper: what it prints for all of them together is not of the same sets. There is no file of %s.",
		len(s.sets), wanted, strings.Join(s.missing, ", "))
	if len(s.missing) == 0 {
		text, _, _ = strings.Cut(text, " There")
	}
	return text
}

// without leaves out an attribute, if the data set has it.
func without(name string) func(t *dataset.Table) (*dataset.Table, error) {
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
		cols = append(cols, dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)})
	}
	return dataset.New(name, cols, class, t.Weights())
}

// waveform21 leaves the attributes of noise out of the data set with 40 attributes.
func waveform21(t *dataset.Table) (*dataset.Table, error) {
	return attributes(t, "waveform-21", func(j int) bool { return j < 21 })
}

// glass2 has the window glass of the data set glass, float or not.
func glass2(t *dataset.Table) (*dataset.Table, error) {
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

// bySize returns the indices of the data sets, those that take longest first.
func (s shelf) bySize() []int {
	order := make([]int, len(s.sets))
	for i := range order {
		order[i] = i
	}
	size := func(i int) int { return s.sets[i].table.Len() * s.sets[i].table.NumAttributes() }
	slices.SortStableFunc(order, func(a, b int) int { return size(b) - size(a) })
	return order
}
