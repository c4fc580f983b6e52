package dataset

import (
	"crypto/sha256"
	"encoding/hex"
)

// StartsWith reports whether a table is known to have begun as one of n rows with the digest: rows
// were only added since. The values of nominal columns may have become more, as in a CSV file.
func StartsWith(t *Table, n int, digest string) bool {
	return n < t.n && (first(t, n, false) == digest || first(t, n, true) == digest)
}

// first returns the digest of the first n rows. Their nominal columns have all values or, if cut,
// only the first values, as far as these rows use them.
func first(t *Table, n int, cut bool) string {
	part := &Table{
		n: n, class: t.class, membership: membership{groupName: t.groupName},
		cols: make([]Column, len(t.cols)),
	}
	for i := range t.cols {
		c := &t.cols[i]
		part.cols[i].Attribute = c.Attribute
		if c.Kind == Numeric {
			part.cols[i].Numbers = c.Numbers[:n]
			continue
		}
		part.cols[i].Codes = c.Codes[:n]
		if !cut {
			continue
		}
		seen := 0
		for _, code := range c.Codes[:n] {
			seen = max(seen, int(code)+1)
		}
		part.cols[i].Values = c.Values[:seen]
	}
	if t.weights != nil {
		part.weights = t.weights[:n]
	}
	if t.groups != nil {
		part.groups = t.groups[:n]
	}
	e := encoder{h: sha256.New(), buf: make([]byte, 0, 4096)}
	e.table(part)
	e.flush()
	return hex.EncodeToString(e.h.Sum(nil))
}
