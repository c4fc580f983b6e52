package predictions

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// The keys of a head, in their order, and the key of its end.
const (
	keyFormat        = "learnbench-predictions"
	keyPkg           = "pkg"
	keyTest          = "test"
	keyProtocol      = "protocol"
	keyDataDigest    = "data-sha256"
	keySplitDigest   = "split-sha256"
	keyData          = "Data"
	keyExamples      = "Examples"
	keyClasses       = "Classes"
	keyProbabilities = "Probabilities"
	keyChecksum      = "Checksum"

	version = "1"
)

// Lengths of lines, in bytes.
const (
	maxLine = 60_000
	chunk   = 50_000        // of the values in a line that is written, and of its examples
	maxName = 9_000         // of an escaped name
	maxQ    = chunk / 4 * 3 // of probabilities before they are base64
	// maxWidth is the greatest number of probabilities of an example.
	maxWidth = maxQ / 8
)

// alphabet are the letters of classes and folds.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// The marks of values that are no class, no fold and no number.
const (
	markRight   = '.'
	markNone    = '!'
	markMissing = '-'
)

// Write writes blocks. The error wraps ErrInvalid for a block that cannot be read back.
func Write(w io.Writer, blocks ...*Block) error {
	for _, b := range blocks {
		if err := b.write(w, chunk); err != nil {
			return err
		}
	}
	return nil
}

// Checksum returns the checksum at the end of the block as a file has it: of the text that the
// block was read from, or of the text that [Write] writes. Results name it in their key
// Predictions.
func (b *Block) Checksum() (string, error) {
	if b.sum == "" {
		if err := b.write(io.Discard, chunk); err != nil {
			return "", err
		}
	}
	return b.sum, nil
}

// write writes the block, with at most so many letters in a line, and sets its checksum.
func (b *Block) write(to io.Writer, chunk int) error {
	w := &writer{block: b, chunk: chunk, hash: sha256.New()}
	w.packer, _ = to.(*packer)
	w.out = bufio.NewWriterSize(io.MultiWriter(to, w.hash), maxLine)
	if err := w.head(); err != nil {
		return fmt.Errorf("%w: data set %s: %w", ErrInvalid, b.Data, err)
	}
	w.body()
	if err := errors.Join(w.err, w.out.Flush()); err != nil {
		return err
	}
	b.sum = hex.EncodeToString(w.hash.Sum(nil))
	_, err := fmt.Fprintf(to, "%s: %s\n", keyChecksum, b.sum)
	return err
}

// A writer writes a block. Its buffer keeps the first error.
type writer struct {
	block  *Block
	chunk  int
	out    *bufio.Writer
	packer *packer // nil unless the parts are compressed apart
	hash   hash.Hash
	line   []byte
	err    error // of a packer
}

// part begins a part that has a level of its own.
func (w *writer) part(level int) {
	if w.packer != nil && w.err == nil && w.out.Flush() == nil { // whose error stays
		w.err = w.packer.begin(level)
	}
}

func (w *writer) key(name, value string) { fmt.Fprintf(w.out, "%s: %s\n", name, value) }

// readable takes back the escapes that only the names of trials need.
var readable = strings.NewReplacer("%2f", "/", "%3d", "=")

func (w *writer) head() error {
	b := w.block
	for _, name := range append([]string{b.Data, b.Pkg, b.Test, b.Protocol}, b.learners...) {
		if err := checkName(name); err != nil {
			return err
		}
	}
	w.key(keyFormat, version)
	for _, k := range []struct{ name, value string }{{keyPkg, b.Pkg}, {keyTest, b.Test}} {
		if k.value != "" {
			w.key(k.name, readable.Replace(record.EscapeName(k.value)))
		}
	}
	w.key(keyProtocol, b.Protocol)
	w.key(keyDataDigest, b.DataDigest)
	w.key(keySplitDigest, b.SplitDigest)
	w.key(keyData, record.EscapeName(b.Data))
	w.key(keyExamples, strconv.Itoa(b.Examples))
	var names []string
	length := 0
	for i, class := range b.Classes {
		if err := checkName(class); err != nil {
			return err
		}
		names = append(names, record.EscapeName(class))
		if length += len(names[len(names)-1]) + 1; length > chunk || i == len(b.Classes)-1 {
			w.key(keyClasses, strings.Join(names, " "))
			names, length = names[:0], 0
		}
	}
	if b.Probabilities != "" {
		w.key(keyProbabilities, b.Probabilities)
	}
	return nil
}

