package c45

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// chooseFactor returns the cost-complexity factor for a tree grown on the rows
// of t, and the factors of its nodes.
//
// The rows are shuffled and divided into folds that keep the proportions of the classes. For
// each subtree of the sequence, the trees that minimise the cost for the geometric mean of its
// factor and the next one are grown without one of the folds and tested on it [1].
//
// [1] L. Breiman, J. H. Friedman, R. A. Olshen & C. J. Stone, Classification
// and Regression Trees, Wadsworth, 1984, 3.4.
func (c *Classifier) chooseFactor(t *dataset.Table, rows []int32, seed uint64,
	x *tree,
) (chosen float64, factor []float64) {
	factor = x.factors()
	sequence := sequence(factor)
	if len(sequence) == 1 || len(rows) < 2 {
		return sequence[0], factor
	}
	middle := make([]float64, len(sequence))
	for k := range middle {
		middle[k] = math.Inf(1)
		if k+1 < len(sequence) {
			middle[k] = math.Sqrt(sequence[k] * sequence[k+1])
		}
	}
	folds := min(c.cfg.Folds, len(rows))
	fold := deal(t, rows, folds, seed)
	weight := func(r int32) float64 {
		if w := t.Weights(); w != nil {
			return w[r]
		}
		return 1
	}
	wrong := make([]float64, len(sequence))
	total := 0.0
	m, w := c.models.Get(), c.spaces.Get()
	var train []int32
	for f := range folds {
		train = train[:0]
		for i, r := range rows {
			if fold[i] != f {
				train = append(train, r)
			}
		}
		w.train(c, t, train, &m.tree)
		s := newSubtrees(&m.tree, c.cfg.Laplace)
		for i, r := range rows {
			if fold[i] == f {
				s.addErrors(wrong, middle, t, int(r), weight(r))
				total += weight(r)
			}
		}
	}
	c.models.Put(m)
	c.spaces.Put(w)
	best := 0
	for k, e := range wrong {
		if e <= wrong[best] {
			best = k
		}
	}
	limit := wrong[best]
	if !c.cfg.LeastError {
		rate := limit / total
		limit += float64(math.Sqrt(rate*(1-rate)/total) * total)
	}
	for k := range wrong {
		if wrong[k] <= limit {
			best = max(best, k)
		}
	}
	return sequence[best], factor
}

// sequence returns the distinct factors at which the tree shrinks in ascending
// order, starting with 0.
func sequence(factor []float64) []float64 {
	s := []float64{0}
	for _, f := range factor {
		if !math.IsInf(f, 0) {
			s = append(s, f)
		}
	}
	slices.Sort(s)
	return slices.Compact(s)
}

// deal gives each row a fold, at random, but such that the folds of a class
// differ in size by one at most.
func deal(t *dataset.Table, rows []int32, folds int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 0xc45))
	order := rng.Perm(len(rows))
	slices.SortStableFunc(order, func(i,
		j int,
	) int {
		return t.Class(int(rows[i])) - t.Class(int(rows[j]))
	})
	fold := make([]int, len(rows))
	for k, i := range order {
		fold[i] = k % folds
	}
	return fold
}

// subtrees are the subtrees of a tree for all cost-complexity factors.
type subtrees struct {
	*tree
	factor []float64
	label  []int // class of each node as a leaf
	p      predictor
	dist   []float64
	path   []int32
}

func newSubtrees(x *tree, laplace bool) *subtrees {
	s := &subtrees{
		tree: x, factor: x.factors(), p: predictor{laplace: laplace},
		dist: make([]float64, len(x.classes)),
	}
	for i := range x.nodes {
		s.label = append(s.label, learner.Best(x.perClass(&x.nodes[i])))
	}
	return s
}

// addErrors adds weight to wrong[k] if the subtree for the factor limit[k]
// takes a row for another class than it is of. limit is ascending.
func (s *subtrees) addErrors(wrong, limit []float64, t *dataset.Table, row int, weight float64) {
	class := t.Class(row)
	trainset.Bind(&s.bound, t, "c45", s.attrs)
	// path are the nodes that the row passes, up to a value that it lacks.
	s.path = s.path[:0]
	at, known := int32(0), true
	for {
		n := &s.nodes[at]
		if n.empty {
			break // a leaf above which the class is decided
		}
		s.path = append(s.path, at)
		if n.split == leaf {
			break
		}
		b := s.branch(n, row)
		if b < 0 {
			known = false
			break
		}
		at = n.first + int32(b)
	}
	// For greater limits, the class is decided at an earlier node of the path.
	i := len(s.path) - 1
	for k, l := range limit {
		for i > 0 && s.factor[s.path[i-1]] <= l {
			i--
		}
		label := s.label[s.path[i]]
		if !known && i == len(s.path)-1 && s.factor[s.path[i]] > l {
			s.p.factor, s.p.limit = s.factor, l
			s.p.predict(s.tree, t, row, s.dist)
			label = learner.Best(s.dist)
		}
		if label != class {
			wrong[k] += weight
		}
	}
}
