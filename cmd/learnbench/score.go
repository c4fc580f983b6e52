package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// scoreCommand computes metrics of stored predictions, without training.
func scoreCommand(args []string, stdout io.Writer) (int, error) {
	var (
		metrics list
		out     string
	)
	fs := flag.NewFlagSet("score", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&metrics, "metric", "")
	fs.StringVar(&out, "o", "", "")
	_, err := parseFlags(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		return helpOn(stdout, "score")
	}
	var blocks []*record.Block
	if err == nil {
		blocks, err = score(metrics, fs.Args())
	}
	if err == nil && out != "" {
		err = storeScores(out, args, blocks)
	}
	if err == nil {
		err = cli.Write(stdout, scored(blocks))
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("score: %w", err)
	}
	if err := reportFailures(record.NewFile(blocks...), "their trials failed, or another shard has them"); err != nil {
		return cli.Unjudged, err
	}
	return cli.Clean, nil
}

// score returns a result for each data set in the files.
func score(lists, paths []string) ([]*record.Block, error) {
	switch {
	case len(lists) == 0:
		return nil, errors.New("no metrics: name them with -metric, as in -metric logloss,macro-f1")
	case len(paths) == 0:
		return nil, errors.New("no files: name files of predictions")
	}
	shards, err := predictions.Open(paths...)
	if err != nil {
		return nil, err
	}
	all, err := predictions.Together(shards)
	if err != nil {
		return nil, err
	}
	metrics := unit.SplitList(strings.Join(lists, ","))
	var blocks []*record.Block
	for _, from := range all {
		b, err := scoreBlock(from, metrics)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", from.Pos, err)
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// scoreBlock returns the result of predictions.
func scoreBlock(from *predictions.Block, names []string) (*record.Block, error) {
	sums, err := predictions.Sums(from)
	if err != nil {
		return nil, err
	}
	var metrics []metric.Metric
	var units []unit.Unit
	for _, name := range names {
		m, err := from.Metric(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(units, func(u unit.Unit) bool { return u.Name == m.Name }) {
			return nil, fmt.Errorf("metric %s is there twice", m.Name)
		}
		metrics, units = append(metrics, m), append(units, m.Unit)
	}
	parts, err := from.Partition()
	if err != nil {
		return nil, err
	}
	b, err := record.NewBlock(record.Header{
		Pkg: from.Pkg, Test: from.Test, Protocol: from.Protocol, DataDigest: from.DataDigest, SplitDigest: from.SplitDigest, Data: from.Data,
		RescoredFrom: strings.Join(sums, " "),
	}, from.Learners(), units, from.Examples)
	if err != nil {
		return nil, err
	}
	for i, m := range metrics {
		b.Header.AddFormula(units[i].Name, m.Fingerprint(from.Classes))
	}
	shape, err := split.ParseShape(from.Protocol)
	if err != nil {
		return nil, err
	}
	if !shape.Covers() {
		return nil, fmt.Errorf("%q does not test each example once in each run, and predictions do not say how many were trained on", from.Protocol)
	}
	if from.Classification() {
		b.Header.SetMajority(majority(from, parts, shape.Runs, metrics))
	}
	for _, learner := range from.Learners() {
		for run := 1; run <= shape.Runs; run++ {
			for fold, test := range parts.Tests(run) {
				t := record.Trial{Data: from.Data, Learner: learner, Run: run, Fold: fold + 1, TrainN: from.Examples - len(test), TestN: len(test)}
				if err := evaluate(&t, parts, metrics); err != nil {
					return nil, err
				}
				if err := b.Add(t); err != nil {
					return nil, err
				}
			}
		}
	}
	b.SetMeans()
	predictions.MarkRight(b, from)
	return b, nil
}

// majority returns what always predicting the most frequent class scores, in metrics that take labels.
func majority(from *predictions.Block, parts *predictions.Partition, runs int, metrics []metric.Metric) record.Majority {
	total, class := make([]int, len(from.Classes)), 0
	for i := range from.Examples {
		total[from.Truth(i)]++
	}
	for c, n := range total {
		if n > total[class] {
			class = c
		}
	}
	all := record.Majority{Class: from.Classes[class]}
	for _, m := range metrics {
		sum, folds := 0.0, 0
		p := metric.Predictions{Classes: from.Classes}
		for run := 1; run <= runs; run++ {
			for _, test := range parts.Tests(run) {
				p.Truth, p.Predicted = p.Truth[:0], p.Predicted[:0]
				for _, i := range test {
					p.Truth, p.Predicted = append(p.Truth, from.Truth(i)), append(p.Predicted, class)
				}
				score, err := m.Eval(&p)
				if err != nil { // it takes probabilities
					sum = math.NaN()
				}
				sum, folds = sum+score, folds+1
			}
		}
		if !math.IsNaN(sum) {
			all.Units, all.Scores = append(all.Units, m.Name), append(all.Scores, sum/float64(folds))
		}
	}
	return all
}

// evaluate fills in the scores of a trial. A trial without predictions is a failed one.
func evaluate(t *record.Trial, parts *predictions.Partition, metrics []metric.Metric) error {
	var p metric.Predictions
	if !parts.Trial(t.Learner, t.Run, t.Fold, &p) {
		t.Err = "nothing was predicted"
		return nil
	}
	for _, m := range metrics {
		x, err := m.Eval(&p)
		if err != nil {
			return fmt.Errorf("%v: %w", t.Cell(), err)
		}
		t.Values = append(t.Values, x)
	}
	return nil
}

// storeScores puts the results into a file.
func storeScores(path string, args []string, blocks []*record.Block) error {
	store, err := storage.NewStore(path)
	if err != nil {
		return err
	}
	if err := store.CheckDestination(); err != nil {
		return fmt.Errorf("result file: %w", err)
	}
	for _, b := range blocks {
		b.Header.Reproduce = "learnbench score " + cli.Quote(args)
		have, err := store.Learners(b.Header.Identity())
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		before, err := store.Before(b.Header.Identity())
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		if len(have) > 0 && (before == nil || before.Header.RescoredFrom == "") {
			return fmt.Errorf("%s has results of training on data set %s, which these would replace: name another file with -o", path, b.Header.Data)
		}
	}
	_, err = store.Put(blocks...)
	return err
}

// scored returns a line for each learner and metric.
func scored(blocks []*record.Block) string {
	var b strings.Builder
	for _, block := range blocks {
		for _, learner := range block.Learners {
			for _, u := range block.Units {
				text := "not known: nothing was predicted in some folds"
				if mean, ok := block.Mean(learner, u.Name); ok {
					text = u.FormatScore(mean)
				}
				b.WriteString(unit.Printable(fmt.Sprintf("%s/%s %s %s", block.Header.Data, learner, u.Name, text)) + "\n")
			}
		}
	}
	return b.String()
}
