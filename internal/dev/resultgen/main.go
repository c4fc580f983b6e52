// Resultgen writes result files of any size, for measurements: made-up scores
// of learners under repeated cross-validation, through the writer of package record.
//
//	go -C internal/dev run ./resultgen -data 1000 -learners 10 >old.txt
//	go -C internal/dev run ./resultgen -data 1000 -learners 10 -seed 2 >new.txt
//	go -C internal/dev run ./resultgen -data 1000 -dir old
//
// Equal flags give equal bytes. Files that differ in -seed or -commit only can be
// compared with each other.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A config holds the flags.
type config struct {
	data, learners, runs, folds int
	examples                    int
	seed                        uint64
	commit                      string
	timeless                    bool
	dir                         string
}

func main() {
	var c config
	flag.IntVar(&c.data, "data", 10, "number of data sets")
	flag.IntVar(&c.learners, "learners", 2, "number of learners")
	flag.IntVar(&c.runs, "runs", 10, "runs of the protocol")
	flag.IntVar(&c.folds, "folds", 10, "folds of each run")
	flag.IntVar(&c.examples, "examples", 1000, "examples of each data set")
	flag.Uint64Var(&c.seed, "seed", 1, "seed of the scores")
	flag.StringVar(&c.commit, "commit", "0000000", "commit in the headers")
	flag.BoolVar(&c.timeless, "timeless", false, "leave the times out")
	flag.StringVar(&c.dir, "dir", "", "directory that gets a file for each data set")
	flag.Parse()
	w := bufio.NewWriter(os.Stdout)
	err := generate(w, c)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "resultgen: %v\n", err)
		os.Exit(1)
	}
}

func generate(w io.Writer, c config) error {
	if c.dir == "" {
		return write(w, c, 0, c.data)
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	for d := range c.data {
		var text bytes.Buffer
		if err := write(&text, c, d, d+1); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(c.dir, fmt.Sprintf("data%d.txt", d)), text.Bytes(),
			0o666); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file of the data sets from one number up to another, block by block.
func write(w io.Writer, c config, from, to int) error {
	for d := from; d < to; d++ {
		b, err := block(c, d)
		if err != nil {
			return err
		}
		if err := record.Write(w, b); err != nil {
			return err
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
	}
	return nil
}

// block returns the results on data set d. Each learner has a mean score of its
// own on each data set, around which the scores of the folds lie.
func block(c config, d int) (*record.Block, error) {
	learners := make([]string, c.learners)
	for l := range learners {
		learners[l] = fmt.Sprintf("learner%d", l)
	}
	data := fmt.Sprintf("data%d", d)
	b, err := record.NewBlock(record.Header{
		Pkg: "example.com/model", Test: "TestModels/" + data, Data: data, Commit: c.commit,
		Protocol:    fmt.Sprintf("cv runs=%d folds=%d stratified seed=1 v1", c.runs, c.folds),
		DataDigest:  digest(data),
		SplitDigest: digest(data, c.runs, c.folds),
		Toolchain:   "go1.26 linux/amd64",
	}, learners, []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}}, c.examples)
	if err != nil {
		return nil, err
	}
	b.Timeless = c.timeless
	means := rand.New(rand.NewPCG(1, uint64(d)))
	mean := make([]float64, c.learners)
	for l := range mean {
		mean[l] = 0.5 + 0.4*means.Float64()
	}
	scores := rand.New(rand.NewPCG(c.seed+1, uint64(d)))
	for run := 1; run <= c.runs; run++ {
		for fold := 1; fold <= c.folds; fold++ {
			testN := (c.examples*fold)/c.folds - (c.examples*(fold-1))/c.folds
			for l, name := range learners {
				right := min(max(int(float64(testN)*(mean[l]+0.05*scores.NormFloat64())), 0), testN)
				err := b.Add(record.Trial{
					Data: data, Learner: name, Run: run, Fold: fold, TrainN: c.examples - testN, TestN: testN,
					Values:     []float64{float64(right) / float64(testN)},
					FitSeconds: float64(scores.IntN(1e7)) / 1e9, PredictSec: float64(scores.IntN(1e6)) / 1e9,
				})
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return b, nil
}

func digest(parts ...any) string {
	sum := sha256.Sum256([]byte(fmt.Sprintln(parts...)))
	return hex.EncodeToString(sum[:])
}
