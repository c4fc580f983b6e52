package learntest

import "github.com/learnbench/learnbench/learntest/dataset"

// digestOfRows returns the value that dataset.DigestOf is to digest for rows: the digests of their
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
