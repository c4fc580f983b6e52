package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/learnbench/learnbench/internal/datafile"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/study"
)

// A calibration holds the flags of the studies calibrate and aa.
type calibration struct {
	protocol, data, class string
	alpha                 float64
}

// own are the names of the flags that only these studies have.
func (c *calibration) own() []string { return []string{"protocol", "data", "class", "alpha"} }

func (c *calibration) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.protocol, "protocol", "", "")
	fs.StringVar(&c.data, "data", "", "")
	fs.StringVar(&c.class, "class", "", "")
	fs.Float64Var(&c.alpha, "alpha", 0.05, "")
}

// spec returns the calibration for the learners, and a function that ends learners which are
// programs.
func (c *calibration) spec(learners []string, stderr io.Writer) (spec study.Calibration, end func(),
	err error,
) {
	end = func() {}
	spec.Alpha = c.alpha
	if !(c.alpha > 0 && c.alpha < 1) {
		return spec, end, fmt.Errorf("-alpha %v is not between 0 and 1: 0.05 is usual", c.alpha)
	}
	if c.protocol != "" {
		if spec.Protocol, err = split.Parse(c.protocol); err != nil {
			return spec, end, fmt.Errorf("-protocol: %w: write it as in %q", err, split.TenByTen())
		}
	}
	if c.class != "" && c.data == "" {
		return spec, end, errors.New("-class without -data: name the file whose class it is")
	}
	if c.data != "" {
		tables, err := datafile.Open([]string{c.data},
			datafile.Options{ReadOptions: dataset.ReadOptions{Class: c.class}, Note: notes(stderr)})
		if err != nil {
			return spec, end, err
		}
		spec.Data = tables[0]
	}
	all, err := parseLearners(learners, false)
	if err != nil {
		return spec, end, err
	}
	stop, err := startPrograms(all, stderr)
	if err != nil {
		return spec, end, err
	}
	spec.Learners, err = classifiers(all)
	spec.Named = !slices.ContainsFunc(all, func(c chosen) bool {
		return c.classifier == nil ||
			c.name != c.classifier.Name()
	})
	return spec, stop, err
}
