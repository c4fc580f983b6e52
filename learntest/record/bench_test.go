package record

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// benchmarkBlocks are blocks with as many trials as there are lines to be.
func benchmarkBlocks(b *testing.B, lines int) []*Block {
	const perBlock = 2000
	var blocks []*Block
	for d := range lines / perBlock {
		blocks = append(blocks, sampleBlock(b, fmt.Sprintf("data%d", d), 10, 10, "a", "b", "c", "d", "e",
			"f", "g", "h", "i", "j",
			"k", "l", "m", "n", "o", "p", "q", "r", "s", "t"))
	}
	return blocks
}

func BenchmarkRead(b *testing.B) {
	for _, lines := range []int{200_000, 1_000_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			full := text(b, benchmarkBlocks(b, lines)...)
			b.SetBytes(int64(len(full)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(strings.NewReader(full), "f.txt"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// 200,000 items of two learners are read in about half a second.
func BenchmarkReadItems(b *testing.B) {
	items := make([]Item, 200_000)
	for i := range items {
		items[i] = Item{
			ID: fmt.Sprintf("question-%06d", i), Content: fmt.Sprintf("%08x", i),
			Cluster: fmt.Sprint("doc-", i/10),
		}
	}
	h := itemsHeader(1)
	require.NoError(b, h.SetItems(items))
	block, err := NewBlock(h, []string{"agent", "before"}, []unit.Unit{correct, usd}, 0)
	require.NoError(b, err)
	for i := range items {
		for l, name := range block.Learners {
			values := []float64{float64((i + l) % 2), 0.0001 * float64(i%97)}
			require.NoError(b, block.Add(Trial{
				Data: h.Data, Learner: name, Run: 1, Fold: i + 1, TestN: 1,
				Values: values, PredictSec: 0.25,
			}))
		}
	}
	full := text(b, block)
	b.SetBytes(int64(len(full)))
	for b.Loop() {
		f, err := Read(strings.NewReader(full), "f.txt")
		require.NoError(b, err)
		require.Equal(b, 2*len(items), f.Blocks()[0].Len())
	}
}

func BenchmarkWrite(b *testing.B) {
	blocks := benchmarkBlocks(b, 200_000)
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if err := Write(&out, blocks...); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(out.Len()))
	}
}

func BenchmarkPair(b *testing.B) {
	f := fileOf(b, sampleSet("vehicle", 10, 10, "c45", "nb"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy"); err != nil {
			b.Fatal(err)
		}
	}
}

// A block of twenty learners from two shards of ten runs each.
func BenchmarkUnion(b *testing.B) {
	s := sampleSet("vehicle", 20, 10, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
		"n", "o", "p", "q", "r", "s", "t")
	one, two := s, s
	one.Trials, two.Trials = s.Trials[:2000], s.Trials[2000:]
	blocks := blocksOf(b, one, two)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Union(blocks...); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	f := NewFile(benchmarkBlocks(b, 200_000)...)
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Check(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMinus(b *testing.B) {
	s := sampleSet("vehicle", 10, 10, "a", "b", "c", "d")
	whole := s.block(b)
	s.Trials = s.Trials[:200]
	part := s.block(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := whole.Minus(part); err != nil {
			b.Fatal(err)
		}
	}
}
