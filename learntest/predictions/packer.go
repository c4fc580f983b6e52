package predictions

import (
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// Blocks of more predictions than this are compressed part by part, which takes a tenth less, and
// much longer.
const manyPredictions = 5_000_000

// Levels of compression. The folds of examples repeat nothing, so that their letters are all that
// can be made shorter.
const (
	levelOfFolds = flate.HuffmanOnly
	levelOfLarge = 8
)

// A packer writes a member of a gzip file whose parts have levels of their own.
type packer struct {
	out       io.Writer
	part      *flate.Writer
	sum, size uint32
}

func newPacker(out io.Writer) (*packer, error) {
	if _, err := out.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}); err != nil {
		return nil, err
	}
	p := &packer{out: out}
	return p, p.begin(levelOfLarge)
}

// begin begins a part. No part refers to another one.
func (p *packer) begin(level int) (err error) {
	if p.part != nil {
		if err := p.part.Flush(); err != nil {
			return err
		}
	}
	p.part, err = flate.NewWriter(p.out, level)
	return err
}

func (p *packer) Write(text []byte) (int, error) {
	p.sum = crc32.Update(p.sum, crc32.IEEETable, text)
	p.size += uint32(len(text))
	return p.part.Write(text)
}

// Close ends the member.
func (p *packer) Close() error {
	if err := p.part.Close(); err != nil {
		return err
	}
	_, err := p.out.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil,
		p.sum), p.size))
	return err
}
