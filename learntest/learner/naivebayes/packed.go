package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

const (
	// maxFields is the greatest number of fields that an attribute may take
	// in a packed row.
	maxFields = 32

	// fieldMax is the greatest value of a field.
	fieldMax = 255
)

// prepared is the common part of all training sets of a table.
type prepared struct {
	ranks  *trainset.Index // nil without numeric attributes
	packed packed
}

// packed holds the nominal values of a table so that many are counted by one
// addition. A row is a few words of eight-bit fields, each of which is 1 for
// one value of one attribute, else 0. The first value of an attribute has no
// field, since its count follows from the others.
type packed struct {
	words  int
	fields int
	first  []int    // for each column its first field, or -1 if it has none
	rows   []uint64 // words of each row
}

// prepare derives from t the parts common to all training sets.
func prepare(t *dataset.Table) *prepared {
	p := &prepared{packed: pack(t)}
	for j := range t.NumAttributes() {
		if t.Attribute(j).Kind == dataset.Numeric {
			p.ranks = trainset.OrdersOf(t)
			break
		}
	}
	return p
}

// pack packs the nominal attributes of t except the class and attributes with too many values.
// After the fields of an attribute's values comes the field of the missing value.
func pack(t *dataset.Table) packed {
	p := packed{first: make([]int, t.NumAttributes())}
	for j := range p.first {
		p.first[j] = -1
		a := t.Attribute(j)
		if j == t.ClassIndex() || a.Kind != dataset.Nominal || len(a.Values) > maxFields {
			continue
		}
		p.first[j] = p.fields
		p.fields += max(len(a.Values), 1)
	}
	p.words = (p.fields + 7) / 8
	p.rows = make([]uint64, t.Len()*p.words)
	for j, first := range p.first {
		if first < 0 {
			continue
		}
		missing := first + max(len(t.Attribute(j).Values), 1) - 1
		for i, c := range t.Codes(j) {
			field := first + int(c) - 1
			switch {
			case c == 0:
				continue
			case c < 0:
				field = missing
			}
			p.rows[i*p.words+field/8] |= 1 << (field % 8 * 8)
		}
	}
	return p
}

// count sets w.counts to the sums of the fields of the training rows of each
// class, and w.size to the numbers of these rows.
func (w *workspace) count(p *packed) {
	w.size = scratch.Resize(w.size, w.classes)
	w.counts = scratch.Resize(w.counts, w.classes*p.fields)
	w.fields = scratch.Resize(w.fields, w.classes*p.words)
	clear(w.size)
	clear(w.counts)
	clear(w.fields)
	words := p.words
	for i, r := range w.rows {
		c := w.class[i]
		w.size[c]++
		sum := w.fields[int(c)*words:][:words]
		row := p.rows[int(r)*words:][:words]
		for j, x := range row {
			sum[j] += x
		}
		if w.size[c]%fieldMax == 0 {
			w.flush(p, int(c))
		}
	}
	for c := range w.classes {
		w.flush(p, c)
	}
}

// flush adds the fields of a class to its counts.
func (w *workspace) flush(p *packed, class int) {
	sum := w.fields[class*p.words:][:p.words]
	counts := w.counts[class*p.fields:][:p.fields]
	for f := range counts {
		counts[f] += int32(sum[f/8] >> (f % 8 * 8) & fieldMax)
	}
	clear(sum)
}
