// Package blockfile keeps a text file of keyed blocks that many goroutines and
// many processes extend and replace at the same time. No kill and no power
// failure damages it, and the cost of adding a block does not depend on how
// many there are.
//
// A block begins with a line that starts with a marker and ends before the
// next such line or at the end of the file. What a block is about, its key, the
// caller reads from its head. Text before the first block and blank lines
// between blocks are kept.
//
// # States
//
// The first byte of a marker is its state. With the marker "learnbench-format: "
// a line starts with
//
//	learnbench-format: ...   Live: the block counts
//	Learnbench-format: ...   Pending: an append that is not committed; it
//	                         reaches to the end of the file
//	Rearnbench-format: ...   Retired: another block takes its place
//
// Who reads the file without this package skips retired blocks, and skips all
// from a pending marker on, unless a retired block comes before it.
//
// # Order of writes
//
// [File.Put] replaces the blocks of some keys under an exclusive lock:
//
//  1. The new text goes to the end in one write, behind one blank line, its
//     first marker pending; sync.
//  2. The blocks to be replaced become retired, one byte each; sync.
//  3. The pending byte becomes live; sync. The blocks are acknowledged.
//  4. The retired blocks are overwritten with newlines: first all but their
//     markers; sync; then the markers; sync.
//
// Where nothing is replaced, there are only 1 and 3. What a writer finds when
// the one before it was interrupted says how far that one got:
//
//   - Interrupted in 1: the pending block, perhaps cut off, is the last and
//     nothing is retired. It is cut off together with the blank line. A last
//     line that is a part of a pending marker, or zeros that a file system left
//     in place of text, count as a pending block.
//   - Interrupted in 2: some blocks are retired. So the append was synced, and
//     is complete: the transaction is carried on. The keys of the pending blocks
//     say which blocks are to be retired besides; then come 3 and 4.
//   - Interrupted in 3: as in 2 or as in 4, since a byte is written or not.
//   - Interrupted in 4: nothing is pending, and retired blocks are blanked. The body goes
//     first, so that the retired marker stays until only the marker is left. A marker is
//     blanked from its front within one disk sector; the remainder is the end of a marker
//     behind as many newlines as are missing from it, and is blanked too.
//
// Each step of a recovery is a step of the transaction, in the same order, so
// that an interrupted recovery leaves nothing else than the above.
//
// A small file in which something is replaced is written anew to a file beside
// it, synced and renamed, so that it never fills with blank lines; a large one when
// more than half of it is blank. A reader then has the old file or the new one.
//
// # Other writers
//
// Another program may append whole blocks to the file, rewrite it or truncate it: the index of
// a file is checked under the lock before it is used. It must not append between an
// interrupted write and the next one, since a pending block reaches to the end of the file.
// Where that shows, as in files that were joined, Put returns an error. So it does if the last
// line has no newline: a number that was cut off may still be a number.
package blockfile
