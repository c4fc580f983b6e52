package record

import (
	"fmt"
	"strings"
)

// ItemsDiffer returns an error that wraps ErrMismatch, with the first ids, unless two blocks of items have the
// same items and the same grader. The error calls the blocks by the given names.
func ItemsDiffer(a, b *Block, nameA, nameB string) error {
	return itemsDiffer(&scores{block: a, header: &a.Header, where: nameA}, &scores{block: b, header: &b.Header, where: nameB}, ErrMismatch)
}

func itemsDiffer(a, b *scores, kind error) error {
	if x, y := a.header.Grader, b.header.Grader; x != y {
		return &MismatchError{Err: kind, What: "Grader", WhereA: a.where, WhereB: b.where, A: x, B: y}
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

// walk returns the numbers of the items that both lists have, in both, and the items that one of them has, or both with another
// content or cluster.
func (l *itemList) walk(o *itemList) (inL, inO []int, onlyL, onlyO, changed *idList) {
	onlyL, onlyO, changed = new(idList), new(idList), new(idList)
	i, j := 0, 0
	for i < len(l.ids) || j < len(o.ids) {
		switch {
		case j == len(o.ids) || i < len(l.ids) && l.at(i).ID < o.at(j).ID:
			onlyL.add(l, i)
			i++
		case i == len(l.ids) || o.at(j).ID < l.at(i).ID:
			onlyO.add(o, j)
			j++
		default:
			if l.rest[i] != o.rest[j] {
				changed.add(l, i)
			}
			inL, inO = append(inL, i), append(inO, j)
			i, j = i+1, j+1
		}
	}
	return inL, inO, onlyL, onlyO, changed
}

// An idList counts items and names the first few.
type idList struct {
	n     int
	first []string
}

func (l *idList) add(from *itemList, i int) {
	if l.n++; l.n <= maxListed {
		l.first = append(l.first, from.at(i).ID)
	}
}

func (l *idList) String() string {
	s := strings.Join(l.first, ", ")
	if more := l.n - len(l.first); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}