// checkName returns an error for a name that does not fit in a line.
func checkName(name string) error {
	if n := len(record.EscapeName(name)); n > maxName {
		return fmt.Errorf("a name of %d bytes, %.20q…: %d are allowed", n, name, maxName)
	}
	return nil
}

func (w *writer) body() {
	b := w.block
	classes, folds := len(b.Classes) <= len(alphabet), b.shape.Folds <= len(alphabet)
	letterOfTruth := func(i int) byte { return alphabet[b.truth[i]] }
	switch {
	case !b.Classification():
		w.numbers("TV", func(line []byte, i int) []byte { return appendNumber(line, b.targets[i]) })
	case classes:
		w.letters("T", letterOfTruth)
	default:
		w.numbers("TN", func(line []byte, i int) []byte {
			return strconv.AppendUint(line,
				uint64(b.truth[i]), 10)
		})
	}
	w.part(levelOfFolds)
	for _, run := range b.Runs() {
		of, head := b.folds[run], " "+strconv.Itoa(run)
		if folds {
			w.letters("F"+head, func(i int) byte { return letterOf(of[i], 1) })
			continue
		}
		w.numbers("FN"+head, func(line []byte, i int) []byte { return appendCode(line, of[i], 1) })
	}
	w.part(levelOfLarge)
	for _, at := range b.places() {
		r, head := b.runs[at], " "+record.EscapeName(b.learners[at.learner])+" "+strconv.Itoa(at.run)
		switch {
		case !b.Classification():
			w.numbers("V"+head, func(line []byte, i int) []byte { return appendNumber(line, r.values[i]) })
		case classes:
			w.letters("P"+head, func(i int) byte { return letterOf(w.marked(r.codes, i), marked) })
		default:
			w.numbers("PN"+head, func(line []byte, i int) []byte {
				return appendCode(line,
					w.marked(r.codes, i), marked)
			})
		}
		if r.chance != nil {
			w.probabilities("Q"+head, r)
		}
	}
}

// Codes of predicted classes in a file: as in a Run, but the true class has one of its own.
const (
	right  = firstClass
	marked = firstClass + 1 // the first class
)

// marked returns the code in a file of the prediction of an example.
func (w *writer) marked(codes []uint16, i int) uint16 {
	switch c := codes[i]; {
	case c < firstClass:
		return c
	case c == w.block.truth[i]+firstClass:
		return right
	default:
		return c + 1
	}
}

// letterOf returns the letter of a code, where classes or folds begin with the code first.
func letterOf(code, first uint16) byte {
	if code < first {
		return [...]byte{markMissing, markNone, markRight}[code]
	}
	return alphabet[code-first]
}

// appendCode is letterOf for numbers.
func appendCode(line []byte, code, first uint16) []byte {
	if code < first {
		return append(line, letterOf(code, first))
	}
	return strconv.AppendUint(line, uint64(code-first), 10)
}

func appendNumber(line []byte, x float64) []byte {
	if math.IsNaN(x) {
		return append(line, markMissing)
	}
	return strconv.AppendFloat(line, x, 'g', -1, 64)
}

// letters writes lines of a letter for each example.
func (w *writer) letters(head string, letter func(i int) byte) {
	for from := 0; from < w.block.Examples; {
		w.line = fmt.Appendf(w.line[:0], "%s %d ", head, from)
		for to := min(from+w.chunk, w.block.Examples); from < to; from++ {
			w.line = append(w.line, letter(from))
		}
		w.end()
	}
}

// numbers writes lines of a text for each example.
func (w *writer) numbers(head string, text func(line []byte, i int) []byte) {
	for from := 0; from < w.block.Examples; {
		w.line = fmt.Appendf(w.line[:0], "%s %d", head, from)
		for ; from < w.block.Examples && len(w.line) < chunk; from++ {
			w.line = text(append(w.line, ' '), from)
		}
		w.end()
	}
}

// probabilities writes lines of the probabilities of a run.
func (w *writer) probabilities(head string, r *Run) {
	raw := make([]byte, 0, maxQ)
	each := maxWidth / r.width
	for from := 0; from < w.block.Examples; from += each {
		raw = raw[:0]
		for _, p := range r.chance[from*r.width : min(from+each, w.block.Examples)*r.width] {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(p))
		}
		w.line = base64.StdEncoding.AppendEncode(fmt.Appendf(w.line[:0], "%s %d ", head, from), raw)
		w.end()
	}
}

// end ends a line. The buffer keeps an error until it is flushed.
func (w *writer) end() { _, _ = w.out.Write(append(w.line, '\n')) }
