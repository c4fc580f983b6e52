package across

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

func BenchmarkTables(b *testing.B) {
	scores := bcm(b)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"Friedman", func() error { _, err := Friedman(scores, unit.Higher); return err }},
		{"Quade", func() error { _, err := Quade(scores, unit.Higher); return err }},
		{"AlignedRanks", func() error { _, err := AlignedRanks(scores, unit.Higher); return err }},
		{"MeanRanks", func() error { _, err := MeanRanks(scores, unit.Higher); return err }},
		{"PoolDependence", func() error {
			_, err := PoolDependence(scores, unit.Higher, 1, 3,
				0.05)
			return err
		}},
		{"Pairwise", func() error { _, err := Pairwise(scores, PairwiseOptions{}); return err }},
		{"CriticalDifference", func() error { _, err := CriticalDifference(54, 7, 0.05); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBayes(b *testing.B) {
	scores := bcm(b)
	x, y := column(scores, 0), column(scores, 1)
	b.Run("Sign", func(b *testing.B) {
		for b.Loop() {
			if _, err := BayesSign(x, y, BayesSignOptions{Rope: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("SignedRank", func(b *testing.B) {
		for b.Loop() {
			if _, err := BayesSignedRank(x, y, BayesSignedRankOptions{Rope: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSignTest(b *testing.B) {
	scores := bcm(b)
	x, y := column(scores, 0), column(scores, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := SignTest(x, y, stat.TwoSided, SignOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
