package trial

import (
	"crypto/sha256"
	"encoding/binary"
)

// Of how many cells one is drawn: OneInTrained where they are trained here, and OneInCached where a
// cache has them.
const (
	OneInTrained = 20
	OneInCached  = 50
)

// Drawn reports whether a learner is to be trained again in a cell of a protocol with the given
// seed and so many folds, on the data set with the given digest: one cell of each oneIn that follow
// one another, and never the very first, which is trained again anyway.
//
// The place of that cell among its 20, say, both counted from 0, is the remainder by 20 of the
// first 8 bytes, big-endian, of the SHA-256 of
//
//	learnbench again v1, a zero byte, digest, a zero byte, learner, a zero byte, seed, number of the 20
//
// where seed and number are 64-bit and big-endian; among the first 20 it is 1 plus the remainder by
// 19.
func Drawn(oneIn int, seed uint64, digest, learner string, run, fold, folds int) bool {
	var d Draws
	return d.Drawn(oneIn, seed, digest, learner, run, fold, folds)
}

// Draws are the cells of one learner that are drawn. They hash once for cells that follow one
// another, and otherwise do what the function [Drawn] does.
type Draws struct {
	place  int // of the cell among its oneIn, from 1; 0 if it is not known
	number int // of these
}

// Drawn reports whether the learner is to be trained again in a cell.
func (d *Draws) Drawn(oneIn int, seed uint64, digest, learner string, run, fold, folds int) bool {
	at := (run-1)*folds + fold - 1
	if number := at / oneIn; d.place == 0 || d.number != number {
		d.place, d.number = 1+placeOf(oneIn, seed, digest, learner, number), number
	}
	return at%oneIn == d.place-1
}

// placeOf returns the place of the cell that is drawn among the oneIn of the given number.
func placeOf(oneIn int, seed uint64, digest, learner string, number int) int {
	buf := make([]byte, 0, 160)
	buf = append(buf, "learnbench again v1\x00"...)
	buf = append(buf, digest...)
	buf = append(buf, 0)
	buf = append(buf, learner...)
	buf = append(buf, 0)
	buf = binary.BigEndian.AppendUint64(buf, seed)
	buf = binary.BigEndian.AppendUint64(buf, uint64(number))
	sum := sha256.Sum256(buf)
	h := binary.BigEndian.Uint64(sum[:])
	if number == 0 {
		return 1 + int(h%uint64(oneIn-1))
	}
	return int(h % uint64(oneIn))
}
