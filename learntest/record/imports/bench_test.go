package imports

import (
	"fmt"
	"strings"
	"testing"
)

// wekaText returns results of ten runs of ten folds of four learners on n data sets.
func wekaText(n int) string {
	var b strings.Builder
	b.WriteString(wekaHead)
	for d := range n {
		for run := range 10 {
			for l := range 4 {
				for fold := range 10 {
					fmt.Fprintf(&b, "data%d,%d,%d,weka.classifiers.trees.J48,'-C 0.%d',900,100,%d.123456789\n", d,
						run+1, fold+1, l+1, 50+(run+fold+l)%40)
				}
			}
		}
	}
	return b.String()
}

// predictionsText returns the predictions of ten runs of ten folds of n examples.
func predictionsText(n int) string {
	var b strings.Builder
	b.WriteString(small())
	for repeat := range 10 {
		for row := range n {
			fmt.Fprintf(&b, "%d,%d,%d,%c,%c,%v,%v\n", repeat, row%10, row, 'a'+rune(row%2), 'a'+rune(row%2),
				1-row%2, row%2)
		}
	}
	return b.String()
}

// The cost is linear in the input: ns/row does not grow.
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name, format, learner string
		opts                  Options
		text                  func(n int) string
		rows                  int
	}{
		{"weka", "weka", "", Options{}, wekaText, 400},
		{
			"openml", "openml", "l",
			Options{Dataset: "d"},
			func(n int) string { return predictionsText(40 * n) }, 400,
		},
	} {
		for _, n := range []int{10, 100, 1000} {
			text := c.text(n)
			b.Run(fmt.Sprintf("%s/rows=%d", c.name, n*c.rows), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := readText(b, c.format, c.opts, c.learner, text); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*c.rows), "ns/row")
			})
		}
	}
}
