package record

import "fmt"

// maxLeftOut is the share of the items of either side that may be left out.
const maxLeftOut = 0.05

// onCommonItems restricts the scores to the items that both sides have, and counts the others.
// Items whose content or cluster differ are an error, and so is leaving out more than a twentieth
// of the items of a side.
func onCommonItems(a, b *scores) (x, y *scores, left LeftOut, err error) {
	if a.header.Grader != b.header.Grader || a.header.Weight != b.header.Weight || a.data != b.data {
		return a, b, left, a.comparable(b, 0, ErrMismatch)
	}
	inA, inB, onlyA, onlyB, changed := a.block.items.walk(b.block.items)
	left = LeftOut{onlyA.n, onlyB.n}
	if changed.n > 0 {
		return a, b, left, fmt.Errorf("%w: the items differ: content or cluster differ of %s",
			ErrMismatch, changed)
	}
	for _, side := range []struct {
		s    *scores
		only *idList
	}{{a, onlyA}, {b, onlyB}} {
		if n := len(side.s.block.items.ids); float64(side.only.n) > maxLeftOut*float64(n) {
			return a, b, left, fmt.Errorf("%w: the items differ: %d of the %d items of %s are on that side only, more than %.0f%%: %s",
				ErrMismatch, side.only.n, n, side.s.where, 100*maxLeftOut, side.only)
		}
	}
	c, d := *a, *b
	c.onItems(inA)
	d.onItems(inB)
	c.common, d.common = true, true
	return &c, &d, left, nil
}
