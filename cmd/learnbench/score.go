package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/datafile"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// scoreCommand computes metrics of stored predictions, without training.
func scoreCommand(args []string, stdout, stderr io.Writer) (int, error) {
	c, err := parseScore(args)
	if errors.Is(err, flag.ErrHelp) {
		return helpOn(stdout, "score")
	}
	var blocks []*record.Block
	if err == nil {
		blocks, err = c.scores(stderr)
	}
	if err == nil && c.out != "" {
		err = storeScores(c.out, args, blocks)
	}
	if err == nil {
		err = cli.Write(stdout, scored(blocks))
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("score: %w", err)
	}
	if err := reportFailures(record.NewFile(blocks...),
		"their trials failed, or another shard has them"); err != nil {
		return cli.Unjudged, err
	}
	return cli.Clean, nil
}

// A scoreConfig holds the flags of the score command.
type scoreConfig struct {
	metrics list
	out     string
	data    list
	reading dataset.ReadOptions // of data
	paths   []string
}

func parseScore(args []string) (*scoreConfig, error) {
	c := &scoreConfig{}
	fs := flag.NewFlagSet("score", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&c.metrics, "metric", "")
	fs.StringVar(&c.out, "o", "", "")
	fs.Var(&c.data, "data", "")
	fs.Var((*list)(&c.reading.Slices), "slice", "")
	datafile.Flags(fs, &c.reading)
	if _, err := parseFlags(fs, args); err != nil {
		return nil, err
	}
	c.paths = fs.Args()
	switch {
	case len(c.metrics) == 0:
		return nil, errors.New("no metrics: name them with -metric, as in -metric logloss,macro-f1")
	case len(c.paths) == 0:
		return nil, errors.New("no files: name files of predictions")
	case len(c.reading.Slices) > 0 && len(c.data) == 0:
		return nil, errors.New("-slice without -data: predictions have no columns; name the data that the learners were trained on")
	case len(c.data) > 0 && len(c.reading.Slices) == 0:
		return nil, errors.New("-data without -slice: predictions have what metrics take; name the columns whose values are slices")
	}
	return c, nil
}

// scores returns a result for each data set in the files.
func (c *scoreConfig) scores(stderr io.Writer) ([]*record.Block, error) {
	shards, err := predictions.Open(c.paths...)
	if err != nil {
		return nil, err
	}
	all, err := predictions.Together(shards)
	if err != nil {
		return nil, err
	}
	sliced, note, err := datafile.Slices(c.data, c.reading)
	if err != nil {
		return nil, err
	}
	if note != "" {
		notes(stderr)(note)
	}
	names := unit.SplitList(strings.Join(c.metrics, ","))
	var blocks []*record.Block
	for _, from := range all {
		b, err := scoreBlock(from, names, sliced[from.Data])
		if err != nil {
			return nil, fmt.Errorf("%v: %w", from.Pos, err)
		}
		blocks = append(blocks, b)
	}
	for name := range sliced {
		if !slices.ContainsFunc(all, func(b *predictions.Block) bool { return b.Data == name }) {
			return nil, fmt.Errorf("-data: there are no predictions on data set %q", name)
		}
	}
	return blocks, nil
}

// scoreBlock returns the result of predictions.
func scoreBlock(from *predictions.Block, names []string, of predictions.Slices) (*record.Block,
	error,
) {
	var metrics []metric.Metric
	for _, name := range names {
		m, err := from.Metric(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(metrics, func(have metric.Metric) bool { return have.Name == m.Name }) {
			return nil, fmt.Errorf("metric %s is there twice", m.Name)
		}
		metrics = append(metrics, m)
	}
	return predictions.Score(from, metrics, of)
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
				b.WriteString(unit.Printable(fmt.Sprintf("%s/%s %s %s", block.Header.Data, learner, u.Name,
					text)) + "\n")
			}
		}
	}
	return b.String()
}
