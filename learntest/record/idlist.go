package record

import (
	"fmt"
	"strings"
)

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

// walk returns the numbers of the items that both lists have, in both, and the items that one of
// them has, or both with another content or cluster.
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
