package learntest

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkComparisonsWithOneFile measures the cost of storing a comparison of
// 200 trials, beside running it, when many share a result file: the figures are
// for one comparison. The cost must not depend on how many there are
// (-benchtime 100x, 10000x).
func BenchmarkComparisonsWithOneFile(b *testing.B) {
	for _, where := range []string{"none", "file", "directory"} {
		b.Run(where, func(b *testing.B) {
			var cfg Config
			switch where {
			case "file":
				cfg.Results.Out = filepath.Join(b.TempDir(), "results.txt")
			case "directory":
				cfg.Results.Out = b.TempDir()
			}
			data, even, odd := numbers(100), constant("even", false), constant("odd", true)
			b.ReportAllocs()
			for i := range b.N {
				cfg.Results.Test = fmt.Sprintf("TestModel%d", i)
				if _, err := Run(b.Context(), []Data[int, bool]{data}, []Learner[int, bool]{even, odd},
					cfg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
