package split

import (
	"fmt"
	"testing"
)

// benchExamples are n examples of 26 classes in n/10 groups.
func benchExamples(n int) Examples {
	ex := Examples{N: n, Class: make([]int, n), Group: make([]int, n)}
	for i := range n {
		ex.Class[i], ex.Group[i] = i*i%29%26, i/10
	}
	return ex
}

func benchProtocols() []Protocol {
	return []Protocol{
		TenByTen(), Subsample(100, 0.9), Groups(10, 10), Groups(10, 10).Stratified(true),
		Weka(10, 10),
	}
}

func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{1000, 20000} {
		ex := benchExamples(n)
		for _, p := range benchProtocols() {
			b.Run(fmt.Sprintf("n=%d/%s", n, name(p)), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := p.Plan(ex); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkTrial(b *testing.B) {
	for _, n := range []int{1000, 20000} {
		ex := benchExamples(n)
		for _, p := range append(benchProtocols(), FiveByTwo(), LeaveOneOut(), TimeSeries(5, Window{})) {
			b.Run(fmt.Sprintf("n=%d/%s", n, name(p)), func(b *testing.B) {
				plan, err := p.Plan(ex)
				if err != nil {
					b.Fatal(err)
				}
				train, test := make([]int, 0, n), make([]int, 0, n)
				b.ReportAllocs()
				for k := 0; b.Loop(); k++ {
					plan.Trial(1+k%plan.Runs(), 1+k%plan.Folds(), train, test)
				}
			})
		}
	}
}

func BenchmarkDigest(b *testing.B) {
	for _, n := range []int{1000, 20000} {
		plan, err := TenByTen().Plan(benchExamples(n))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				plan.computeDigest()
			}
		})
	}
}

func BenchmarkDistinctRuns(b *testing.B) {
	for _, n := range []int{1000, 20000} {
		for _, p := range benchProtocols() {
			plan, err := p.Plan(benchExamples(n))
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("n=%d/%s", n, name(p)), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					plan.DistinctRuns()
				}
			})
		}
	}
}

func name(p Protocol) string {
	p = p.spell()
	if p.kind == groups && p.stratified {
		return "stratified-groups"
	}
	if p.kind == cv {
		return fmt.Sprintf("cv%dx%d", p.runs, p.folds)
	}
	return p.kind.name
}
