package judge

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var simulate = flag.Bool("simulate", false,
	"write the simulation of gates anew, which takes minutes")

// simulated are the learners of the simulation. On one data set their differences resemble each
// other.
var simulated = []struct {
	name  string
	build func() learner.Classifier
}{
	{"naivebayes", func() learner.Classifier { return naivebayes.New(naivebayes.Config{}) }},
	{"nn", func() learner.Classifier { return neighbor.New(neighbor.Config{K: 1}) }},
	{"nn5", func() learner.Classifier { return neighbor.New(neighbor.Config{K: 5}) }},
	{"c45", func() learner.Classifier { return c45.New(c45.Config{}) }},
	{"perceptron", func() learner.Classifier { return perceptron.New(perceptron.Config{}) }},
}

const (
	simulatedExamples = 200
	simulatedHalf     = 5 // attributes that a side sees
)

// simulatedData draws two tables of the same examples: of two normal classes, with halves of the
// attributes that are alike. A learner on one is as good as on the other, in the mean over data
// sets.
func simulatedData(t *testing.T, name string, random *rand.Rand) (sides [2]*dataset.Table) {
	t.Helper()
	class := dataset.Column{Attribute: dataset.Attribute{
		Name: "class", Kind: dataset.Nominal,
		Values: []string{"0", "1"},
	}}
	for range simulatedExamples {
		class.Codes = append(class.Codes, random.Int32N(2))
	}
	for side := range sides {
		var columns []dataset.Column
		for j := range simulatedHalf {
			c := dataset.Column{Attribute: dataset.Attribute{
				Name: fmt.Sprintf("a%d", j),
				Kind: dataset.Numeric,
			}}
			for i := range class.Codes {
				c.Numbers = append(c.Numbers, random.NormFloat64()+0.8*float64(class.Codes[i]))
			}
			columns = append(columns, c)
		}
		var err error
		sides[side], err = dataset.New(name, append(columns, class), simulatedHalf, nil)
		require.NoError(t, err)
	}
	return sides
}

// simulatedPool returns the results of all learners on both sides of so many data sets: old and new
// ones.
func simulatedPool(t *testing.T, sets int) (pool [][2]*record.Block) {
	t.Helper()
	pool = make([][2]*record.Block, sets)
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				random := rand.New(rand.NewPCG(uint64(i), 7))
				for side, table := range simulatedData(t, fmt.Sprintf("d%04d", i), random) {
					var learners []learntest.Learner[dataset.Row, int]
					for _, l := range simulated {
						one := learntest.FromClassifier(l.build())
						one.Name = l.name
						learners = append(learners, one)
					}
					f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{table}, learners,
						learntest.Config{Protocol: split.TenByTen().WithSeed(uint64(i) + 1), Parallel: 1})
					if !assert.NoError(t, err) {
						return
					}
					b := f.Blocks()[0]
					b.Header.DataDigest, b.Header.Majority = strings.Repeat("a", 64), "" // the sides are to be compared
					pool[i][side] = b
				}
			}
		})
	}
	for i := range sets {
		next <- i
	}
	close(next)
	group.Wait()
	return pool
}

// shifted returns a block of some learners whose scores are lower by what each loses.
func shifted(t *testing.T, b *record.Block, learners []string,
	loses func(learner string) float64,
) *record.Block {
	t.Helper()
	s, err := record.NewBlock(b.Header, learners, b.Units, simulatedExamples)
	require.NoError(t, err)
	for trial := range b.Trials() {
		if slices.Contains(learners, trial.Learner) {
			trial.Values = slices.Clone(trial.Values)
			trial.Values[0] = math.Max(0, trial.Values[0]-loses(trial.Learner))
			require.NoError(t, s.Add(trial))
		}
	}
	return s
}

// A gateDesign is how many data sets and learners a gate has.
type gateDesign struct{ sets, learners int }

func (d gateDesign) rows() int { return d.sets * d.learners }

