package c45

// finish copies the tree to t, without the nodes that were cut off.
func (g *weighted) finish(t *tree) {
	t.nodes = append(t.nodes[:0], node{})
	t.dist = t.dist[:0]
	g.copyNode(t, 0, 0)
}

func (g *weighted) copyNode(t *tree, to, from int32) {
	n := &g.nodes[from]
	size := 1 + g.classes
	if n.split != leaf {
		size += int(n.num) * (1 + g.classes)
	}
	d := node{split: n.split, empty: n.empty, dist: int32(len(t.dist))}
	t.dist = append(t.dist, g.dist[n.dist:][:size]...)
	if n.split != leaf {
		d.cut, d.num = n.cut, n.num
		d.attr = t.attr(g.table, g.cols[n.col].col)
		d.first = int32(len(t.nodes))
		t.nodes = extend(t.nodes, int(n.num))
	}
	t.nodes[to] = d
	if n.split != leaf {
		for b := range n.num {
			g.copyNode(t, d.first+b, n.first+b)
		}
	}
}
