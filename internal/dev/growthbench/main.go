//go:build linux

// Growthbench measures how the time of the reference learners grows with the rows of a table, with
// its attributes and with its classes:
//
//	go -C internal/dev run ./growthbench
//
// Rows are drawn from normal distributions, whose means differ from class to class in a quarter of
// the attributes. A new learner is trained on nine tenths of the rows, and predicts the others. CPU
// times are of all threads, garbage collection included, the least of up to five repetitions. A
// size is left out if the one before lets expect more than -limit.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/discretize"
	"github.com/learnbench/learnbench/learntest/learner/forest"
	"github.com/learnbench/learnbench/learntest/learner/logistic"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/ridge"
	"github.com/learnbench/learnbench/learntest/learner/tan"
)

// A shape is the size of a table.
type shape struct{ rows, attributes, classes int }

// An axis is sizes that differ in one number.
type axis struct {
	name   string
	at     func(size int) shape
	sizes  []int
	classy bool // sizes are numbers of classes, which learners of numbers do not see
}

var axes = []axis{
	{"rows", func(n int) shape { return shape{n, 20, 2} }, []int{1000, 10000, 100000, 1000000}, false},
	{"attributes", func(n int) shape { return shape{1000, n, 2} }, []int{10, 100, 1000}, false},
	{"classes", func(n int) shape { return shape{10000, 20, n} }, []int{2, 20, 200}, true},
}

// A subject is a learner.
type subject struct {
	name    string
	numbers bool // it predicts numbers
	most    int  // classes; 0 if there is no limit

	// run trains on some rows and predicts others.
	run func(t *dataset.Table, train, test []int) error
}

func classifier(fresh func() learner.Classifier, most int) subject {
	return subject{fresh().Name(), false, most, func(t *dataset.Table, train, test []int) error {
		c := fresh() // which knows nothing of the table
		m, err := c.Fit(t, train, 1)
		if err != nil {
			return err
		}
		dist := make([]float64, t.NumClasses())
		for _, row := range test {
			m.Distribution(t, row, dist)
		}
		return m.Close()
	}}
}

func regressor(r learner.Regressor) subject {
	return subject{r.Name(), true, 0, func(t *dataset.Table, train, test []int) error {
		m, err := r.Fit(t, train, 1)
		if err != nil {
			return err
		}
		for _, row := range test {
			if _, err := m.Value(t, row); err != nil {
				return err
			}
		}
		return m.Close()
	}}
}

func subjects() []subject {
	return []subject{
		classifier(func() learner.Classifier { return naivebayes.New(naivebayes.Config{}) }, 0),
		classifier(func() learner.Classifier { return c45.New(c45.Config{}) }, 0),
		classifier(func() learner.Classifier { return neighbor.New(neighbor.Config{}) }, 0),
		classifier(func() learner.Classifier { return discretize.New(tan.New(tan.Config{})) }, 0),
		classifier(func() learner.Classifier { return perceptron.New(perceptron.Config{}) }, 2),
		classifier(func() learner.Classifier { return logistic.New(logistic.Config{}) }, 0),
		classifier(func() learner.Classifier { return forest.New(forest.Config{Trees: 10}) }, 0),
		regressor(ols.New(ols.Config{})),
		regressor(ridge.New(ridge.Config{})),
	}
}

// draw returns a table with its class last, or with a number in its place.
func draw(s shape, numbers bool) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	class := make([]int32, s.rows)
	for i := range class {
		class[i] = rng.Int32N(int32(s.classes))
	}
	var cols []dataset.Column
	for j := range s.attributes {
		means := make([]float64, s.classes)
		if j%4 == 0 {
			for c := range means {
				means[c] = 2 * rng.NormFloat64()
			}
		}
		x := make([]float64, s.rows)
		for i := range x {
			x[i] = rng.NormFloat64() + means[class[i]]
		}
		cols = append(cols, dataset.Column{
			Attribute: dataset.Attribute{Name: fmt.Sprint("x", j)},
			Numbers:   x,
		})
	}
	target := dataset.Column{Attribute: dataset.Attribute{Name: "y"}}
	if numbers {
		for _, c := range class {
			target.Numbers = append(target.Numbers, float64(c)+rng.NormFloat64())
		}
	} else {
		target.Kind, target.Codes = dataset.Nominal, class
		for c := range s.classes {
			target.Values = append(target.Values, fmt.Sprint(c))
		}
	}
	return dataset.New(fmt.Sprint(s), append(cols, target), s.attributes, nil)
}

