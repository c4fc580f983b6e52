//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/split"
)

const folds = 10

// leastPasses is how often all folds are gone through at least.
const leastPasses = 3

// noise is the name of a data set of random bits.
const noise = "noise"

// A duration is how long one fold takes, in nanoseconds.
type duration struct{ fit, predict float64 }

// A job is a learner, by its short name, on a data set, by its index.
type job struct {
	set     int
	learner string
}

// warm measures training and prediction in this process and in one of Weka's,
// and prints a table.
func (s *setup) warm(ctx context.Context, seconds float64, stdout io.Writer) error {
	args := append([]string{"-cp", s.weka, "Warm", fmt.Sprint(seconds)}, s.files...)
	weka := make(map[job]duration)
	cmd := exec.CommandContext(ctx, "java", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("java Warm: %w\n%s", err, stderr.Bytes())
	}
	if err := readWarm(bytes.NewReader(out), weka); err != nil {
		return err
	}
	t := warmTable()
	for i, file := range s.files {
		table, err := dataset.Open(file, dataset.ReadOptions{})
		if err != nil {
			return err
		}
		for _, c := range []learner.Classifier{
			naivebayes.New(naivebayes.Config{}), c45.New(c45.Config{}),
			neighbor.New(neighbor.Config{}),
		} {
			our, err := measureLearner(ctx, table, c, seconds)
			if err != nil {
				return err
			}
			short := map[string]string{"naivebayes": "nb"}[c.Name()]
			if short == "" {
				short = c.Name()
			}
			their, ok := weka[job{i, short}]
			if !ok {
				return fmt.Errorf("%s: Weka has no times of %s", file, short)
			}
			warmRow(t, table.Name(), c.Name(), our, their)
		}
	}
	fmt.Fprintf(stdout, "µs a fold, mean of the 10 folds of the first run\n\n%s", t)
	return nil
}

// readWarm reads what Warm prints, among what Weka may print beside it.
func readWarm(r io.Reader, times map[job]duration) error {
	in := bufio.NewScanner(r)
	for in.Scan() {
		var j job
		var scheme string
		var d duration
		if n, _ := fmt.Sscanf(in.Text(), "warm %d %s %g %g", &j.set, &scheme, &d.fit, &d.predict); n < 4 {
			continue
		}
		if j.learner = learners[scheme]; j.learner == "" {
			return fmt.Errorf("unexpected scheme %q", scheme)
		}
		times[j] = d
	}
	return in.Err()
}

// measureLearner does what Warm does.
func measureLearner(ctx context.Context, t *dataset.Table, c learner.Classifier,
	seconds float64,
) (duration, error) {
	class := make([]int, t.Len())
	for i := range class {
		class[i] = t.Class(i)
	}
	plan, err := split.Weka(1, folds).Plan(split.Examples{N: t.Len(), Class: class})
	if err != nil {
		return duration{}, fmt.Errorf("%s: %w", t.Name(), err)
	}
	var train, test [folds][]int
	for f := range folds {
		train[f], test[f] = plan.Trial(1, f+1, nil, nil)
	}
	dist := make([]float64, t.NumClasses())
	var fits, predicts []float64
	for start := time.Now(); len(fits) < leastPasses || time.Since(start).Seconds() < seconds; {
		if err := ctx.Err(); err != nil {
			return duration{}, err
		}
		var fit, predict time.Duration
		for f := range folds {
			a := time.Now()
			m, err := c.Fit(t, train[f], 1)
			if err != nil {
				return duration{}, fmt.Errorf("%s: %w", t.Name(), err)
			}
			b := time.Now()
			for _, row := range test[f] {
				m.Distribution(t, row, dist)
			}
			fit += b.Sub(a)
			predict += time.Since(b)
			if err := m.Close(); err != nil {
				return duration{}, err
			}
		}
		fits, predicts = append(fits, float64(fit)/folds), append(predicts, float64(predict)/folds)
	}
	return duration{median(fits[len(fits)/2:]), median(predicts[len(predicts)/2:])}, nil
}

func warmTable() *texttab.Table {
	columns := func() []texttab.Column {
		return []texttab.Column{
			{Title: "training", Align: texttab.Right, TitleAlign: texttab.Right},
			{Title: "prediction", Align: texttab.Right, TitleAlign: texttab.Right},
		}
	}
	return texttab.New(texttab.Group{Columns: []texttab.Column{
		{Title: "data set"},
		{Title: "learner"},
	}},
		texttab.Group{Title: "learnbench", Columns: columns()},
		texttab.Group{Title: "Weka", Columns: columns()},
		texttab.Group{Title: "ratio", Columns: append(columns(), texttab.Column{
			Title: "both",
			Align: texttab.Right, TitleAlign: texttab.Right,
		})})
}

func warmRow(t *texttab.Table, set, learner string, our, their duration) {
	micro := func(ns float64) string { return fmt.Sprintf("%.1f", ns/1e3) }
	ratio := func(a, b float64) string { return fmt.Sprintf("%.1f", b/a) }
	t.Row(set, learner, micro(our.fit), micro(our.predict), micro(their.fit), micro(their.predict),
		ratio(our.fit, their.fit), ratio(our.predict, their.predict), ratio(our.fit+our.predict,
			their.fit+their.predict))
}

// writeNoise writes 333 instances of 10 random bits with a random class, so that
// 300 of them are trained on.
func writeNoise(dir string) (string, error) {
	const rows, attributes = 333, 10
	rng := rand.New(rand.NewPCG(1, 2))
	bit := []string{"0", "1"}
	var cols []dataset.Column
	for j := range attributes + 1 {
		c := dataset.Column{Attribute: dataset.Attribute{
			Name: fmt.Sprintf("a%d", j),
			Kind: dataset.Nominal, Values: bit,
		}}
		for range rows {
			c.Codes = append(c.Codes, rng.Int32N(2))
		}
		cols = append(cols, c)
	}
	t, err := dataset.New(noise, cols, attributes, nil)
	if err != nil {
		return "", err
	}
	return write(t, filepath.Join(dir, noise+".arff"))
}
