package naivebayes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A Normal is the distribution of a numeric attribute in one class.
type Normal struct {
	Mean      float64 // of the rounded values
	SD        float64 // population standard deviation, at least Precision/6
	Precision float64 // values are rounded to its multiples
}

// Prior returns the prior probability of each class.
func (m *Model) Prior() []float64 { return slices.Clone(m.lent.Space.prior) }

// Normal returns the distribution of a numeric column in a class, and false
// if there is no such column or class, or with [Config.Kernel].
func (m *Model) Normal(column, class int) (Normal, bool) {
	a := m.lent.Space.find(column)
	if a == nil || a.Meta.Kind != dataset.Numeric || a.kernels != nil ||
		uint(class) >= uint(m.lent.Space.classes) {
		return Normal{}, false
	}
	return Normal{a.mean[class], a.sd[class], a.precision}, true
}

// Frequencies returns the smoothed relative frequencies of the values of a
// nominal column in a class, and false if there is no such column or class.
func (m *Model) Frequencies(column, class int) ([]float64, bool) {
	a := m.lent.Space.find(column)
	if a == nil || a.Meta.Kind != dataset.Nominal || uint(class) >= uint(m.lent.Space.classes) {
		return nil, false
	}
	p := make([]float64, len(a.Meta.Values))
	for v := range p {
		p[v] = a.prob[v*m.lent.Space.classes+class]
	}
	return p, true
}

// find returns the attribute of a column, or nil.
func (w *workspace) find(column int) *attribute {
	for k := range w.attrs {
		if w.attrs[k].Index == column {
			return &w.attrs[k]
		}
	}
	return nil
}

// String lists the prior and, for every attribute, the normal distribution, the
// number of kernels or the frequencies in each class.
func (m *Model) String() string {
	w := m.lent.Space
	var b strings.Builder
	fmt.Fprintf(&b, "naive Bayes: %d classes, %d training rows\n", w.classes, len(w.rows))
	fmt.Fprintf(&b, "prior:")
	for c, p := range w.prior {
		fmt.Fprintf(&b, " %s=%.4g", w.labels[c], p)
	}
	b.WriteByte('\n')
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Meta.Kind == dataset.Numeric {
			fmt.Fprintf(&b, "%s: precision %.4g\n", a.Meta.Name, a.precision)
		} else {
			fmt.Fprintf(&b, "%s:\n", a.Meta.Name)
		}
		for c, label := range w.labels {
			fmt.Fprintf(&b, "  %s:", label)
			if a.kernels != nil {
				fmt.Fprintf(&b, " %v\n", &a.kernels[c])
				continue
			}
			if a.Meta.Kind == dataset.Numeric {
				fmt.Fprintf(&b, " mean %.4g sd %.4g\n", a.mean[c], a.sd[c])
				continue
			}
			for v, value := range a.Meta.Values {
				fmt.Fprintf(&b, " %s=%.4g", value, a.prob[v*w.classes+c])
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
