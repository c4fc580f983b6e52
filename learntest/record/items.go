package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An Item is one case of a fixed suite, which fixed systems answer: a question, a document, a
// query.
type Item struct {
	ID      string // unique in its suite
	Cluster string // items of one cluster may depend on each other; if empty, the item is a cluster of its own
	Content string // hex digest of the question and its right answer; its first 8 digits are stored

	// Slices are the names of the slices that the item is in, such as "lang=de". The digests of the
	// header do not depend on them.
	Slices []string
}

// ItemsProtocol returns the text form of the protocol under which systems answer each item so many
// times.
func ItemsProtocol(repeats int) string { return fmt.Sprintf("items repeats=%d v1", repeats) }

// isItems reports whether a protocol is of items, and not of partitions.
func isItems(protocol string) bool { return strings.HasPrefix(protocol, "items ") }

// HasItems reports whether the results are of items: repeats are their runs, and items their folds.
func (h *Header) HasItems() bool { return isItems(h.Protocol) }

// SetItems sets Items, and the digests of them. It sorts a copy by id.
func (h *Header) SetItems(items []Item) error {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Item) int { return strings.Compare(a.ID, b.ID) })
	var b []byte
	sliced := false
	for i, it := range items {
		in, err := sortSlices(it.Slices)
		switch {
		case err != nil:
			return fmt.Errorf("%w: item %q: %w", ErrInvalid, it.ID, err)
		case it.ID == "":
			return fmt.Errorf("%w: an item has no id", ErrInvalid)
		case i > 0 && it.ID == items[i-1].ID:
			return fmt.Errorf("%w: two items have the id %q", ErrInvalid, it.ID)
		case len(it.Content) < contentDigits || strings.Trim(it.Content, hexDigits) != "":
			return fmt.Errorf("%w: item %q: its content %q is no digest", ErrInvalid, it.ID, it.Content)
		}
		b = append(appendName(b, it.ID, "/="), ' ')
		b = append(b, it.Content[:contentDigits]...)
		if it.Cluster != "" {
			b = appendName(append(b, " "+clusterOf...), it.Cluster, "/=")
		}
		for _, name := range in {
			b = appendName(append(b, ' '), name, "")
		}
		sliced = sliced || len(in) > 0
		b = append(b, '\n')
	}
	h.Items = string(b)
	h.DataDigest = digestOfItems(h.Items, sliced)
	h.SplitDigest = h.DataDigest
	return nil
}

