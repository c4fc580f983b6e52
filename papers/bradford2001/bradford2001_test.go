package bradford2001

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/papers/internal/papertest"
	"github.com/learnbench/learnbench/papers/internal/prints"
	"github.com/learnbench/learnbench/papers/internal/shelf"
	"github.com/stretchr/testify/require"
)

// The reported table 4 follows from the reported tables 2 and 3.
func TestBradfordBrodleyTable4FollowsFromTables2And3(t *testing.T) {
	t.Parallel()
	r, err := smallBB()
	require.NoError(t, err)
	two, three, four := papertest.Table(t, r, "table 2"), papertest.Table(t, r, "table 3"),
		papertest.Table(t, r, "table 4")
	require.Len(t, two.Rows, 3*6)
	var wrong, all int
	for _, against := range []string{"TDDT-2", "naive-bayes"} {
		for _, p := range bbProcedures {
			var want bbTally
			for _, row := range three.Rows {
				var n [3]int
				_, err := fmt.Sscanf(papertest.Cell(t, three, against+" "+p.name, row[0]), "%d/%d/%d",
					&n[0], &n[1], &n[2])
				require.NoError(t, err)
				require.Equal(t, bbPartitions, n[0]+n[1]+n[2])
				conclusion := map[string]int{
					"other": otherBetter, "none": noDifference,
					"TDDT-1": firstBetter,
				}[papertest.Cell(t, two, "better", row[0], against, p.name)]
				want.add(n, conclusion)
				// p, t and the conclusion agree.
				pValue, err := strconv.ParseFloat(papertest.Cell(t, two, "p", row[0], against, p.name), 64)
				require.NoError(t, err)
				mean := papertest.Number(t, two, "mean t", row[0], against, p.name)
				require.Equal(t, mean < 0, math.Signbit(pValue))
				require.Equal(t, conclusion != noDifference, math.Abs(pValue) <= 0.025)
			}
			got := []string{}
			for _, column := range []string{"accept", "reject", "type I", "type II", "opposite"} {
				got = append(got, papertest.Cell(t, four, column, against, p.name))
			}
			require.Equal(t, want.cells(), got)
			if p.printed != "" {
				wrong += want.typeI + want.typeII + want.opposite
				all += want.all()
			}
		}
	}
	require.Equal(t, lab.Percent(float64(wrong)/float64(all)), papertest.Cell(t, four, "wrong, %",
		"all"))
	require.Equal(t, 2*2*3*bbPartitions, all)
}

// The printed share of wrong conclusions is the paper's where all data sets are there.
func TestBBTally(t *testing.T) {
	t.Parallel()
	var printed bbTally
	for _, column := range []string{
		"TDDT-2 1×10", "TDDT-2 5×2", "naive-bayes 1×10",
		"naive-bayes 5×2",
	} {
		for _, set := range bbSets() {
			printed.add(printedCounts(column, set.Name),
				printedConclusion(prints.Open("bb-table2").Figure(column, set.Name)))
		}
	}
	require.Equal(t, 5060, printed.all())
	require.Equal(t, "9.8", lab.Percent(printed.wrong()))
	require.Zero(t, printed.opposite)

	var counted, added bbTally
	o := &bbOutcome{says: []int{1, 1, 0, -1}, mean: 3, p: 0.01}
	counted.count(o)
	added.add(o.counts(), o.conclusion())
	require.Equal(t, bbTally{reject: 2, typeII: 1, opposite: 1}, counted)
	require.Equal(t, counted, added)
	o.mean = -3
	require.Equal(t, otherBetter, o.conclusion())
	o.p = 0.026
	counted = bbTally{}
	counted.count(o)
	require.Equal(t, bbTally{accept: 1, typeI: 3}, counted)
}

// A bb of one data set whose learners have the given scores in each fold.
func knownBB(t *testing.T, accuracy func(rng *rand.Rand, learner, partition,
	fold int) float64,
) *bb {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var found shelf.Scored
	for p, folds := range []int{10, 10} {
		found = append(found, nil)
		for i := range bbParts {
			found[p] = append(found[p], nil)
			for l := range bbSubjects {
				var x []float64
				for k := range 5 {
					for f := range folds {
						x = append(x, accuracy(rng, l, 5*i+k, f))
					}
				}
				found[p][i] = append(found[p][i], shelf.ScoredPart{Ratio: 1.0 / 9, X: x})
			}
		}
	}
	return &bb{shelf: shelf.Shelf{Sets: []shelf.Given{{Name: "known"}}}, found: []shelf.Scored{found}}
}

