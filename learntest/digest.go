package learntest

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/canonical"
)

// DigestOf returns the hex SHA-256 of a canonical encoding of the values. It depends only on their
// types' structure and their contents: equal values have equal digests in every process and on
// every machine.
//
// Each value is encoded as a tag byte and its content; integers are 64-bit and
// big-endian:
//
//	b bool (0 or 1)      i integer       u unsigned      f float (IEEE bits)
//	c complex (2 floats) s string (length, bytes)        n nil
//	l slice or array (length, elements)  t struct (number of fields; name and value of each)
//	m map (length; SHA-256 of each key with its value, sorted, as strings)
//	p pointer or interface (the value)
//
// All NaN are one; -0 differs from 0. Unexported fields count. The error names
// the type and path of the first channel, function or unsafe pointer, or of a pointer that leads
// back to itself.
func DigestOf(values ...any) (string, error) { return canonical.Digest(values...) }

// digestOfRows returns the value that [DigestOf] is to digest for rows: the digests of their
// tables, and their indices. How a table is stored changes with its use, and does not count.
func digestOfRows(rows []dataset.Row) any {
	type row struct{ Table, Index int }
	var digests []string
	number := make(map[*dataset.Table]int)
	out := make([]row, len(rows))
	for i, r := range rows {
		n, ok := number[r.Table]
		if !ok {
			n = len(digests)
			number[r.Table] = n
			digest := ""
			if r.Table != nil {
				digest = r.Table.CurrentDigest()
			}
			digests = append(digests, digest)
		}
		out[i] = row{n, r.Index}
	}
	return struct {
		Tables []string
		Rows   []row
	}{digests, out}
}
