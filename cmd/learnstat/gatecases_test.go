package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// A gateCase is a gate that fails because of one row.
type gateCase struct {
	name      string
	flags     []string
	texts     [2]string // of the old file and the new one
	sound     [2]string // without what makes the gate fail
	status    int
	stderr    string // a regular expression
	checksums bool
	oneFile   bool // the old file alone
}

// The learners have in their names the characters with a meaning in the format.
const (
	plain    = "nn(k=5,weighting=inverse)"
	awkward  = "größe a/b=c 100%"
	unnamed  = ""
	numbered = "c45-8"
)

// failed is what a gate that fails says.
const failed = `^learnstat: the gate fails on [1-9].*\nlearnstat: [^\n]*\n$`

func gateCases(t *testing.T) []gateCase {
	t.Helper()
	// A learner of two tests, of which each has another one besides: no block is
	// there in vain.
	first := experiment{test: "TestFirst", data: "iris", learners: []string{plain, awkward, unnamed}}
	second := experiment{test: "TestSecond/größe", data: "iris", learners: []string{plain, numbered}}
	third := experiment{test: "TestFirst", data: "d/3 = 100%", learners: []string{numbered, plain}}
	old := []experiment{first, second, third}
	change := func(change func(first *experiment)) []experiment {
		e := first
		change(&e)
		return []experiment{e, second, third}
	}
	constantly := func(by, noise float64) func(*experiment) {
		return func(e *experiment) {
			e.shift = func(learner string, _, fold int) float64 {
				if learner != awkward {
					return 0
				}
				return by + noise*float64(fold-2)
			}
		}
	}
	repeated := func(list []experiment) []experiment {
		var longer []experiment
		for i, e := range list {
			e.runs, e.shards = 6, i != 1
			longer = append(longer, e)
		}
		return longer
	}
	once := func(e *experiment) {
		e.shift = func(learner string, run, fold int) float64 {
			if learner != awkward || run > 2 {
				return 0
			}
			return 0.2 + 0.001*float64(fold)
		}
	}
	margins := []string{"-margin", "accuracy=0.02,logloss=0.5", "-fail-on", "inconclusive"}
	replicable := []string{"-replicability", "0.9", "-repeats", "3", "-fail-on", "inconclusive"}
	var cases []gateCase
	for _, c := range []struct {
		name            string
		flags           []string
		old, new, sound []experiment
		status          int
		stderr          string
		bare            bool // without checksums as well
	}{
		{
			"score",
			[]string{"-fail-on", "regressed"},
			old, change(constantly(-0.3, 0.01)), old, cli.Failed,
			failed, true,
		},
		{"margin", margins, old, change(constantly(0.001, 0.1)), old, cli.Failed, failed, true},
		{
			"replicability", replicable, repeated(old), repeated(change(once)),
			repeated(change(constantly(0.2, 0.001))), cli.Failed, failed, true,
		},
		{
			"missing row",
			[]string{"-fail-on", "regressed"},
			old, change(func(e *experiment) { e.learners = e.learners[:2] }), old,
			cli.Unjudged, `^learnstat: \S*old.txt:1: learner  on data set iris is not in \S*new.txt\n$`,
			true,
		},
		{
			// Without a checksum, a 1 of the unit failed is easily one of accuracy.
			"failed trial",
			[]string{"-fail-on", "regressed"},
			old, change(func(e *experiment) { e.fails = true }), old,
			cli.Unjudged, `trials failed: data set iris, learner größe a/b=c 100%, run 1, fold 3`, false,
		},
		{
			// There is no other file to tell that a direction or a score was changed.
			"one file",
			[]string{
				"-baseline", plain, "-learner", awkward, "-metric", "accuracy", "-fail-on",
				"regressed",
			},
			change(constantly(-0.3, 0.01))[:1], nil, change(constantly(0.3, 0.01))[:1],
			cli.Failed, failed, false,
		},
	} {
		texts, sound := [2]string{fileOf(t, "aaaa", c.old)}, [2]string{fileOf(t, "aaaa", c.sound)}
		if c.new != nil {
			texts[1] = fileOf(t, "bbbb", c.new)
			sound = [2]string{texts[0], fileOf(t, "bbbb", c.sound)}
		}
		g := gateCase{c.name, c.flags, texts, sound, c.status, c.stderr, true, c.new == nil}
		cases = append(cases, g)
		if !c.bare {
			continue
		}
		g.name, g.checksums = g.name+" without checksums", false
		for i := range g.texts {
			g.texts[i], g.sound[i] = withoutChecksums(g.texts[i]), withoutChecksums(g.sound[i])
		}
		cases = append(cases, g)
	}
	return cases
}