func TestBBJudges(t *testing.T) {
	t.Parallel()
	// TDDT-1 is better in partitions below 10, TDDT-2 in 10 to 29; naive Bayes scores
	// like TDDT-1, but for one partition where it is worse by one difference in all folds.
	b := knownBB(t, func(rng *rand.Rand, learner, partition, fold int) float64 {
		x := 0.5 + 0.01*float64(fold%3)
		switch {
		case learner == 1 && partition < 10:
			return x - 0.1 - 0.01*float64(fold%2)
		case learner == 1 && partition < 30:
			return x + 0.1 + 0.01*float64(fold%2)
		case learner == 1:
			return x + 0.01*rng.NormFloat64()/100 - 0.0001 + 0.0002*float64(fold%2)
		case learner == 2 && partition == 54:
			return 0.25 + x
		}
		return x
	})
	o, err := b.judge(0, 1, 0)
	require.NoError(t, err)
	n := o.counts()
	require.GreaterOrEqual(t, n[0], 20)
	require.GreaterOrEqual(t, n[2], 10)
	require.Equal(t, 1, o.group())
	require.Equal(t, bbPartitions, len(o.ts))
	require.Negative(t, o.mean)

	o, err = b.judge(0, 2, 0)
	require.NoError(t, err)
	require.Equal(t, 1, o.undefined)
	require.Len(t, o.ts, 54)
	require.Zero(t, o.mean)
	require.Equal(t, 0.5, o.p)
	require.Equal(t, [3]int{1, 54, 0}, o.counts())
	needed, conclusion, err := o.needed()
	require.NoError(t, err)
	require.Equal(t, 2, needed)
	require.Equal(t, replicate.NotSignificant, conclusion)
	// 5×2 has five runs of two folds to a partition.
	o, err = b.judge(0, 1, 1)
	require.NoError(t, err)
	require.Equal(t, bbPartitions, len(o.says))
	r, err := stat.AveragedT(o.ts, 9, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, r.P/2, o.p)
	first, err := stat.PairedTTest(stat.Differences{Runs: 5, Folds: 2, X: b.found[0].Differences(1, 0,
		0, 1, 25).X[:10]}, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, first.Statistic, o.ts[0], 1e-12)
}

func TestBBGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says []int
		ts   []float64
		want int
	}{
		{[]int{1, -1, 0}, []float64{3, -3, 0}, 1},
		{[]int{0, -1, 0}, []float64{0, -3, 0}, 2},
		{[]int{1, 0, 0}, []float64{3, 0, 0}, 2},
		{[]int{0, 0, 0, 0}, []float64{1, -1, 0, 0}, 4 - 1},
		{[]int{0, 0, 0}, []float64{1, 0, 0}, 4},
	} {
		require.Equal(t, c.want, (&bbOutcome{says: c.says, ts: c.ts}).group(), "%v", c.ts)
	}
	// The printed groups follow from table 3, but for what tells 3 and 4 apart.
	printed := prints.Open("bb-groups")
	var sizes [5]int
	for _, set := range bbSets() {
		n := printedCounts("TDDT-2 1×10", set.Name)
		g := printed.Int("group", set.Name)
		sizes[g]++
		switch {
		case n[0] > 0 && n[2] > 0:
			require.Equal(t, 1, g, set.Name)
		case n[0]+n[2] > 0:
			require.Equal(t, 2, g, set.Name)
		default:
			require.Greater(t, g, 2, set.Name)
		}
	}
	require.Equal(t, [5]int{0, 2, 13, 6, 2}, sizes)
}

// How many partitions suffice depends on how far the mean is from the critical value.
func TestBBPartitionsNeeded(t *testing.T) {
	t.Parallel()
	of := func(mean float64) *bbOutcome {
		o := &bbOutcome{}
		for i := range bbPartitions {
			o.ts = append(o.ts, mean+math.Sin(1+3*float64(i)))
		}
		return o
	}
	far, says, err := of(8).needed()
	require.NoError(t, err)
	require.Equal(t, replicate.CandidateBetter, says)
	near, says, err := of(2.262 + 0.45).needed()
	require.NoError(t, err)
	require.Equal(t, replicate.CandidateBetter, says)
	require.Greater(t, near, far)
	never, says, err := of(2.262).needed()
	require.NoError(t, err)
	require.Zero(t, never)
	require.Equal(t, replicate.TooFewPartitions, says)
}

