package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aSide is the scores of a learner on data sets, each in ten runs of ten folds.
type aSide [][]float64

// drawnSides returns the scores of a learner on n data sets before and after it changed by a
// difference. The data set moves all of its differences, as the corrected test expects.
func drawnSides(rng *rand.Rand, n int, difference float64) (before, after aSide) {
	const noise = 0.02
	for range n {
		was, is := make([]float64, 100), make([]float64, 100)
		own := difference + noise/3*rng.NormFloat64()
		for i := range was {
			was[i] = 0.6 + 0.02*rng.NormFloat64()
			is[i] = was[i] + own + noise*rng.NormFloat64()
		}
		before, after = append(before, was), append(after, is)
	}
	return before, after
}

// write writes a file with the scores, of which the first runs are there, and the file says so;
// all, if runs is 10.
func (s aSide) write(t *testing.T, path, commit string, runs int) string {
	t.Helper()
	var blocks []*record.Block
	for d, scores := range s {
		h := record.Header{
			Pkg: "example.com/model", Test: "TestModel", Data: fmt.Sprint("d", d), Commit: commit,
			Protocol:   "cv runs=10 folds=10 stratified seed=1 v1",
			DataDigest: strings.Repeat("a", 64), SplitDigest: strings.Repeat("b", 64), Determinism: "nn=yes",
		}
		if runs < 10 {
			h.Of("nn").SetStop(record.Stop{
				Runs: runs, Error: 0.01,
				Claim: "nn improves on majority in accuracy",
			})
		}
		b, err := record.NewBlock(h, []string{"nn"}, []unit.Unit{{
			Name: "accuracy", Better: unit.Higher,
			Max: 1,
		}}, 2000)
		require.NoError(t, err)
		for i, x := range scores[:10*runs] {
			require.NoError(t, b.Add(record.Trial{
				Data: h.Data, Learner: "nn", Run: i/10 + 1, Fold: i%10 + 1,
				TrainN: 1800, TestN: 200, Values: []float64{x},
			}))
		}
		blocks = append(blocks, b)
	}
	var text bytes.Buffer
	require.NoError(t, record.Write(&text, blocks...))
	require.NoError(t, os.WriteFile(path, text.Bytes(), 0o666))
	return path
}

// stopGates are gates of all kinds: none asks for the claim that has stopped the training.
var stopGates = [][]string{
	{"-fail-on", "regressed"},
	{"-fail-on", "regressed", "-alpha", "0.001"},
	{"-fail-on", "regressed", "-tail", "worse", "-alpha", "0.1"},
	{"-fail-on", "not-improved"},
	{"-fail-on", "not-improved", "-tail", "better"},
	{"-fail-on", "regressed,inconclusive", "-margin", "2pp"},
	{"-require", "non-inferior", "-margin", "2pp"},
	{"-require", "non-inferior", "-margin", "1pp", "-alpha", "0.01"},
	{"-require", "non-inferior", "-margin", "3pp", "-tail", "worse"},
	{"-require", "equivalent", "-margin", "3pp"},
	{"-require", "improved"},
	{"-require", "improved", "-tail", "better"},
}

// A stopped file turns no gate that the whole file would not, but with an error far below γ: it is
// judged alike, or not.
func TestGatesOnStoppedTraining(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name+".txt") }
	rng := rand.New(rand.NewPCG(11, 1))
	wrong, judged := 0, make(map[int]int)
	const sets = 60
	for i := range sets {
		before, after := drawnSides(rng, 1, []float64{
			-0.06, -0.03, -0.02, -0.01, 0, 0.01,
			0.03, 0.06,
		}[i%8])
		old, fresh := before.write(t, path("old"), "aaaa", 10), after.write(t, path("new"), "bbbb", 10)
		runs := [][2]int{{2, 10}, {10, 3}, {5, 5}, {3, 2}}[rng.IntN(4)]
		stoppedOld, stoppedNew := before.write(t, path("old2"), "aaaa", runs[0]),
			after.write(t, path("new2"), "bbbb", runs[1])
		for _, gate := range stopGates {
			want, _, _ := runText(append(gate, old, fresh)...)
			got, _, messages := runText(append(gate, stoppedOld, stoppedNew)...)
			require.NotEqual(t, cli.Unjudged, want, gate)
			judged[got]++
			if got == cli.Unjudged {
				require.Contains(t, messages, fmt.Sprintf("only %d of 10 runs are there: they do not settle the claim, and training was stopped there: the test that has stored them trains the others", min(runs[0], runs[1])))
			} else if got != want {
				wrong++
			}
		}
	}
	assert.LessOrEqual(t, wrong, 3, "of %v", judged)
	assert.Greater(t, judged[cli.Clean], 100)
	assert.Greater(t, judged[cli.Failed], 100)
	assert.Greater(t, judged[cli.Unjudged], 50)
}

