package study

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A data set is warned of if the share of one of its learners is between the bounds, both included.
func TestWarningsAreCounted(t *testing.T) {
	t.Parallel()
	u := null{name: "known", n: 1}
	r := newConstantRow(&u, [][]float64{{0, 0}, {2, 100}, {1, 10}, {98}, {99}},
		[]bool{false, true, false, true, true})
	require.Equal(t, []int{2, 5, 10, 20, 40}, constantLevels)
	require.Equal(t, lab.Proportion{K: 3, N: 5}, r.rejects)
	var warned, caught []int
	for k := range constantLevels {
		require.Equal(t, 5, r.warned[k].N)
		require.Equal(t, 3, r.caught[k].N)
		warned, caught = append(warned, r.warned[k].K), append(caught, r.caught[k].K)
	}
	require.Equal(t, []int{3, 2, 2, 1, 1}, warned)
	require.Equal(t, []int{2, 1, 1, 1, 1}, caught)

	row := func(rejects, warned, caught int) constantRow {
		of := constantRow{of: &u, rejects: lab.Proportion{K: rejects, N: 200}}
		for range constantLevels {
			of.warned = append(of.warned, lab.Proportion{K: warned, N: 200})
			of.caught = append(of.caught, lab.Proportion{K: caught, N: rejects})
		}
		return of
	}
	// 16 of 200 are within 5% and two errors, 17 are not; 21 are more than 10%.
	got := constantSummary([]constantRow{
		row(0, 0, 0), row(16, 20, 16), row(17, 200, 17),
		row(20, 200, 20), row(21, 100, 7),
	}, 200)
	require.Equal(t, []string{
		"warns from", "stable nulls of gate (0)", "all stable nulls (2)",
		"unstable nulls (1)", "their false alarms",
	}, got.Columns)
	require.Equal(t, []string{"2%", "none", "5.0", "50.0", "33.3"}, got.Rows[0])
	one := row(0, 1, 0)
	one.ofGate = true
	got = constantSummary([]constantRow{one, row(0, 0, 0)}, 200)
	require.Equal(t, []string{"2%", "0.5", "0.2", "none", "none"}, got.Rows[0])
}

// The study covers the nulls of C4.5 that others have, each once, and is the same however many work
// on it.
func TestConstantStudy(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	all, ofGate, err := constantNulls()
	require.NoError(t, err)
	require.Equal(t, 10, ofGate)
	require.Equal(t, "C4.5, 2 attributes, shift 0.2, balanced, n = 50", all[ofGate].String())
	names := make(map[string]bool)
	for i := range all {
		require.False(t, names[all[i].String()], all[i].String())
		names[all[i].String()] = true
	}
	for _, name := range []string{
		"C4.5, n = 50", "C4.5, naive Bayes, n = 300",
		"C4.5, 2 attributes, shift 0.8, balanced, n = 50",
	} {
		require.Contains(t, names, name)
	}
	s, err := Lookup("gate-constant")
	require.NoError(t, err)
	want, err := s.Run(t.Context(), Config{Sets: 1, Seed: 3, Parallel: 1})
	require.NoError(t, err)
	got, err := s.Run(t.Context(), Config{Sets: 1, Seed: 3, Parallel: 4})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Len(t, got.Tables[1].Rows, len(all))
	stable := 0
	for _, row := range got.Tables[1].Rows[:ofGate] {
		stable += lab.Indicator(row[1] == "0.0")
	}
	require.Equal(t, "0.0", got.Tables[1].Rows[ofGate][1], "one more would be counted")
	require.Equal(t, fmt.Sprintf("stable nulls of gate (%d)", stable), got.Tables[0].Columns[1])
}

// A lopsided source has the class in its second half of the attributes, and nothing in the first.
type lopsided struct{ mixture }

func (s lopsided) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	t, err := s.mixture.Table(name, n, seed)
	if err != nil {
		return nil, err
	}
	for j := range s.attributes {
		for i := range n {
			t.Numbers(j)[i] = float64(t.Class(i) * lab.Indicator(2*j >= s.attributes))
		}
	}
	return t, nil
}

// Each tree is counted on its own half of the attributes, and naive Bayes is not counted.
func TestConstantShares(t *testing.T) {
	t.Parallel()
	u := halved("C4.5", lopsided{mixture{attributes: 4, positive: 0.5, balanced: true}}, 40,
		lab.Tree(), expectedGates{})
	s := testLab(t, lab.Config{}, 1).Desk().Draw(u.source, u.n, 0)
	shares, err := u.constantShares(t.Context(), s)
	require.NoError(t, err)
	require.Len(t, shares, 2)
	require.InDelta(t, 100, shares[0], 1e-9)
	require.Zero(t, shares[1])
	u.name = "C4.5, naive Bayes"
	shares, err = u.constantShares(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, []float64{0}, shares)
}

// The page has the summary of the stored output, which has all nulls.
func TestPublishedConstantModels(t *testing.T) {
	t.Parallel()
	text, kept := page(t, "docs/research/studies.md"), stored(t, "gate-constant")
	all, _, err := constantNulls()
	require.NoError(t, err)
	require.Contains(t, kept, fmt.Sprintf("%d nulls of C4.5 on at most 300 examples, from the studies gate and gate-shift, %d data sets of each", len(all), constantSets))
	shown := 0
	for line := range strings.Lines(kept[:strings.Index(kept,
		"## Warnings of constant models by null")]) {
		if strings.HasPrefix(line, "|") {
			shown++
			assert.Contains(t, text, "\n"+line)
		}
	}
	require.Equal(t, 2+len(constantLevels), shown)
	rows := body(t, kept, "Warnings of constant models by null")
	require.Len(t, rows, len(all))
	stable, often := 0, make([]int, len(constantLevels))
	for i := range rows {
		require.Equal(t, all[i].String(), rows[i][0])
		k := int(math.Round(constantSets * figure(t, rows[i][1]) / 100))
		r := constantRow{rejects: lab.Proportion{K: k, N: constantSets}}
		if !r.stable() {
			continue
		}
		stable++
		for l := range constantLevels {
			often[l] += lab.Indicator(figure(t, rows[i][2+l]) > 5)
			if strings.HasPrefix(rows[i][0], "C4.5, 10 attributes, shift 1") && strings.HasSuffix(rows[i][0],
				"n = 50") && constantLevels[l] == 10 {
				require.LessOrEqual(t, figure(t, rows[i][2+l]), 1.0, rows[i][0])
			}
		}
	}
	require.Contains(t, strings.ReplaceAll(text, "\n", " "),
		fmt.Sprintf("on more than 5%% of data sets of %d of the %d stable nulls, from 2%% on of %d.",
			often[2], stable, often[0]))
}
