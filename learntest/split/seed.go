package split

import (
	"crypto/sha256"
	"encoding/binary"
)

// TrialSeed returns the seed of the trials of one fold of one run, both counted from 1, on the
// data set with the given digest. All learners get the same seed.
//
// The seed is the first 8 bytes, big-endian, of the SHA-256 of
//
//	learnbench trial v1, a zero byte, digest, a zero byte, seed, run, fold
//
// where seed, run and fold are 64-bit and big-endian.
func TrialSeed(seed uint64, digest string, run, fold int) uint64 {
	buf := make([]byte, 0, 128)
	buf = append(buf, "learnbench trial v1\x00"...)
	buf = append(buf, digest...)
	buf = append(buf, 0)
	buf = binary.BigEndian.AppendUint64(buf, seed)
	buf = binary.BigEndian.AppendUint64(buf, uint64(run))
	buf = binary.BigEndian.AppendUint64(buf, uint64(fold))
	sum := sha256.Sum256(buf)
	return binary.BigEndian.Uint64(sum[:])
}
