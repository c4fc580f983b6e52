package dataset

import "github.com/learnbench/learnbench/learntest/internal/canonical"

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