// A gate on differences of several rows adjusts the p of all runs, which nobody has; a requirement
// is about each row.
func TestGatesOfManyRowsOnStoppedTraining(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before, after := drawnSides(rand.New(rand.NewPCG(3, 1)), 3, 0.06)
	old, fresh := before.write(t, filepath.Join(dir, "old.txt"), "aaaa", 10),
		after.write(t, filepath.Join(dir, "new.txt"), "bbbb", 3)
	status, _, messages := runText("-fail-on", "regressed", old, fresh)
	assert.Equal(t, cli.Unjudged, status)
	assert.Contains(t, messages, "-fail-on regressed over 3 comparisons takes the p of all runs, and the training of 3 was stopped earlier, when their verdicts were settled: ")
	assert.Contains(t, messages, "or require each of them to be non-inferior, within a margin")
	for _, gate := range [][]string{
		{"-require", "non-inferior", "-margin", "2pp"},
		{"-require", "improved"},
	} {
		status, out, messages := runText(append(gate, "-v", old, fresh)...)
		assert.Equal(t, cli.Clean, status, messages)
		assert.Contains(t, out, "settled after 2 of 10 runs: the verdict of all 10 agrees with probability 0.99 or more")
		assert.Contains(t, out+messages,
			"new.txt: the training of nn on d0 was stopped after 3 of 10 runs, which settled whether nn improves on majority in accuracy; and so 2 others")
	}
	// One that the gate chooses stays one, whatever the file has besides.
	status, _, messages = runText("-fail-on", "regressed", "-data", "d0", old, fresh)
	assert.Equal(t, cli.Clean, status, messages)
}

// Claims without a rule for stopped training are not judged.
func TestStoppedTrainingIsNotJudgedWithoutARule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before, after := drawnSides(rand.New(rand.NewPCG(3, 1)), 1, 0.06)
	old, fresh := before.write(t, filepath.Join(dir, "old.txt"), "aaaa", 10),
		after.write(t, filepath.Join(dir, "new.txt"), "bbbb", 5)
	for want, args := range map[string][]string{
		"a bound of a score takes all": {"-at-least", "accuracy=0.1", fresh},
		"paired-t takes all runs":      {"-fail-on", "regressed", "-test", "paired-t", old, fresh},
		"only 5 of 10 runs are there, and a margin in percent of a mean takes all": {
			"-require",
			"non-inferior", "-margin", "50%", old, fresh,
		},
		"a required replicability rests on them": {
			"-fail-on",
			"regressed", "-replicability", "0.9", old, fresh,
		},
	} {
		status, out, messages := runText(args...)
		assert.Equal(t, cli.Unjudged, status, want+out)
		assert.Contains(t, messages, want)
	}
	// Equal scores of the first runs are no proof that the others are equal, unless the program is.
	same := before.write(t, filepath.Join(dir, "same.txt"), "bbbb", 5)
	status, _, messages := runText("-fail-on", "regressed", old, same)
	assert.Equal(t, cli.Unjudged, status)
	assert.Contains(t, messages, "they do not settle the claim")

	status, _, messages = runText("-history", old, same)
	assert.Equal(t, cli.Unjudged, status, "nothing says that nothing has changed")
	assert.Contains(t, messages, "they do not settle the claim")

	// A file that somebody has cut off, or says was stopped, is no file that was stopped.
	text, err := os.ReadFile(fresh)
	require.NoError(t, err)
	for what, edited := range map[string]string{
		"no stop":     strings.Replace(string(text), "\nStopped:", "\nReproduce:", 1),
		"no checksum": withoutChecksums(string(text)),
		"fewer":       strings.Replace(string(text), "nn=5,", "nn=2,", 1),
		"torn":        string(text[:len(text)-200]),
	} {
		bad := filepath.Join(dir, "bad.txt")
		require.NoError(t, os.WriteFile(bad, []byte(edited), 0o666))
		status, _, _ := runText("-fail-on", "regressed", old, bad)
		assert.Equal(t, cli.Unjudged, status, what)
	}
}
