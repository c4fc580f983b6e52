package split

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Shard is one of several parts of a run, which may be run on different machines: the
// zero Shard is all of it.
//
// Folds are dealt out one by one, each with all learners, in the order of the data sets, runs and
// folds: to shard 1, 2, ... Count, and again from the first. All shards must have the same
// configuration.
type Shard struct {
	Index int // from 1
	Count int
}

// String returns the shard as ParseShard reads it, as in 2/8; "" for the zero Shard.
func (s Shard) String() string {
	if s == (Shard{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// Validate returns an error if there is no such shard.
func (s Shard) Validate() error {
	if s != (Shard{}) && !(s.Index >= 1 && s.Index <= s.Count) {
		return fmt.Errorf("there is no shard %d of %d: they count from 1", s.Index, s.Count)
	}
	return nil
}

// ParseShard reads a shard: "2/8", or "auto" where the environment gives the shard and their
// number, or "auto/8" where it gives only the shard. Known are Slurm's job arrays, Kubernetes'
// Indexed Jobs, which do not give the number of shards, and GitLab's parallel jobs. Under Bazel,
// which deals out whole tests, "auto" is all of a run.
//
// ParseShard looks up only the variables of the environment that it needs.
func ParseShard(text string, lookup func(name string) (string, bool)) (Shard, error) {
	first, rest, ok := strings.Cut(text, "/")
	var s Shard
	var err error
	if ok {
		if s.Count, err = strconv.Atoi(rest); err != nil || s.Count < 1 {
			return Shard{}, fmt.Errorf("%q is no number of shards: write 2/8 or auto", rest)
		}
	}
	if first == "auto" {
		return autoShard(s.Count, lookup)
	}
	if s.Index, err = strconv.Atoi(first); err != nil || !ok {
		return Shard{}, fmt.Errorf("%q is no shard: write 2/8 or auto", text)
	}
	return s, s.Validate()
}

// An engine runs the parts of a job.
type shardEngine struct {
	name     string
	variable string // that it sets in each part
	shard    func(index, count int, number func(name string) int) (Shard, error)
}

var shardEngines = []shardEngine{
	{"Bazel", "TEST_TOTAL_SHARDS", func(int, int, func(string) int) (Shard, error) {
		return Shard{},
			nil
	}},
	{"Slurm", "SLURM_ARRAY_TASK_ID", func(id, _ int, number func(string) int) (Shard, error) {
		least, most, step, count := number("SLURM_ARRAY_TASK_MIN"), number("SLURM_ARRAY_TASK_MAX"),
			number("SLURM_ARRAY_TASK_STEP"), number("SLURM_ARRAY_TASK_COUNT")
		if step < 1 || (most-least)/step+1 != count || (id-least)%step != 0 {
			return Shard{}, fmt.Errorf("the array of %d tasks from %d to %d has gaps, so that task %d does not say which shard it is: use an array such as 1-8", count, least, most, id)
		}
		return Shard{(id-least)/step + 1, count}, nil
	}},
	{"Kubernetes", "JOB_COMPLETION_INDEX", func(index, count int, _ func(string) int) (Shard, error) {
		if count == 0 {
			return Shard{}, errors.New("an Indexed Job does not say how many completions it has: write auto/8")
		}
		return Shard{index + 1, count}, nil
	}},
	{"GitLab", "CI_NODE_INDEX", func(index, _ int, number func(string) int) (Shard, error) {
		return Shard{index, number("CI_NODE_TOTAL")}, nil
	}},
}

// autoShard finds out which shard the environment says this is, of count shards if that
// is not 0.
func autoShard(count int, lookup func(name string) (string, bool)) (Shard, error) {
	var found []shardEngine
	var variables []string
	for _, e := range shardEngines {
		if value, _ := lookup(e.variable); value != "" {
			found = append(found, e)
		}
		variables = append(variables, e.variable)
	}
	switch len(found) {
	case 0:
		return Shard{}, fmt.Errorf("nothing says which shard this is: none of %s is set; write 2/8",
			strings.Join(variables, ", "))
	case 1:
	default:
		return Shard{}, fmt.Errorf("both %s (%s) and %s (%s) say which shard this is: write 2/8",
			found[0].name, found[0].variable, found[1].name, found[1].variable)
	}
	e := found[0]
	var errs []error
	number := func(name string) int {
		value, _ := lookup(name)
		n, err := strconv.Atoi(value)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s=%s is no number", name, value))
		}
		return n
	}
	s, err := e.shard(number(e.variable), count, number)
	if errs != nil {
		err = errors.Join(errs...)
	}
	if err == nil {
		err = s.Validate()
	}
	if err == nil && count != 0 && s.Count != 0 && s.Count != count {
		err = fmt.Errorf("there are %d shards, not %d", s.Count, count)
	}
	if err != nil {
		return Shard{}, fmt.Errorf("%s: %w", e.name, err)
	}
	return s, nil
}
