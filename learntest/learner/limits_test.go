package learner_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// Sizes at which an integer of one or two bytes, or a part of a word, would overflow.
var (
	bytes = []int{253, 254, 255, 256, 257}
	words = []int{1<<16 - 1, 1 << 16, 1<<16 + 1}
)

// largest returns the limits of words: all of them take seconds, so that CI alone tries more than
// the last.
func largest() []int {
	if citest.Has(citest.Slow) {
		return words
	}
	return words[len(words)-1:]
}

// requireLearned trains each learner on all rows of a table, in which the class is easy to
// tell, twice. It must predict the class of the given rows, with equal distributions after
// both trainings.
func requireLearned(t *testing.T, tb *dataset.Table, rows []int, classifiers []learner.Classifier) {
	t.Helper()
	train := make([]int, tb.Len())
	for i := range train {
		train[i] = i
	}
	for _, c := range classifiers {
		if !learns(c, tb) {
			continue
		}
		var first [][]float64
		for fit := range 2 {
			m, err := c.Fit(tb, train, 1)
			require.NoError(t, err, "%s on %s", c.Name(), tb.Name())
			for i, row := range rows {
				dist := make([]float64, tb.NumClasses())
				m.Distribution(tb, row, dist)
				if fit == 0 {
					first = append(first, dist)
				}
				require.Equal(t, tb.Class(row), learner.Best(dist), "%s on %s, fit %d, row %d", c.Name(),
					tb.Name(), fit+1, row)
				if tb.NumClasses() < 1000 {
					require.Equal(t, first[i], dist, "%s on %s, row %d", c.Name(), tb.Name(), row)
				}
			}
			require.NoError(t, m.Close())
		}
	}
}

// Each row has a number of its own.
func TestLearnersAtLimitsOfRows(t *testing.T) {
	if testing.Short() {
		t.Skip("long under the race detector, and shares nothing")
	}
	t.Parallel()
	able := slices.DeleteFunc(classifiers(), func(c learner.Classifier) bool {
		return strings.Contains(c.Name(), "exponent=2") // whose kernel takes x for -x
	})
	for _, n := range largest() {
		tb := newTable(t, fmt.Sprint(n, " rows"), []dataset.Column{
			numeric("x", n, func(i int) float64 { return float64(i - n/2) }),
			nominal("class", 2, n, func(i int) int32 { return int32(2 * i / n) }),
		})
		requireLearned(t, tb, []int{0, 1, n / 3, n - 2, n - 1}, able)
	}
}

// Few of the values occur.
func TestLearnersAtLimitsOfValues(t *testing.T) {
	t.Parallel()
	for _, values := range slices.Concat(bytes, largest()) {
		used := []int32{
			0, 1, 2, 3, int32(values) / 2, int32(values) - 4, int32(values) - 3,
			int32(values) - 2, int32(values) - 1,
		}
		const n = 180
		tb := newTable(t, fmt.Sprint(values, " values"), []dataset.Column{
			nominal("v", values, n, func(i int) int32 { return used[i%len(used)] }),
			nominal("w", 3, n, func(i int) int32 { return int32(i % 5 % 3) }),
			nominal("class", 2, n, func(i int) int32 { return int32(i % len(used) % 2) }),
		})
		requireLearned(t, tb, []int{0, 1, 4, 5, 6, 7, 8, n - 1}, classifiers())
	}
}

// Few of the classes occur, among them the first and the last.
func TestLearnersAtLimitsOfClasses(t *testing.T) {
	t.Parallel()
	const most = 1 << 12 // of c45
	limits := []int{most, most + 1}
	if citest.Has(citest.Slow) {
		limits = append(limits, most-1)
	}
	for _, classes := range slices.Concat(bytes, limits, largest()) {
		used := []int32{0, 1, int32(classes) / 2, int32(classes) - 2, int32(classes) - 1}
		const n = 100
		tb := newTable(t, fmt.Sprint(classes, " classes"), []dataset.Column{
			numeric("x", n, func(i int) float64 { return float64(100*(i%len(used)) + i/50) }),
			nominal("v", 5, n, func(i int) int32 { return int32(i % len(used)) }),
			nominal("class", classes, n, func(i int) int32 { return used[i%len(used)] }),
		})
		able := classifiers()
		if classes > most {
			able = able[:0]
			for _, c := range classifiers() {
				if !strings.HasPrefix(c.Name(), "c45") {
					able = append(able, c)
					continue
				}
				_, err := c.Fit(tb, []int{0, 1, 2}, 1)
				require.ErrorIs(t, err, learner.ErrTraining)
				require.ErrorContains(t, err, strconv.Itoa(classes)+" classes")
			}
		}
		requireLearned(t, tb, []int{0, 1, 2, 3, 4}, able)
	}
}

// All columns but the last are constant.
func TestLearnersAtLimitsOfColumns(t *testing.T) {
	t.Parallel()
	sizes := bytes
	if citest.Has(citest.Slow) { // 65537 columns take seconds
		sizes = append(slices.Clone(bytes), words...)
	}
	for _, columns := range sizes {
		const n = 20
		var cols []dataset.Column
		for j := range columns - 1 {
			cols = append(cols, nominal(fmt.Sprint("c", j), 2, n, func(int) int32 { return 0 }))
		}
		for _, name := range []string{"signal", "class"} {
			cols = append(cols, nominal(name, 2, n, func(i int) int32 { return int32(i % 2) }))
		}
		able := classifiers()
		if columns > 1<<10 { // tan compares each pair of columns
			able = able[:0]
			for _, c := range classifiers() {
				if c.Name() != "tan" {
					able = append(able, c)
				}
			}
		}
		requireLearned(t, newTable(t, fmt.Sprint(columns, " columns"), cols), []int{0, 1, n - 2, n - 1},
			able)
	}
}
