package c45

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// String returns the tree in the layout of Weka's J48: a line for each branch, and for each
// leaf its class, the weight of the training instances that reached it and, after a slash, the
// weight of the instances of other classes. Thresholds are rounded to six decimals.
func (m *Model) String() string {
	pruned := "pruned"
	if m.classifier.cfg.Pruning == Unpruned {
		pruned = "unpruned"
	}
	return fmt.Sprintf("J48 %s tree\n------------------\n%v\n\nNumber of Leaves  : \t%d\n\nSize of the tree : \t%d\n",
		pruned, m.inWekaOrder(), m.Leaves(), m.Size())
}

// String returns the branches and leaves.
func (m *tree) String() string {
	var b strings.Builder
	root := &m.nodes[0]
	if root.split == leaf {
		b.WriteString(": ")
		m.label(&b, m.perClass(root), m.total(root), majority(m.perClass(root)))
	} else {
		m.print(&b, root, 0)
	}
	return b.String()
}

func (m *tree) print(b *strings.Builder, n *node, depth int) {
	a := &m.attrs[n.attr]
	for i := range int(n.num) {
		b.WriteByte('\n')
		for range depth {
			b.WriteString("|   ")
		}
		b.WriteString(a.Meta.Name)
		switch {
		case n.split == nominal:
			b.WriteString(" = " + a.Meta.Values[i])
		case i == 0:
			b.WriteString(" <= " + weka.Decimals(n.cut))
		default:
			b.WriteString(" > " + weka.Decimals(n.cut))
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

// label writes the class of a leaf, its weight and the weight of the other classes.
func (m *tree) label(b *strings.Builder, classes []float64, weight float64, class int) {
	b.WriteString(m.classes[class])
	b.WriteString(" (" + weka.Hundredths(weight))
	if wrong := weight - classes[class]; gr(wrong, 0) {
		b.WriteString("/" + weka.Hundredths(wrong))
	}
	b.WriteString(")")
}
