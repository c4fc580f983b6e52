package record

import (
	"fmt"
	"strings"
)

// ItemsDiffer returns an error that wraps ErrMismatch, with the first ids, unless two blocks of
// items have the same items, the same grader and the same weights. The error calls the blocks by
// the given names.
func ItemsDiffer(a, b *Block, nameA, nameB string) error {
	return itemsDiffer(&scores{block: a, header: &a.Header, where: nameA},
		&scores{block: b, header: &b.Header, where: nameB}, ErrMismatch)
}

// otherWeights returns the error of blocks of which one weighs items equally, and the other one
// clusters.
func otherWeights(kind error, a, b string, aItems bool) error {
	if !aItems {
		a, b = b, a
	}
	return fmt.Errorf("%w: the weights differ: items weigh equally in %s, and clusters in %s, which are two questions", kind, a, b)
}

func itemsDiffer(a, b *scores, kind error) error {
	if x, y := a.header.Grader, b.header.Grader; x != y {
		return &MismatchError{Err: kind, What: "Grader", WhereA: a.where, WhereB: b.where, A: x, B: y}
	}
	if x, y := a.header.Weight, b.header.Weight; x != y {
		return otherWeights(kind, a.where, b.where, x == "")
	}
	if a.header.DataDigest == b.header.DataDigest { // slices may differ
		return nil
	}
	_, _, onlyA, onlyB, changed := a.block.items.walk(b.block.items)
	var parts []string
	for _, p := range []struct {
		list *idList
		what string
	}{{onlyB, "only %s has %s"}, {onlyA, "only %s has %s"}} {
		if p.list.n == 0 {
			continue
		}
		where := a.where
		if p.list == onlyB {
			where = b.where
		}
		parts = append(parts, fmt.Sprintf(p.what, where, p.list))
	}
	if changed.n > 0 {
		parts = append(parts, "content or cluster differ of "+changed.String())
	}
	return fmt.Errorf("%w: the items differ: %s", kind, strings.Join(parts, "; "))
}