// measure returns the CPU seconds of a learner on a table, the least of repetitions for a while.
func measure(s subject, t *dataset.Table) (float64, error) {
	var train, test []int
	for i := range t.Len() {
		if i%10 == 0 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	least := math.Inf(1)
	began := time.Now()
	for k := 0; k < 5 && (k < 2 || time.Since(began) < 2*time.Second); k++ {
		before := cpu()
		if err := s.run(t, train, test); err != nil {
			return 0, fmt.Errorf("%s on %s: %w", s.name, t.Name(), err)
		}
		least = min(least, cpu()-before)
		if time.Since(began) > longest {
			break
		}
	}
	return least, nil
}

// longest is how long a repetition may take that is not the only one.
const longest = 5 * time.Second

// cpu returns the seconds that this process has used.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func main() {
	limit := flag.Duration("limit", 20*time.Second, "CPU time that a size may be expected to take")
	flag.Parse()
	for _, a := range axes {
		if err := report(a, limit.Seconds()); err != nil {
			fmt.Fprintln(os.Stderr, "growthbench:", err)
			os.Exit(1)
		}
	}
}

// report prints the table of an axis.
func report(a axis, limit float64) error {
	columns := []texttab.Column{{Title: a.name}}
	for _, n := range a.sizes {
		columns = append(columns, texttab.Column{Title: fmt.Sprint(n), Align: texttab.Right})
	}
	columns = append(columns, texttab.Column{Title: "exponents"})
	all := subjects()
	seconds := make([][]float64, len(all))
	for k, n := range a.sizes {
		for _, numbers := range []bool{false, true} {
			if numbers && a.classy {
				continue
			}
			var table *dataset.Table
			for i, s := range all {
				if s.numbers != numbers || s.most > 0 && a.at(n).classes > s.most || len(seconds[i]) < k ||
					k > 0 && expected(a.sizes[:k+1], seconds[i]) > limit {
					continue
				}
				var err error
				if table == nil {
					if table, err = draw(a.at(n), numbers); err != nil {
						return err
					}
				}
				took, err := measure(s, table)
				if err != nil {
					return err
				}
				seconds[i] = append(seconds[i], took)
			}
		}
	}
	t := texttab.New(texttab.Group{Columns: columns})
	for i, s := range all {
		if len(seconds[i]) == 0 {
			continue
		}
		row, powers := []string{s.name}, []string{}
		for k := range a.sizes {
			text := ""
			if k < len(seconds[i]) {
				text = fmt.Sprintf("%.3g", 1000*seconds[i][k])
			}
			row = append(row, text)
			if 0 < k && k < len(seconds[i]) {
				powers = append(powers, fmt.Sprintf("%.2f", power(a.sizes[k-1:k+1], seconds[i][k-1:k+1])))
			}
		}
		t.Row(append(row, strings.Join(powers, " "))...)
	}
	fmt.Printf("CPU ms by %s, of %+v at the least size\n\n%s\n", a.name, a.at(slices.Min(a.sizes)), t)
	return nil
}

// power returns the power of the sizes that two times grow with.
func power(sizes []int, seconds []float64) float64 {
	return math.Log(seconds[1]/seconds[0]) / math.Log(float64(sizes[1])/float64(sizes[0]))
}

// expected returns the time of the last size by the times of the others.
func expected(sizes []int, seconds []float64) float64 {
	k := len(seconds)
	p := 1.0
	if k > 1 {
		p = max(1, power(sizes[k-2:k], seconds[k-2:k]))
	}
	return seconds[k-1] * math.Pow(float64(sizes[k])/float64(sizes[k-1]), p)
}
