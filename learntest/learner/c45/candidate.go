package c45

// A candidate is the best split of a node on one column.
type candidate struct {
	col          int32
	lower, upper float64 // numeric: the values on either side of the threshold
	at           int32   // numeric: the number of keys below the threshold
	from         int     // numeric: the place of the keys in the lists of the node
	gain         float64 // information gain in bits
	info         float64 // split information in bits, times the weight of the node
	valid        bool
}

// choose returns the index of the candidate of greatest gain ratio among the candidates whose
// gain is not below the average, or -1 if there is none. The average omits the columns in
// many; weight is the weight of the node.
func choose(many []bool, cands []candidate, weight float64) int {
	sum, valid := 0.0, 0
	for i := range cands {
		if c := &cands[i]; !many[c.col] {
			sum += c.gain
			valid++
		}
	}
	if valid == 0 {
		return -1
	}
	least := sum/float64(valid) - 1e-3
	best, most := -1, 0.0
	for i := range cands {
		c := &cands[i]
		if c.gain < least || eq(c.info, 0) {
			continue
		}
		if ratio := c.gain / (c.info / weight); gr(ratio, most) {
			best, most = i, ratio
		}
	}
	return best
}

// minSplit returns the least weight on either side of a numeric split.
func minSplit(known float64, classes, minLeaf int) float64 {
	least := 0.1 * known / float64(classes)
	switch {
	case smEq(least, float64(minLeaf)):
		return float64(minLeaf)
	case gr(least, 25):
		return 25
	}
	return least
}
