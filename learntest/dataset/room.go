package dataset

import (
	"io"
	"io/fs"
)

const (
	// fewRows is the number of rows from which on their mean length tells how many follow.
	fewRows = 1000

	// mostGrowth bounds the factor by which a column grows at once, whatever the file promises.
	mostGrowth = 8

	// manyRows is the number of rows whose mean length is believed further: from there on a column
	// grows by sureGrowth at once, so that a large file is not copied for the most part.
	manyRows   = mostGrowth * fewRows
	sureGrowth = 128

	// spareRows is a factor that spares most files whose later rows are shorter another copy.
	spareRows = 1.02
)

// sizeOf returns the number of bytes that r is about to yield, or 0 if nobody knows.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len())
	case fs.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// room returns a column with room for the rows that the file is likely to have. Growing bit by bit
// copies large columns several times, to memory that nothing has touched yet.
func room[T any](s []T, b *budget) []T {
	if len(s) < cap(s) || len(s) < fewRows || b.size <= b.taken || b.taken == 0 {
		return s
	}
	n, most := float64(len(s)), float64(mostGrowth)
	if len(s) >= manyRows {
		most = sureGrowth
	}
	likely := min(spareRows*n*float64(b.size)/float64(b.taken), most*n)
	grown := make([]T, len(s), int(max(likely, 1.25*n)))
	copy(grown, s)
	return grown
}
