package learntest

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/learnbench/learnbench/internal/filecache"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/revision"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
)

// defaultCacheMB is the size of the cache of trials unless told otherwise. The trials of a learner
// in 10×10 cross-validation take 10 kB.
const defaultCacheMB = 256

// leastCached is how long a learner's trials must take together to be kept: to know the program,
// the files and the commit takes a hundredth of that. It is a variable for tests.
var leastCached = time.Second

// useCache gives a test the cache of trials that the environment names.
func useCache[X any, Y comparable](x *experiment, env environment, learners []Learner[X, Y]) {
	if env.cache == "" || x.cfg.Results.In != nil {
		return
	}
	size := env.cacheMB
	if size == 0 {
		size = defaultCacheMB
	}
	c := &results.Cache{
		Dir:      filecache.New(env.cache, int64(size)<<20),
		Learners: make(map[string]results.Keyed),
		Common:   surroundings(x.cfg),
		Least:    leastCached,
		Clean:    isCommitted,
	}
	unknown := x.cfg.uncached()
	for _, l := range learners {
		k := results.Keyed{
			Files: slices.Concat(x.files, l.Depends), Variables: x.variables,
			Unknown: unknown,
		}
		if k.Unknown == "" {
			k.What, k.Unknown = l.identity(x.cfg)
		}
		c.Learners[l.Name] = k
	}
	x.cache = c
	c.Open(x.there)
}

// uncached returns why no trials are taken from a cache or kept there; "" if they may be.
func (c Config) uncached() string {
	switch {
	case c.Depends == nil:
		return "Config.Depends does not say what training depends on: []string{} is nothing else"
	case c.observed():
		return "the predictions of all trials are wanted"
	case !isTrimmed():
		return "the test was built without -trimpath, so that another directory makes it another program"
	}
	return ""
}

// isTrimmed reports whether the program was built with -trimpath.
var isTrimmed = sync.OnceValue(func() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-trimpath" {
			return s.Value == "true"
		}
	}
	return false
})

// isCommitted reports whether the code has been committed, without changes.
var isCommitted = func() bool {
	commit, _ := revision.Here()
	return commit != "" && !strings.HasSuffix(commit, "-dirty")
}

// surroundings are what reaches learners beside program, data, partitions and their own parameters.
func surroundings(c Config) []string {
	parts := []string{
		fmt.Sprint("procs ", runtime.GOMAXPROCS(0)), "cpu " + processor(),
		"GODEBUG " + os.Getenv("GODEBUG"),
		fmt.Sprint("timeout ", c.TrialTimeout), fmt.Sprint("short ", gotest.Short()),
	}
	for _, arg := range os.Args[1:] {
		if !strings.HasPrefix(arg, "-test.") {
			parts = append(parts, "argument "+arg)
		}
	}
	return parts
}

// processor returns what the system says that the processor can do, where it says that: some
// functions, such as math.Exp, round otherwise on another one.
var processor = sync.OnceValue(func() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "flags") || strings.HasPrefix(line, "Features") {
			return strings.TrimSpace(line)
		}
	}
	return ""
})

// identity returns what tells a learner from others of its name, or why nothing does.
func (l Learner[X, Y]) identity(c Config) (what, unknown string) {
	degrade := 0.0
	if l.Name != c.spared {
		degrade = c.degrade
	}
	own := ""
	if l.describe != nil {
		var err error
		if own, err = l.describe(); err != nil {
			return "", err.Error()
		}
	}
	return fmt.Sprintf("%s degraded %v", own, degrade), ""
}

// parameters returns a function that describes a learner by its type and a digest of its fields, or
// by the type alone if some of them have none, such as functions.
func parameters(l any) func() (string, error) {
	return func() (string, error) {
		digest, _ := dataset.DigestOf(l)
		return reflect.TypeOf(l).String() + " " + digest, nil
	}
}

// takeCached takes the wanted cells that are missing from the cache.
func (x *experiment) takeCached(w wanted) (taken int, err error) {
	if x.cache == nil {
		return 0, nil
	}
	for _, s := range w.sets {
		n, err := x.cache.Take(s, w.runs, w.learners)
		taken += n
		if err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// keep keeps the trials that were trained.
func (t *training) keep(taken int) {
	if t.cache == nil {
		return
	}
	var reasons []string
	for _, s := range t.sets {
		var batches []*trial.Batch
		for _, p := range t.ran {
			if p.set == s {
				batches = append(batches, p.Batch)
			}
		}
		reasons = append(reasons, t.cache.Keep(s, batches...)...)
	}
	t.sayCached(taken, reasons)
}

// sayCached says how many trials were trained.
func (t *training) sayCached(taken int, reasons []string) {
	if t.cache == nil {
		return
	}
	line := gotest.Trained{New: t.done, All: taken + t.total, Again: t.repeated}.String()
	if len(reasons) > 0 {
		line += "; not kept: " + strings.Join(reasons, "; ")
	}
	t.there.Note("%s", line)
}

// distrustAll removes the trials of all learners from the cache, two of which may have one name.
func (t *training) distrustAll() error {
	if t.cache == nil {
		return nil
	}
	var errs []error
	for _, name := range t.experiment.learners {
		errs = append(errs, t.cache.Distrust(name))
	}
	return errors.Join(errs...)
}
