package storage

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

var accuracy = unit.Unit{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}

// A set is what a block is made of: its head and a list of trials, which a test
// may spoil.
type set struct {
	Header   record.Header
	Learners []string
	Units    []unit.Unit
	Examples int
	Timeless bool
	Trials   []record.Trial
}

// digest returns a SHA-256 in hexadecimal.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func sampleHeader(data string, runs, folds int) record.Header {
	return record.Header{
		Pkg:         "example.com/model",
		Test:        "TestForest",
		Data:        data,
		Commit:      "3f2a9c1",
		CommitTime:  "2026-11-20T16:02:11Z",
		Protocol:    fmt.Sprintf("cv runs=%d folds=%d stratified seed=1 v1", runs, folds),
		DataDigest:  digest(data),
		SplitDigest: digest("split " + data),
		Reproduce:   "go test -run '^TestForest$' ./...",
		Determinism: "c45=yes",
		Toolchain:   "go1.26.8 linux/amd64",
	}
}

// sampleSet is a complete set under cross-validation, with made-up scores that
// differ from cell to cell. There is one example more than ten for each fold.
func sampleSet(data string, runs, folds int, learners ...string) set {
	s := set{
		Header: sampleHeader(data, runs, folds), Learners: learners, Units: []unit.Unit{accuracy},
		Examples: 10*folds + 1,
	}
	for run := 1; run <= runs; run++ {
		s.Trials = append(s.Trials, sampleRun(&s, run, folds)...)
	}
	return s
}

// sampleRun is a complete run of a sample set.
func sampleRun(s *set, run, folds int) []record.Trial {
	var trials []record.Trial
	for fold := 1; fold <= folds; fold++ {
		testN := 10
		if fold == 1 {
			testN++
		}
		for i, learner := range s.Learners {
			trials = append(trials, record.Trial{
				Data: s.Header.Data, Learner: learner, Run: run, Fold: fold,
				TrainN: s.Examples - testN, TestN: testN,
				Values:     []float64{1 / (1 + float64(run) + float64(fold)/7 + float64(i)/100)},
				FitSeconds: 0.0012 * float64(run), PredictSec: 4e-5,
			})
		}
	}
	return trials
}

// tryBlock returns the block of a set, or why there is none.
func (s *set) tryBlock() (*record.Block, error) {
	b, err := record.NewBlock(s.Header, s.Learners, s.Units, s.Examples)
	if err != nil {
		return nil, err
	}
	b.Timeless = s.Timeless
	for _, tr := range s.Trials {
		if err := b.Add(tr); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (s set) block(t require.TestingT) *record.Block {
	b, err := s.tryBlock()
	require.NoError(t, err)
	return b
}

// clone returns a copy that shares no trials and no values.
func (s set) clone() set {
	s.Trials = slices.Clone(s.Trials)
	for i := range s.Trials {
		s.Trials[i].Values = slices.Clone(s.Trials[i].Values)
	}
	s.Learners, s.Units = slices.Clone(s.Learners), slices.Clone(s.Units)
	return s
}

// fail makes a trial one that failed.
func (s *set) fail(i int, cause string) { s.Trials[i].Values, s.Trials[i].Err = nil, cause }

func sampleBlock(t require.TestingT, data string, runs, folds int,
	learners ...string,
) *record.Block {
	return sampleSet(data, runs, folds, learners...).block(t)
}

func blocksOf(t require.TestingT, sets ...set) []*record.Block {
	var blocks []*record.Block
	for _, s := range sets {
		blocks = append(blocks, s.block(t))
	}
	return blocks
}

// text returns the text of blocks.
func text(t require.TestingT, blocks ...*record.Block) string {
	var b bytes.Buffer
	require.NoError(t, record.Write(&b, blocks...))
	return b.String()
}

// textOf returns the text of sets.
func textOf(t require.TestingT, sets ...set) string { return text(t, blocksOf(t, sets...)...) }

// contentOf returns all that a block holds but positions.
func contentOf(b *record.Block) set {
	s := set{Header: b.Header, Learners: b.Learners, Units: b.Units, Timeless: b.Timeless}
	for t := range b.Trials() {
		t.Pos = record.Pos{}
		s.Trials = append(s.Trials, t)
	}
	return s
}

// contents returns what blocks hold.
func contents(blocks ...*record.Block) []set {
	var all []set
	for _, b := range blocks {
		all = append(all, contentOf(b))
	}
	return all
}

// withoutChecksum returns the text of a file without its checksums, as another
// tool may write it.
func withoutChecksum(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Checksum:") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// requireError checks the type of an error and returns it.
func requireError[E error](t require.TestingT, err error) E {
	var e E
	require.ErrorAs(t, err, &e)
	return e
}

// trialLines returns the lines of each trial.
func trialLines(full string) []string {
	var lines []string
	cause := ""
	for line := range strings.Lines(full) {
		switch {
		case strings.HasPrefix(line, "error: "):
			cause = line
		case strings.HasPrefix(line, "BenchmarkCV") && cause != "":
			lines = append(lines, cause+line+"error:\n")
			cause = ""
		case strings.HasPrefix(line, "BenchmarkCV"):
			lines = append(lines, line)
		}
	}
	return lines
}

// fileText returns what a file holds.
func fileText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}