// fails runs a gate on data sets that are drawn from the pool, of which the first row, or all rows,
// lose something.
func (d gateDesign) fails(t *testing.T, pool [][2]*record.Block, random *rand.Rand, loss float64,
	all bool,
) bool {
	t.Helper()
	order := random.Perm(len(pool))[:d.sets]
	swap := random.IntN(2) // either half may be the old one
	var names []string
	for _, l := range simulated[:d.learners] {
		names = append(names, l.name)
	}
	if d.learners == 1 {
		names[0] = simulated[random.IntN(len(simulated))].name
	}
	files := [2][]*record.Block{}
	for i, at := range order {
		files[0] = append(files[0], shifted(t, pool[at][swap], names, func(string) float64 { return 0 }))
		files[1] = append(files[1], shifted(t, pool[at][1-swap], names, func(l string) float64 {
			if all || i == 0 && l == names[0] {
				return loss
			}
			return 0
		}))
	}
	var sides []*input.Side
	for i, label := range []string{"old", "new"} {
		sides = append(sides, &input.Side{
			Source: input.Source{Key: label, Label: label},
			File:   record.NewFile(files[i]...),
		})
	}
	q := match.Query{
		Filter: "*", Col: match.DefaultCol, Row: match.RowsBeside(match.DefaultCol, ""),
		Strict: true,
	}
	l, err := match.Arrange(q, sides)
	require.NoError(t, err)
	require.Empty(t, l.Problems)
	require.Equal(t, d.rows(), l.Comparisons())
	g := ruled(t, regressed, "", "")
	g.Adjust = adjust.MustLookup("hommel")
	o := Options{Adjust: g.Adjust, Gate: g}
	o.Claim.Alpha = 0.05
	r, problems, err := Build(l, o)
	require.NoError(t, err)
	problems = append(problems, g.Hold(r)...)
	require.Empty(t, problems)
	return Status(r, problems) == cli.Failed
}

// simulateGates returns the table of how often gates fail.
func simulateGates(t *testing.T, pool [][2]*record.Block, runs func(d gateDesign) int) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "| rows | nothing differs | one row loses 1, 2, 5 points | all rows lose 1, 2, 5 points |\n")
	fmt.Fprintf(&b, "|---|---|---|---|\n")
	for _, d := range []gateDesign{{1, 1}, {1, 5}, {10, 5}, {60, 5}} {
		n := runs(d)
		share := func(loss float64, all bool) string {
			failed := make([]bool, n)
			var group sync.WaitGroup
			next := make(chan int)
			for range runtime.GOMAXPROCS(0) {
				group.Go(func() {
					for i := range next {
						random := rand.New(rand.NewPCG(uint64(i), uint64(d.rows())))
						failed[i] = d.fails(t, pool, random, loss, all)
					}
				})
			}
			for i := range n {
				next <- i
			}
			close(next)
			group.Wait()
			count := 0
			for _, f := range failed {
				if f {
					count++
				}
			}
			return fmt.Sprintf("%.1f", 100*float64(count)/float64(n))
		}
		cells := []string{fmt.Sprintf("%d: %d × %d", d.rows(), d.sets, d.learners), share(0, false)}
		for _, all := range []bool{false, true} {
			var list []string
			for _, loss := range []float64{0.01, 0.02, 0.05} {
				list = append(list, share(loss, all))
			}
			cells = append(cells, strings.Join(list, ", "))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}

var storedGates = filepath.Join("testdata", "gates.md")

// The documentation shows the stored simulation.
func TestSimulatedGates(t *testing.T) {
	t.Parallel()
	if *simulate {
		table := simulateGates(t, simulatedPool(t, 400), func(d gateDesign) int {
			return map[int]int{1: 2000, 5: 2000, 50: 400, 300: 100}[d.rows()]
		})
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(storedGates, []byte(table), 0o666))
	}
	stored, err := os.ReadFile(storedGates)
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "gates.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), string(stored))
}

// A short simulation agrees with the stored one.
func TestShortSimulationOfGates(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	stored, err := os.ReadFile(storedGates)
	require.NoError(t, err)
	short := simulateGates(t, simulatedPool(t, 70), func(d gateDesign) int {
		return map[int]int{
			1: 60,
			5: 60, 50: 30, 300: 4,
		}[d.rows()]
	})
	for i, line := range strings.Split(short, "\n")[2:4] {
		want := strings.Split(strings.Split(string(stored), "\n")[2+i], " | ")
		for j, cell := range strings.Split(line, " | ")[1:] {
			for k, text := range strings.Split(strings.Trim(cell, " |"), ", ") {
				var have, kept float64
				_, err := fmt.Sscan(text, &have)
				require.NoError(t, err, text)
				_, err = fmt.Sscan(strings.Split(strings.Trim(want[j+1], " |"), ", ")[k], &kept)
				require.NoError(t, err)
				p := (kept + 1) / 102
				assert.InDelta(t, kept, have, 500*math.Sqrt(p*(1-p)/60)+2, "%s: %s", line, text)
			}
		}
	}
}
