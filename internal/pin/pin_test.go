package pin

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var accuracy = unit.Unit{Name: "accuracy", Better: unit.Higher, Max: 1}

// results writes a result file of a commit, whose learner has the score in each fold,
// plus a little that differs.
func results(t *testing.T, path, commit string, score float64) {
	t.Helper()
	h := record.Header{
		Pkg: "example.com/model", Test: "TestForest", Data: "mail", Commit: commit,
		Protocol:   "cv runs=2 folds=5 stratified seed=1 v1",
		DataDigest: strings.Repeat("a", 64), SplitDigest: strings.Repeat("b", 64),
	}
	h.Of("forest").AddAgainst("pinned.txt")
	b, err := record.NewBlock(h, []string{"forest", "bayes"}, []unit.Unit{accuracy}, 50)
	require.NoError(t, err)
	for run := 1; run <= 2; run++ {
		for fold := 1; fold <= 5; fold++ {
			for _, l := range b.Learners {
				trial := record.Trial{
					Data: "mail", Learner: l, Run: run, Fold: fold, TrainN: 40, TestN: 10,
					FitSeconds: 1, PredictSec: 1,
				}
				trial.Values = []float64{score + 0.01*float64(fold%2)*score}
				require.NoError(t, b.Add(trial))
			}
		}
	}
	var text strings.Builder
	require.NoError(t, record.Write(&text, b))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
}

// TestDifferencesOfMovesTelescope adds up what moves have given up.
func TestDifferencesOfMovesTelescope(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reference := filepath.Join(dir, "pinned.txt")
	scores := []float64{0.8, 0.75, 0.77, 0.7}
	for i, s := range scores {
		path := filepath.Join(dir, fmt.Sprintf("%d.txt", i))
		results(t, path, fmt.Sprintf("c%d", i), s)
		m := Move{
			Results: path, Reference: reference, Reason: fmt.Sprintf("move %d", i),
			Date: time.Date(2026, 1, 2+i, 3, 4, 5, 0, time.UTC),
		}
		if i == 0 {
			m.Learners = []string{"forest"}
		}
		entry, err := m.Do()
		require.NoError(t, err)
		text, err := os.ReadFile(ledger.Path(reference))
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(string(text), entry))
		require.NoError(t, ledger.Check(reference))
	}
	text, err := os.ReadFile(filepath.Join(dir, "pinned.ledger"))
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	assert.Equal(t, "How pinned.txt was moved, by learnbench pin: the latest move is the last.",
		lines[0])
	assert.Equal(t, "2026-01-02 c0: move 0", lines[2])
	assert.Equal(t, "    mail/forest  accuracy 80.48%, the first", lines[4])
	assert.Equal(t, "2026-01-03 c1 after c0: move 1", lines[6])
	assert.Regexp(t, `^    mail/forest  accuracy 75\.45%, -5\.03 points, 95% interval -8\.\d+ to -1\.\d+ points, p = [\d.e-]+$`, lines[8])
	var sum float64
	for _, line := range lines {
		if _, rest, ok := strings.Cut(line, "%, "); ok {
			var x float64
			if n, _ := fmt.Sscanf(rest, "%f points", &x); n == 1 {
				sum += x
			}
		}
	}
	assert.InDelta(t, 100*(0.7-0.8)*1.006, sum, 0.015+1e-9, "three differences, each rounded to 0.01")
}

func TestUncommittedResultsAreNotPinned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, reference := filepath.Join(dir, "new.txt"), filepath.Join(dir, "pinned.txt")
	results(t, path, "c0ffee-dirty", 0.8)
	m := Move{Results: path, Reference: reference, Reason: "why not"}
	_, err := m.Do()
	require.ErrorContains(t, err, "new.txt is of commit c0ffee-dirty: commit the change first and run the test again, so that the reference can be reproduced")
	assert.NoFileExists(t, reference)
	assert.NoFileExists(t, ledger.Path(reference))

	results(t, path, "c0ffee", 0.8)
	for _, bad := range []string{"", "  ", "two\nlines", "two\rlines"} {
		m.Reason = bad
		_, err = m.Do()
		require.ErrorContains(t, err, "a move has a reason, in one line")
	}
	m.Reason = "forges \x1b[31m an entry"
	entry, err := m.Do()
	require.NoError(t, err)
	assert.Contains(t, entry, `c0ffee: forges \u001b[31m an entry`)

	// Results that are not complete.
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "Checksum:") {
			lines[i] = ""
		}
	}
	short := strings.Join(lines[:len(lines)-2], "")
	require.NoError(t, os.WriteFile(path, []byte(short), 0o666))
	_, err = m.Do()
	require.ErrorContains(t, err, path+": trials are missing")
	require.NoError(t, os.WriteFile(path, text, 0o666))
	require.NoError(t, os.WriteFile(path+".partial-1", text, 0o666))
	_, err = m.Do()
	require.ErrorContains(t, err, "new.txt.partial-1: a run that writes to")
}

// A trial that failed has no score to compare with.
func TestFailedTrialsAreNotPinned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, reference := filepath.Join(dir, "new.txt"), filepath.Join(dir, "pinned.txt")
	results(t, path, "c0ffee", 0.8)
	f, err := record.Open(path)
	require.NoError(t, err)
	b := f.Blocks()[0]
	failed, err := record.NewBlock(b.Header, b.Learners, b.Units, 50)
	require.NoError(t, err)
	for trial := range b.Trials() {
		if trial.Learner == "bayes" && trial.Run == 2 && trial.Fold == 3 {
			trial.Values, trial.Err = nil, "out of memory"
		}
		require.NoError(t, failed.Add(trial))
	}
	var text strings.Builder
	require.NoError(t, record.Write(&text, failed))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
	_, err = (&Move{
		Results: path, Reference: reference, Reason: "why not",
		Learners: []string{"forest"},
	}).Do()
	require.ErrorContains(t, err, "run 2, fold 3: out of memory: what failed cannot be pinned")
	assert.NoFileExists(t, reference)
}

// Results that were edited, or written by another program, are no reference, and make none.
func TestResultsWithoutAChecksumAreNotPinned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, reference := filepath.Join(dir, "new.txt"), filepath.Join(dir, "pinned.txt")
	bare := func(path string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		lines := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"),
			func(l string) bool { return strings.HasPrefix(l, "Checksum:") })
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666))
	}
	results(t, path, "c0ffee", 0.8)
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	bare(path)
	m := Move{Results: path, Reference: reference, Reason: "why not", Learners: []string{"forest"}}
	_, err = m.Do()
	require.EqualError(t, err, path+":1: the block has no checksum, so that nothing shows whether its scores were edited: run the test again: only results that it has stored can be pinned")
	require.NoFileExists(t, reference)

	require.NoError(t, os.WriteFile(path, good, 0o666))
	_, err = m.Do()
	require.NoError(t, err)
	require.NoError(t, ledger.Check(reference))
	bare(reference)
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	entries, err := os.ReadFile(ledger.Path(reference))
	require.NoError(t, err)
	f, err := ledger.Parse(string(entries))
	require.NoError(t, err)
	forged := strings.Replace(string(entries), f[0].Digest, ledger.Digest(string(text)), 1)
	require.NoError(t, os.WriteFile(ledger.Path(reference), []byte(forged), 0o666))
	require.ErrorContains(t, ledger.Check(reference), "pinned.txt:1: the block has no checksum")
}
