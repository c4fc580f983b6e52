package split

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
)

// DistinctRuns returns how many of the runs are different, regardless of the
// order of folds and of the order of examples in a set. Runs that repeat
// one another say nothing new about a deterministic learner, but a significance
// test would count them; with few groups or few examples some always do.
//
// Except for [Predefined] partitions it takes a fraction of the time of
// [Plan.Digest], and where the first few hundred examples tell the runs apart no
// longer for many examples than for few: there is no need to know in advance
// whether runs can repeat.
func (p *Plan) DistinctRuns() int {
	if p.Runs() == 1 {
		return 1
	}
	if c, ok := p.layout.(complementary); ok {
		return p.distinctTests(c)
	}
	distinct := make(map[string]bool)
	var train, test []int
	for run := 1; run <= p.Runs(); run++ {
		folds := make([]string, 0, p.folds)
		for fold := 1; fold <= p.folds; fold++ {
			train, test = p.Trial(run, fold, train[:0], test[:0])
			slices.Sort(train)
			slices.Sort(test)
			h := newPlanHash(1, 1)
			h.add(train)
			h.add(test)
			folds = append(folds, h.sum())
		}
		slices.Sort(folds)
		distinct[strings.Join(folds, " ")] = true
	}
	return len(distinct)
}

// distinctTests counts the runs with different test sets. Most often few
// examples are enough to tell all runs apart.
func (p *Plan) distinctTests(c complementary) int {
	const few = 512
	if p.n > few {
		if distinct := p.distinctAmong(c, few); distinct == p.Runs() {
			return distinct
		}
	}
	return p.distinctAmong(c, p.n)
}

// distinctAmong counts the runs that differ in how they test the first n
// examples.
func (p *Plan) distinctAmong(c complementary, n int) int {
	distinct := make(map[[sha256.Size]byte]bool)
	of := make([]uint16, n)
	names := make([]uint16, p.folds+1)
	text := make([]byte, 2*n)
	for run := 1; run <= p.Runs(); run++ {
		c.tested(run, of)
		// A fold is called after the first example that it tests.
		clear(names)
		last := uint16(0)
		for i, fold := range of {
			if fold != 0 && names[fold] == 0 {
				last++
				names[fold] = last
			}
			binary.LittleEndian.PutUint16(text[2*i:], names[fold])
		}
		distinct[sha256.Sum256(text)] = true
	}
	return len(distinct)
}