// digestOfItems returns the digest of Header.Items, without the names of slices that some lines may
// have.
func digestOfItems(text string, sliced bool) string {
	h := sha256.New()
	h.Write([]byte("learnbench items v1\n"))
	if sliced {
		b := make([]byte, 0, len(text))
		for line := range strings.Lines(text) {
			id, rest, _ := strings.Cut(line[:len(line)-1], " ")
			rest, _ = cutSlices(rest)
			b = append(append(append(b, id...), ' '), rest...)
			b = append(b, '\n')
		}
		text = string(b)
	}
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// An itemList is Header.Items, line by line.
type itemList struct {
	text string
	ids  []string       // as in the file
	rest []string       // of each line, behind the id: digest, and cluster if there is one
	in   []string       // the slices of each item, as in the file; nil if no item has any
	at_  map[string]int // by id as in the file; nil until it is asked for
}

// parseItems returns the lines of Header.Items. The error names the item at fault.
func parseItems(h *Header) (*itemList, error) {
	l := &itemList{text: h.Items}
	n := strings.Count(h.Items, "\n")
	if n == 0 || !strings.HasSuffix(h.Items, "\n") {
		return nil, fmt.Errorf("the protocol %q has no items: key %s lists them", h.Protocol, keyItem)
	}
	l.ids, l.rest = make([]string, 0, n), make([]string, 0, n)
	last := ""
	for line := range strings.Lines(h.Items) {
		escaped, rest, _ := strings.Cut(line[:len(line)-1], " ")
		id, err := unescapeName(escaped)
		if err == nil {
			err = checkItem(id, escaped, rest)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s %q: %w", keyItem, excerpt([]byte(line[:len(line)-1])), err)
		case id == last:
			return nil, fmt.Errorf("%s %q is there twice", keyItem, id)
		case id < last:
			return nil, fmt.Errorf("%s %q comes after %q: they are in the order of their ids", keyItem, id,
				last)
		}
		last = id
		rest, in := cutSlices(rest)
		if in != "" && l.in == nil {
			l.in = make([]string, n)
		}
		if in != "" {
			l.in[len(l.ids)] = in
		}
		l.ids, l.rest = append(l.ids, escaped), append(l.rest, rest)
	}
	if have := digestOfItems(h.Items, l.in != nil); have != h.DataDigest || have != h.SplitDigest {
		return nil, fmt.Errorf("%s is %.12s and %s %.12s, and the digest of the %d items %.12s: an item was added, removed or changed by hand", dataDigest, h.DataDigest, splitDigest, h.SplitDigest, n, have)
	}
	return l, nil
}

// checkItem returns an error unless an item has an id, a digest, perhaps a cluster and perhaps
// slices, spelled as SetItems spells them: one spelling only, so that equal items are equal texts.
func checkItem(id, escaped, rest string) error {
	if strings.HasSuffix(rest, " ") {
		return fmt.Errorf("%q ends with a space", rest)
	}
	rest, in := cutSlices(rest)
	if err := checkSlicesOfItem(in); err != nil {
		return err
	}
	digest, cluster, more := strings.Cut(rest, " ")
	switch {
	case id == "":
		return fmt.Errorf("it has no id")
	case strings.IndexByte(escaped, '%') >= 0 && EscapeName(id) != escaped:
		return fmt.Errorf("the id is spelled %s", EscapeName(id))
	case len(digest) != contentDigits || strings.Trim(digest, hexDigits) != "":
		return fmt.Errorf("%q is no digest of %d digits", digest, contentDigits)
	case !more:
		return nil
	}
	name, ok := strings.CutPrefix(cluster, clusterOf)
	text, err := unescapeName(name)
	if !ok || err != nil || text == "" || EscapeName(text) != name {
		return fmt.Errorf("%q is no %sNAME", cluster, clusterOf)
	}
	return nil
}

// at returns an item.
func (l *itemList) at(i int) Item {
	id, _ := unescapeName(l.ids[i]) // as checked
	digest, cluster, _ := strings.Cut(l.rest[i], " ")
	cluster, _ = unescapeName(strings.TrimPrefix(cluster, clusterOf))
	it := Item{ID: id, Content: digest, Cluster: cluster}
	if l.in != nil {
		for _, name := range strings.Fields(l.in[i]) {
			name, _ = unescapeName(name)
			it.Slices = append(it.Slices, name)
		}
	}
	return it
}

// find returns the number of an id, as the file spells it.
func (l *itemList) find(id string) (int, bool) {
	if l.at_ == nil {
		l.at_ = make(map[string]int, len(l.ids))
		for i, have := range l.ids {
			l.at_[have] = i
		}
	}
	i, ok := l.at_[id]
	return i, ok
}

// SortItems returns the items by ascending id, which is how blocks number them, or an error that
// wraps ErrInvalid if they are none: see [Header.SetItems].
func SortItems(items []Item) ([]Item, error) {
	var h Header
	if err := h.SetItems(items); err != nil {
		return nil, err
	}
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Item) int { return strings.Compare(a.ID, b.ID) })
	return items, nil
}

// SlicesOfItems returns the slices that items are in, by ascending name. Their digests are of the
// ids of the members.
func SlicesOfItems(items []Item) []Slice {
	members := make(map[string][]string)
	for _, it := range items {
		for _, name := range it.Slices {
			members[name] = append(members[name], it.ID)
		}
	}
	var of []Slice
	for _, name := range slices.Sorted(maps.Keys(members)) {
		ids := members[name]
		slices.Sort(ids)
		var b []byte
		for _, id := range ids {
			b = append(appendName(b, id, "/="), '\n')
		}
		of = append(of, Slice{Name: name, Members: len(ids), Digest: digestOfItems(string(b), false)[:8]})
	}
	return of
}

// slice returns the slice of a name, and the numbers of its items.
func (l *itemList) slice(name string) (s Slice, members []int) {
	escaped := string(appendName(nil, name, ""))
	var items []Item
	for i, in := range l.in {
		if slices.Contains(strings.Fields(in), escaped) {
			items = append(items, Item{ID: l.at(i).ID, Slices: []string{name}})
			members = append(members, i)
		}
	}
	if members == nil {
		return Slice{}, nil
	}
	return SlicesOfItems(items)[0], members
}