var checksumLine = regexp.MustCompile(`(?m)^Checksum: .*\n`)

func withoutChecksums(text string) string { return checksumLine.ReplaceAllString(text, "") }

// An experiment describes the blocks of one identity.
type experiment struct {
	test, data string
	learners   []string
	runs       int                                         // in all; 2 if zero
	shards     bool                                        // further runs have a block of their own
	shift      func(learner string, run, fold int) float64 // is added to scores
	fails      bool                                        // the trial of a learner in a fold
}

// fileOf returns the text of a result file.
func fileOf(t *testing.T, commit string, experiments []experiment) string {
	t.Helper()
	var blocks []*record.Block
	for _, e := range experiments {
		last := max(e.runs, 2)
		if e.shards {
			blocks = append(blocks, e.block(t, commit, 1, 2), e.block(t, commit, 3, last))
		} else {
			blocks = append(blocks, e.block(t, commit, 1, last))
		}
	}
	var b bytes.Buffer
	require.NoError(t, record.Write(&b, blocks...))
	return b.String()
}

// block returns the trials of some runs.
func (e *experiment) block(t *testing.T, commit string, from, to int) *record.Block {
	t.Helper()
	digest := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	h := record.Header{
		Pkg: "example.com/model", Test: e.test, Data: e.data, Commit: commit,
		Protocol:   "cv runs=2 folds=3 stratified seed=1 v1",
		DataDigest: digest(e.data), SplitDigest: digest("partitions of " + e.data),
		CommitTime: "2026-11-20T16:02:11Z",
		Reproduce:  `go test -run '^TestTree$/a\.b' example.com/model`, Toolchain: "go1.26 linux/amd64",
	}
	for _, l := range e.learners {
		h.Of(l).SetProbe(record.Deterministic)
	}
	units := []unit.Unit{
		{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1},
		{Name: "logloss", Better: unit.Lower, Min: 0, Max: math.Inf(1)},
	}
	b, err := record.NewBlock(h, e.learners, units, 31)
	require.NoError(t, err)
	for run := from; run <= to; run++ {
		for fold := 1; fold <= 3; fold++ {
			for _, l := range e.learners {
				name := fnv.New64()
				name.Write([]byte(e.data + "|" + l))
				r := rand.New(rand.NewPCG(name.Sum64(), uint64(run*100+fold)))
				trial := record.Trial{
					Data: e.data, Learner: l, Run: run, Fold: fold, TrainN: 21, TestN: 10,
					Values: []float64{0.5 + 0.1*r.Float64(), 0.7 + 0.1*r.Float64()}, FitSeconds: r.Float64() / 1e3,
					PredictSec: r.Float64() / 1e5,
				}
				if fold == 3 {
					trial.TrainN, trial.TestN = 20, 11
				}
				if e.shift != nil {
					trial.Values[0] += e.shift(l, run, fold)
				}
				if e.fails && l == awkward && run == 1 && fold == 3 {
					trial.Values, trial.Err = nil, "panic: index out of range\nat line 3"
				}
				require.NoError(t, b.Add(trial))
			}
		}
	}
	return b
}
