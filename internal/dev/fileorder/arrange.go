package main

import "slices"

// arrange returns an order of the nodes of a graph in which few edges run from a later node to an
// earlier one: graph[i][j] is whether an edge runs from i to j. It begins with the nodes that
// nothing uses, as Eades, Lin and Smyth do ("A fast and effective heuristic for the feedback arc
// set problem", 1993), and then moves nodes, one at a time, as long as that helps.
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

// begin returns the order to begin with.
func begin(graph [][]bool) []int {
	left := make([]int, len(graph))
	for i := range left {
		left[i] = i
	}
	var first, last []int
	for len(left) > 0 {
		at, most := 0, -2*len(graph)
		atEnd := false
		for k, i := range left {
			in, out := 0, 0
			for _, j := range left {
				if graph[j][i] {
					in++
				}
				if graph[i][j] {
					out++
				}
			}
			if out == 0 {
				at, atEnd = k, true
				break
			}
			if in == 0 {
				out = 2 * len(graph)
			}
			if out-in > most {
				at, most = k, out-in
			}
		}
		if atEnd {
			last = append(last, left[at])
		} else {
			first = append(first, left[at])
		}
		left = slices.Delete(left, at, at+1)
	}
	slices.Reverse(last)
	return append(first, last...)
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