// Averages do not gain from partitions that all agree; combinations do.
func TestBBCombinations(t *testing.T) {
	t.Parallel()
	o := &bbOutcome{}
	for i := range bbPartitions {
		o.ts = append(o.ts, -1.2-0.001*float64(i))
	}
	for n, want := range map[int][3]bool{
		1: {}, 5: {}, 10: {false, true, true},
		55: {false, true, true},
	} {
		got, err := o.summaries(n)
		require.NoError(t, err)
		require.Equal(t, want, got, n)
	}
	// Fisher's combination sees it in either direction.
	for i := range o.ts {
		o.ts[i] = -o.ts[i]
	}
	got, err := o.summaries(bbPartitions)
	require.NoError(t, err)
	require.Equal(t, [3]bool{false, true, true}, got)
	r, err := smallBB()
	require.NoError(t, err)
	examples := papertest.Table(t, r, "section 4: examples")
	require.Equal(t, "none", papertest.Cell(t, examples, "difference", "χ² of 55 times p = 0.25"))
	require.Equal(t, "6.00", papertest.Cell(t, examples, "ours",
		"partitions with p = 0.25 for a signed-rank p of 0.05"))
	var off []string
	for _, row := range examples.Rows {
		if row[3] != "none" {
			off = append(off, row[0]+" "+row[1])
		}
	}
	require.Equal(t, []string{
		"χ² of p = 0.15, 0.10, 0.10 13.00458", "its p 0.0430",
		"χ² of p = 0.85, 0.90, 0.90 0.74648",
	}, off)
}

func TestBBFigures(t *testing.T) {
	t.Parallel()
	r, err := smallBB()
	require.NoError(t, err)
	three := papertest.Table(t, r, "table 3")
	for i, column := range []string{
		"TDDT-2 1×10", "naive-bayes 1×10", "TDDT-2 5×2",
		"naive-bayes 5×2",
	} {
		f := papertest.Table(t, r, fmt.Sprintf("figure %d:", i+1))
		require.Len(t, f.Rows, bbPartitions)
		for j, name := range f.Columns[1:] {
			var n [3]int
			last := 0.0
			for _, row := range f.Rows {
				p, err := strconv.ParseFloat(row[1+j], 64)
				require.NoError(t, err)
				require.GreaterOrEqual(t, p, last)
				last = p
				switch {
				case p <= 0.025:
					n[0]++
				case p < 0.975:
					n[1]++
				default:
					n[2]++
				}
			}
			require.Equal(t, papertest.Cell(t, three, column, name), slashes(n), name)
		}
	}
	fit, points := papertest.Table(t, r, "normal curves"), papertest.Table(t, r, "four data sets")
	require.Len(t, fit.Rows, 3)
	require.Equal(t, []string{"rank", "labor-neg", "normal"}, points.Columns)
	var ts []float64
	for _, row := range points.Rows {
		x, err := strconv.ParseFloat(row[1], 64)
		require.NoError(t, err)
		ts = append(ts, x)
	}
	require.True(t, slices.IsSorted(ts))
	m, sd, _ := distance(ts)
	require.InDelta(t, papertest.Number(t, fit, "mean t", "labor-neg"), m, 0.006)
	require.InDelta(t, papertest.Number(t, fit, "sd", "labor-neg"), sd, 0.006)
}

// The distance is Kolmogorov and Smirnov's.
func TestDistance(t *testing.T) {
	t.Parallel()
	_, _, d := distance([]float64{-1, 1})
	require.InDelta(t, 0.5-0.5*math.Erfc(0.5), d, 1e-12) // mean 0, sd √2: Φ(-0.707) = .2398, and 0.5 up to there
	_, sd, d := distance([]float64{2, 2, 2})
	require.Zero(t, sd)
	require.True(t, math.IsNaN(d))
	rng := rand.New(rand.NewPCG(1, 1))
	var normal, skew []float64
	for range 2000 {
		x := rng.NormFloat64()
		normal, skew = append(normal, x), append(skew, x*x)
	}
	_, _, d = distance(normal)
	require.Less(t, d, 0.03)
	_, _, d = distance(skew)
	require.Greater(t, d, 0.15)
}

// The accuracies of table 1 are means over partitions of means over folds.
func TestBBAccuracies(t *testing.T) {
	t.Parallel()
	b := knownBB(t, func(_ *rand.Rand, learner, partition, fold int) float64 {
		return 0.5 + 0.1*float64(learner) + 0.001*float64(partition) + 0.01*float64(fold) - 0.045
	})
	b.shelf.Sets[0] = shelf.Given{Name: "zoo", Data: uci.Zoo()}
	got, err := b.accuracies()
	require.NoError(t, err)
	require.Len(t, got.Rows, 6)
	require.Equal(t, []string{"zoo", "101", "101", "TDDT-2", "1×10", "62.70"}, got.Rows[2][:6])
	require.Equal(t, lab.Figure(100*0.001*math.Sqrt(55*56/12.0/55), 2), got.Rows[2][6])
	require.True(t, strings.HasPrefix(got.Rows[2][8], "-"))
}
