package record

// pairItems turns pairs with a score a repeat into pairs with a score an item.
func (p *Pairs) pairItems(a, b *scores) {
	n := a.folds
	p.Items = &ItemPairs{Items: a.items(), A: byRepeat(a, n), B: byRepeat(b, n)}
	for i, s := range []*scores{a, b} {
		p.Items.Versions[i], p.Items.Replays[i] = s.header.Of(s.learner).Version(),
			s.header.Of(s.learner).Replay()
		p.Items.Probes[i] = s.header.Of(s.learner).Probe()
	}
	p.A, p.B = itemMeans(p.Items.A, n), itemMeans(p.Items.B, n)
	p.TrainN, p.TestN = a.trainN[:n:n], a.testN[:n:n]
	p.Runs, p.More, p.Folds, p.Planned = 1, 0, n, 0

	// Equal programs that ask others, such as a model behind an API, prove nothing.
	p.SameProgram = false
}

// byRepeat returns the scores of each repeat.
func byRepeat(s *scores, n int) [][]float64 {
	var all [][]float64
	for from := 0; from < s.runs*n; from += n {
		all = append(all, s.values[from:from+n:from+n])
	}
	return all
}

// itemMeans returns the mean score of each item.
func itemMeans(repeats [][]float64, n int) []float64 {
	if len(repeats) == 1 {
		return repeats[0]
	}
	means := make([]float64, n)
	for i := range means {
		sum := 0.0
		for _, scores := range repeats {
			sum += scores[i]
		}
		means[i] = sum / float64(len(repeats))
	}
	return means
}

// ByItem returns the scores of each item in all repeats, of candidate and baseline.
func (p *ItemPairs) ByItem() (a, b [][]float64) { return byItem(p.A), byItem(p.B) }

func byItem(repeats [][]float64) [][]float64 {
	n := len(repeats[0])
	all := make([][]float64, n)
	scores := make([]float64, n*len(repeats))
	for i := range all {
		all[i], scores = scores[:len(repeats):len(repeats)], scores[len(repeats):]
		for k := range repeats {
			all[i][k] = repeats[k][i]
		}
	}
	return all
}

// ClusterNumbers returns the number of clusters, and for each item the number of its own; nil if
// each item is a cluster of its own.
func ClusterNumbers(items []Item) (n int, of []int) {
	numbers := make(map[string]int)
	of = make([]int, len(items))
	for i, it := range items {
		number, ok := numbers[it.Cluster]
		if !ok {
			number = n
			n++
		}
		if it.Cluster != "" {
			numbers[it.Cluster] = number
		}
		of[i] = number
	}
	if len(numbers) == 0 {
		return n, nil
	}
	return n, of
}

// OddEven returns the pairs of a system's odd repeats with its even ones, given the pairs of the
// system with itself.
func (p *Pairs) OddEven() *Pairs {
	q := *p
	q.Items = &ItemPairs{Items: p.Items.Items}
	for k, scores := range p.Items.A {
		if k%2 == 0 { // the first one is odd
			q.Items.A = append(q.Items.A, scores)
		} else {
			q.Items.B = append(q.Items.B, scores)
		}
	}
	q.A, q.B = itemMeans(q.Items.A, p.Folds), itemMeans(q.Items.B, p.Folds)
	return &q
}
