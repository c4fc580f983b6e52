package c45

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// String returns the tree in the layout of Weka's J48: a line for each branch,
// and for each leaf its class, the weight of the training instances that
// reached it and, after a slash, of those of other classes. Thresholds are
// rounded to six decimals.
func (m *Model) String() string {
	var b strings.Builder
	if m.unpruned {
		b.WriteString("J48 unpruned tree\n------------------\n")
	} else {
		b.WriteString("J48 pruned tree\n------------------\n")
	}
	root := &m.nodes[0]
	if root.split == leaf {
		b.WriteString(": ")
		m.label(&b, m.perClass(root), m.total(root), majority(m.perClass(root)))
	} else {
		m.print(&b, root, 0)
	}
	fmt.Fprintf(&b, "\n\nNumber of Leaves  : \t%d\n\nSize of the tree : \t%d\n", m.Leaves(), m.Size())
	return b.String()
}

func (m *Model) print(b *strings.Builder, n *node, depth int) {
	a := &m.attrs[n.attr]
	for i := range int(n.num) {
		b.WriteByte('\n')
		for range depth {
			b.WriteString("|   ")
		}
		b.WriteString(a.Name)
		switch {
		case n.split == nominal:
			b.WriteString(" = " + a.Values[i])
		case i == 0:
			b.WriteString(" <= " + decimals(n.cut))
		default:
			b.WriteString(" > " + decimals(n.cut))
		}
		child := m.child(n, i)
		if child.split != leaf {
			m.print(b, child, depth+1)
			continue
		}
		b.WriteString(": ")
		weight, classes := m.perBag(n)[i], m.bag(n, i)
		most := majority(classes)
		if !gr(weight, 0) {
			most = majority(m.perClass(n))
		}
		m.label(b, classes, weight, most)
	}
}

// label writes the class of a leaf, its weight and that of the other classes.
func (m *Model) label(b *strings.Builder, classes []float64, weight float64, class int) {
	b.WriteString(m.classes[class])
	b.WriteString(" (" + hundredths(weight))
	if wrong := weight - classes[class]; gr(wrong, 0) {
		b.WriteString("/" + hundredths(wrong))
	}
	b.WriteString(")")
}

// hundredths rounds x, which is not negative, to two decimals and formats it
// as Java formats a double.
func hundredths(x float64) string {
	x = math.Floor(x*100+0.5) / 100
	if x >= 1e7 {
		s := strconv.FormatFloat(x, 'E', -1, 64)
		mantissa, exp, _ := strings.Cut(s, "E+0")
		if exp == "" {
			mantissa, exp, _ = strings.Cut(s, "E+")
		}
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		return mantissa + "E" + exp
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// decimals rounds x to at most six decimals, half away from zero. Numbers
// beyond the range of 64-bit integers after a shift by six digits are
// formatted in full.
func decimals(x float64) string {
	shifted := math.Abs(x) * 1e6
	if !(shifted < math.MaxInt64) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	digits := int64(shifted + 0.5)
	if digits == 0 {
		return "0"
	}
	s := fmt.Sprintf("%d.%06d", digits/1e6, digits%1e6)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if x < 0 {
		s = "-" + s
	}
	return s
}
