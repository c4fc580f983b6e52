package study

import "math"

// A tally is a weighted mean of values that come in clusters: the values of a cluster need
// not be independent of one another.
type tally struct {
	order []string
	parts map[string]*[2]float64 // sum and weight of each cluster
	n     int
}

// Add adds values of a cluster with their sum and their weight, which is their
// number or, where each series of values counts equally, 1.
func (t *tally) add(cluster string, sum, weight float64) {
	if weight == 0 {
		return
	}
	if t.parts == nil {
		t.parts = make(map[string]*[2]float64)
	}
	p := t.parts[cluster]
	if p == nil {
		p = new([2]float64)
		t.parts[cluster] = p
		t.order = append(t.order, cluster)
	}
	p[0] += sum
	p[1] += weight
	t.n++
}

// mean returns the mean; NaN if there are no values.
func (t *tally) mean() float64 {
	var sum, weight float64
	for _, c := range t.order {
		sum += t.parts[c][0]
		weight += t.parts[c][1]
	}
	return sum / weight
}

// se returns the standard error of the mean as the error of a ratio of means over
// clusters; NaN if there are fewer than two.
func (t *tally) se() float64 {
	k := float64(len(t.order))
	if k < 2 {
		return math.NaN()
	}
	mean, squares, weight := t.mean(), 0.0, 0.0
	for _, c := range t.order {
		p := t.parts[c]
		e := p[0] - float64(mean*p[1])
		squares += float64(e * e)
		weight += p[1]
	}
	return math.Sqrt(squares*k/(k-1)) / weight
}
