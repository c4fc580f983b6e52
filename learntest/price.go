package learntest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/record"
)

// Trials on a large data set have a price before the first of them, which alone may take a day:
// trials on samples of several sizes say how times grow with the examples.

const (
	manyExamples = 20000           // a data set of more has a price
	firstSample  = 500             // examples
	longSample   = time.Second     // time of a trial on a sample that is large enough
	longSamples  = 5 * time.Second // time of trials on samples that are enough
	steepest     = 3               // power of the examples that times grow with, at most
)

// An opening is the first trial of a learner on a data set.
type opening struct {
	set     *results.Set
	learner int
	cell    record.Cell
}

// A price is what a trial is expected to take, by the examples that it trains on.
type price struct {
	seconds func(examples float64) float64
	bytes   func(examples float64) float64 // of memory that it allocates
	once    float64                        // seconds that first trials take beyond others
	largest int                            // sample
}

// extrapolate returns the price by trials on samples of ascending sizes, as sketch has them.
//
// Times grow by the median power of pairs among the last samples, since another program may
// interrupt any of them, or on a line with a constant if that is less steep than one through zero.
func extrapolate(samples []trial.Sketch) price {
	beyond := func(a, b trial.Sketch) float64 { return max(a.Took-b.Took, 0).Seconds() }
	p := price{}
	warm := slices.Clone(samples[1:])
	p.once = beyond(samples[0], samples[1])
	if k := len(samples); k > 2 {
		p.once += beyond(samples[k-2], samples[k-1])
		warm = warm[:k-2]
		warm[k-3].Took = min(samples[k-2].Took, samples[k-1].Took)
	}
	late := warm[max(len(warm)-3, 0):]
	last := late[len(late)-1]
	p.largest = last.Examples
	n, seconds := float64(last.Examples), last.Took.Seconds()
	var powers, levels []float64
	for i, b := range late {
		for _, a := range late[:i] {
			powers = append(powers, math.Log(b.Took.Seconds()/a.Took.Seconds())/math.Log(float64(b.Examples)/float64(a.Examples)))
		}
	}
	power, slope := 1.0, seconds // of a line through zero
	if m := median(powers); m > steepest {
		power = steepest
	} else if m > 1 {
		power = m
		for _, s := range late {
			levels = append(levels, s.Took.Seconds()*math.Pow(n/float64(s.Examples), power))
		}
		seconds = median(levels)
		slope = seconds
	} else if first := late[0]; last.Took > first.Took {
		slope = (last.Took - first.Took).Seconds() / (1 - float64(first.Examples)/n)
	}
	p.seconds = func(examples float64) float64 {
		return seconds +
			slope*(math.Pow(examples/n, power)-1)
	}
	p.bytes = func(examples float64) float64 { return float64(last.Bytes) * examples / n }
	return p
}

// median returns the median of x, 0 if there is none.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// sketch runs trials on samples of the examples of a trial, twice on the smallest and on the
// largest one: the first trial of a process prepares the data set, and so may the first on many
// examples. There are none if one of them fails, as the trial itself will.
func (o opening) sketch(ctx context.Context) (samples []trial.Sketch, examples int) {
	train, test := o.set.Plan.Trial(o.cell.Run, o.cell.Fold, nil, nil)
	run := func(size int, shift float64) bool {
		s, err := o.set.Data.Sketch(ctx, o.learner, thinned(train, size, shift),
			thinned(test, max(1, size*len(test)/len(train)), shift))
		samples = append(samples, s)
		return err == nil
	}
	size := firstSample
	ok := run(size, 0.5)
	began := time.Now()
	ok = ok && run(size, 0)
	for ok && time.Since(began) < longSamples && samples[len(samples)-1].Took < longSample &&
		8*size <= len(train) {
		size *= 2
		ok = run(size, 0)
	}
	if ok && size > firstSample {
		ok = run(size, 0.5)
	}
	if !ok {
		return nil, 0
	}
	return samples, len(train)
}

// thinned returns so many of the indices, evenly spaced. Another shift, which is less than 1, gives
// others.
func thinned(all []int, n int, shift float64) []int {
	some := make([]int, n)
	for i := range some {
		some[i] = all[int((float64(i)+shift)*float64(len(all))/float64(n))]
	}
	return some
}

// price says what trials on large data sets will take, and returns an error if even half of that is
// more than is left of the budget.
func (t *training) price(openings []opening) error {
	means := make(map[*results.Set]map[string]float64)
	once, bytes, largest := 0.0, 0.0, 0
	var trials []string
	for _, o := range openings {
		if o.set.Data.Examples.N <= manyExamples {
			continue
		}
		samples, examples := o.sketch(t.ctx)
		if len(samples) == 0 {
			continue
		}
		p, n := extrapolate(samples), float64(examples)
		mean := p.seconds(n)
		text := fmt.Sprintf("%s with %s", span(duration(mean)), o.cell.Learner)
		if growth := p.seconds(10*n) / mean; growth > 15 {
			text += fmt.Sprintf(" (%.0f times that on ten times the examples)", growth)
		}
		if means[o.set] == nil {
			means[o.set] = make(map[string]float64)
			text = fmt.Sprintf("a trial on %s takes about %s", o.cell.Data, text)
		}
		trials = append(trials, text)
		means[o.set][o.cell.Learner] = mean
		once, bytes, largest = once+p.once, max(bytes, p.bytes(n)), max(largest, p.largest)
	}
	c := t.cost(func(s *results.Set) map[string]float64 { return means[s] })
	if c.took += duration(once); len(trials) == 0 || c.took < worthSaying {
		return nil
	}
	t.priced = strings.Join(trials, ", ")
	if gib := bytes / (1 << 30); gib >= 0.1 {
		t.priced += fmt.Sprintf(", and at most about %.1f GiB of memory beside the data", gib)
	}
	t.priced += fmt.Sprintf(", by trials on up to %d examples", largest)
	if end, ok := t.ctx.Deadline(); ok && t.inTest && t.cfg.Minutes == 0 {
		if doubt := tooLong(0, c.took, time.Until(end)); doubt != "" {
			t.priced += "; " + doubt
		}
	}
	t.there.Note("price: %s", t.priced)
	return t.afford(c, 0.5)
}
