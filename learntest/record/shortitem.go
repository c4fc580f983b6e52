package record

import (
	"bytes"
)

var (
	beforeRepeat = []byte("/repeat=")
	afterRepeat  = []byte(" 1 ")
	afterCall    = []byte(" " + unitCall)
)

// parseItem is parse for the line of an answer, from its item on.
func (s *shortForm) parseItem(e *entry, text, rest []byte, timeless bool) (head []byte, ok bool) {
	if rest, ok = s.cutItem(rest); !ok {
		return nil, false
	}
	e.fold, e.trainN, e.testN = s.item+1, 0, 1
	if e.run, rest, ok = cutCount(rest, afterRepeat); !ok {
		return nil, false
	}
	for i, unit := range s.units {
		if i == len(s.units)-1 { // nothing need follow
			unit = unit[:len(unit)-1]
		}
		if s.values[i], rest, ok = cutFloat(rest, unit); !ok {
			return nil, false
		}
	}
	head = text[:len(text)-len(rest)]
	if timeless {
		return head, len(rest) == 0
	}
	if len(rest) == 0 || rest[0] != ' ' {
		return nil, false
	}
	if !e.timed {
		rest, ok = skipFloat(rest[1:], afterCall)
	} else {
		e.predict, rest, ok = cutFloat(rest[1:], afterCall)
	}
	return head, ok && len(rest) == 0 && !(e.predict < 0)
}

// cutItem takes the item, which is nearly always the last line's or the next one.
func (s *shortForm) cutItem(text []byte) ([]byte, bool) {
	for item := s.item; item < s.item+2 && item < len(s.items.ids); item++ {
		id := s.items.ids[item]
		if len(text) > len(id) && string(text[:len(id)]) == id {
			if rest, ok := bytes.CutPrefix(text[len(id):], beforeRepeat); ok {
				s.item = item
				return rest, true
			}
		}
	}
	id, _, ok := bytes.Cut(text, beforeRepeat)
	if !ok {
		return text, false
	}
	item, ok := s.items.find(string(id))
	if !ok {
		return text, false
	}
	s.item = item
	return text[len(id)+len(beforeRepeat):], true
}
