package main

import "slices"

// arrange returns an order of the nodes of a graph in which few edges run from a later node to an
// earlier one: graph[i][j] is whether an edge runs from i to j. It begins with nodes that no edge
// runs to, and moves nodes, one at a time, as long as that helps.
func arrange(graph [][]bool) []int {
	places := begin(graph)
	for moved := true; moved; {
		moved = false
		for _, node := range slices.Clone(places) {
			at := slices.Index(places, node)
			to, gain := best(graph, places, at)
			if gain > 0 {
				places = slices.Insert(slices.Delete(places, at, at+1), to, node)
				moved = true
			}
		}
	}
	return places
}

// begin returns an order in which each node comes next to which the fewest edges run from nodes
// after it, so that none runs back in a graph without cycles.
func begin(graph [][]bool) []int {
	var places, left []int
	for i := range graph {
		left = append(left, i)
	}
	edges := func(to int) (n int) {
		for _, from := range left {
			if graph[from][to] {
				n++
			}
		}
		return n
	}
	for len(left) > 0 {
		next := slices.MinFunc(left, func(i, j int) int { return edges(i) - edges(j) })
		places = append(places, next)
		left = slices.DeleteFunc(left, func(i int) bool { return i == next })
	}
	return places
}

// best returns the place to which a node may move, after it has been taken out of its own, and how
// many arrows fewer run back then.
func best(graph [][]bool, places []int, at int) (to, gain int) {
	node := places[at]
	to = at
	sum := 0
	for k := at + 1; k < len(places); k++ {
		sum += change(graph, node, places[k])
		if sum > gain {
			to, gain = k, sum
		}
	}
	sum = 0
	for k := at - 1; k >= 0; k-- {
		sum -= change(graph, node, places[k])
		if sum > gain {
			to, gain = k, sum
		}
	}
	return to, gain
}

// change returns how many edges fewer run back if a node goes from before another to after it.
func change(graph [][]bool, node, other int) int {
	n := 0
	if graph[other][node] {
		n++
	}
	if graph[node][other] {
		n--
	}
	return n
}
