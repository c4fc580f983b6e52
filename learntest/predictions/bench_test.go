package predictions

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// large returns predictions of two classes by 5 learners in 10 runs, 89% of them right.
func large(b *testing.B, n int) *Block {
	rng := rand.New(rand.NewPCG(1, 1))
	truth := make([]int, n)
	for i := range truth {
		truth[i] = rng.IntN(2)
	}
	block, err := NewBlock(Header{
		Data: "made up", Examples: n, Classes: []string{"no", "yes"},
		Protocol:   "cv runs=10 folds=10 stratified seed=1 v1",
		DataDigest: strings.Repeat("ab", 32), SplitDigest: strings.Repeat("cd", 32),
	}, truth, nil)
	require.NoError(b, err)
	for run := 1; run <= 10; run++ {
		of := make([]uint16, n)
		for i := range of {
			of[i] = uint16(rng.IntN(10)) + 1
		}
		require.NoError(b, block.SetFolds(run, of))
		for l := range 5 {
			r := &Run{codes: make([]uint16, n)}
			for i := range r.codes {
				c := truth[i]
				if rng.IntN(100) < 11 {
					c = 1 - c
				}
				r.codes[i] = uint16(c) + firstClass
			}
			block.runs[place{block.indexOf(fmt.Sprint("learner", l)), run}] = r
		}
	}
	return block
}

func BenchmarkMillion(b *testing.B) {
	const n = 1_000_000
	block := large(b, n)
	var plain, zipped bytes.Buffer
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			plain.Reset()
			require.NoError(b, Write(&plain, block))
		}
	})
	b.Run("gzip", func(b *testing.B) {
		for b.Loop() {
			zipped.Reset()
			require.NoError(b, writeMember(&zipped, true, true,
				func(w io.Writer) error { return Write(w, block) }))
		}
		b.ReportMetric(float64(plain.Len())/1e6, "MB")
		b.ReportMetric(float64(zipped.Len())/1e6, "MB-gz")
	})
	for _, in := range []struct {
		name string
		data []byte
	}{{"read", plain.Bytes()}, {"gunzip", zipped.Bytes()}} {
		b.Run(in.name, func(b *testing.B) {
			for b.Loop() {
				_, err := Read(bytes.NewReader(in.data), "million.pred")
				require.NoError(b, err)
			}
		})
	}
}
