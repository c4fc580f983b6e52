//go:build linux

package main

import (
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/forest"
	"github.com/learnbench/learnbench/learntest/learner/logistic"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/learner/ridge"
)

// work does a job in this process, and writes its CPU seconds and the number of correct
// predictions.
func work(job, file string, stdout io.Writer) error {
	start := cpu()
	opts := dataset.ReadOptions{}
	if job == "ridge" || job == "ols" {
		opts.Target = "y"
	}
	t, err := dataset.Open(file, opts)
	if err != nil {
		return err
	}
	correct := 0
	if job != "read" {
		train, test := split(t.Len())
		start = cpu()
		switch job {
		case "ridge":
			err = value(ridge.New(ridge.Config{}), t, train, test)
		case "ols":
			err = value(ols.New(ols.Config{}), t, train, test)
		default:
			correct, err = classify(classifier(job), t, train, test)
		}
	}
	fmt.Fprintf(stdout, "%v %d\n", cpu()-start, correct)
	return err
}

func classifier(job string) learner.Classifier {
	switch job {
	case "nn1":
		return neighbor.New(neighbor.Config{})
	case "nn5":
		return neighbor.New(neighbor.Config{K: 5})
	case "naivebayes":
		return naivebayes.New(naivebayes.Config{})
	case "c45":
		return c45.New(c45.Config{})
	case "forest":
		return forest.New(forest.Config{})
	case "logistic":
		return logistic.New(logistic.Config{})
	}
	panic("no learner for " + job)
}

// split returns nine tenths of n rows, and the others.
func split(n int) (train, test []int) {
	for i := range n {
		if i%10 == 0 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}

func classify(c learner.Classifier, t *dataset.Table, train, test []int) (correct int, err error) {
	m, err := c.Fit(t, train, 1)
	if err != nil {
		return 0, err
	}
	dist := make([]float64, t.NumClasses())
	for _, row := range test {
		m.Distribution(t, row, dist)
		if learner.Best(dist) == t.Class(row) {
			correct++
		}
	}
	return correct, m.Close()
}

func value(r learner.Regressor, t *dataset.Table, train, test []int) error {
	m, err := r.Fit(t, train, 1)
	if err != nil {
		return err
	}
	for _, row := range test {
		if _, err := m.Value(t, row); err != nil {
			return err
		}
	}
	return m.Close()
}

// cpu returns the seconds that this process has used.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
