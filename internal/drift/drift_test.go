package drift

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	histories = flag.Int("histories", 0,
		"number of histories that are simulated; 500, or 2000 where LEARNBENCH_CI names slow")
	update = flag.Bool("update", false,
		"rewrite the tables in docs/drift.md, with as many histories as it says")
)

const (
	published = 20000 // histories behind the tables
	seed      = 1
)

var (
	design = Design{Commits: 40, Loss: 0.002, Noise: 0.015, Budget: 0.02}
	after  = []int{5, 10, 15, 20, 40}
	spent  = 10 // commits after which the budget is
	noises = []float64{0.01, 0.0125, 0.015, 0.02, 0.03}
)

// tables simulates and returns the tables of docs/drift.md.
func tables(t *testing.T, histories int) string {
	t.Helper()
	passed, err := design.Simulate(histories, seed)
	require.NoError(t, err)
	text := passed.Table(histories, after, design.Loss)
	text += fmt.Sprintf("\n| noise of a fold | standard error of a commit's difference | %s |\n|---:|---:|---:|---:|---:|\n", strings.Join(gates, " | "))
	for _, noise := range noises {
		d := design
		d.Noise, d.Commits = noise, spent
		passed, err := d.Simulate(histories, seed)
		require.NoError(t, err)
		se := noise * math.Sqrt(correlation+(1-correlation)/n)
		text += fmt.Sprintf("| %.2f points | %.2f points | %s |\n", 100*noise, 100*se,
			passed.row(histories, spent))
	}
	return text
}

const begin, end = "<!-- simulated -->\n", "<!-- end -->\n"

// TestDriftAgreesWithTheTables simulates anew and compares with the published tables, within
// Monte Carlo error; with -histories 20000, to the digit.
func TestDriftAgreesWithTheTables(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "drift.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok)
	stored, tail, ok := strings.Cut(rest, end)
	require.True(t, ok)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(head+begin+tables(t, published)+end+tail), 0o666))
		return
	}
	if *histories == 0 {
		*histories = 500
		if citest.Has(citest.Slow) {
			*histories = 2000
		}
	}
	got := tables(t, *histories)
	if *histories == published {
		require.Equal(t, stored, got)
		return
	}
	want, have := percentages(t, stored), percentages(t, got)
	require.Len(t, have, len(want))
	require.Len(t, want, 3*(len(after)+len(noises)))
	for i := range want {
		p := want[i] / 100
		// Five standard errors, since there are many numbers, of both.
		tolerance := 5*math.Sqrt((p*(1-p)+0.001)*(1/float64(*histories)+1.0/published)) + 0.0005
		assert.InDelta(t, p, have[i]/100, tolerance, "number %d of the tables, of %d histories",
			i+1, *histories)
	}
}

// percentages returns all of a text.
func percentages(t *testing.T, text string) []float64 {
	t.Helper()
	var all []float64
	for field := range strings.FieldsSeq(text) {
		if number, ok := strings.CutSuffix(field, "%"); ok {
			x, err := strconv.ParseFloat(number, 64)
			require.NoError(t, err)
			all = append(all, x)
		}
	}
	return all
}

// TestNoLossNoDrift has commits that lose nothing: the gates then keep their level.
func TestNoLossNoDrift(t *testing.T) {
	t.Parallel()
	const histories = 2000
	d := Design{Commits: 1, Noise: 0.015, Budget: 0.02}
	passed, err := d.Simulate(histories, seed)
	require.NoError(t, err)
	for gate := range 2 { // half of the two-sided false alarms are regressions
		assert.InDelta(t, 0.975, float64(passed[0][gate])/histories, 4*math.Sqrt(0.975*0.025/histories))
	}
	assert.Greater(t, passed[0][2], histories*99/100)

	// A loss of just the budget passes as often as the level says.
	d.Loss = d.Budget
	passed, err = d.Simulate(histories, seed)
	require.NoError(t, err)
	assert.InDelta(t, 0.05, float64(passed[0][2])/histories, 4*math.Sqrt(0.05*0.95/histories))
}

// TestGatesAreThoseOfVerdicts judges the same differences as tests do.
func TestGatesAreThoseOfVerdicts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	unit := unit.Unit{Name: "score", Better: unit.Higher, Min: math.Inf(-1), Max: math.Inf(1)}
	header := &record.Header{Protocol: "cv runs=10 folds=10 stratified seed=1 v1"}
	const budget = 0.02
	seen := make(map[[2]bool]int)
	for range 300 {
		p := &record.Pairs{
			Data: "d", Candidate: "now", Baseline: "before", Unit: unit,
			CandidateHeader: header, BaselineHeader: header, Runs: runs, Folds: folds,
		}
		d, center, noise := differences(), 0.03*r.NormFloat64(), 0.02*r.Float64()
		for i := range d.X {
			d.X[i] = center + float64(noise*r.NormFloat64())
			p.A, p.B = append(p.A, d.X[i]), append(p.B, 0)
			p.TrainN, p.TestN = append(p.TrainN, 900), append(p.TestN, 100)
		}
		worse, err := regressed(d)
		require.NoError(t, err)
		over, err := overdrawn(d, budget)
		require.NoError(t, err)
		require.Equal(t, verdict.Judge(p, verdict.Claim{}).Outcome == verdict.Regressed, worse)
		v := verdict.Judge(p, verdict.Claim{Kind: verdict.NoRegression, Margin: budget}).WithBudget()
		require.NoError(t, v.Err)
		require.Equal(t, v.Holds, !over)
		seen[[2]bool{worse, over}]++
	}
	require.Len(t, seen, 4, "%v", seen)
}

func TestSimulationIsSeeded(t *testing.T) {
	t.Parallel()
	d := Design{Commits: 3, Loss: 0.002, Noise: 0.015, Budget: 0.02}
	a, err := d.Simulate(50, 1)
	require.NoError(t, err)
	b, err := d.Simulate(50, 1)
	require.NoError(t, err)
	assert.Equal(t, a, b)
	for k := 1; k < d.Commits; k++ {
		for gate := range 3 {
			assert.LessOrEqual(t, a[k][gate], a[k-1][gate])
		}
	}
	d.Noise = math.NaN()
	_, err = d.Simulate(2, 1)
	assert.Error(t, err)
}
