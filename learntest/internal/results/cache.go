package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/internal/filecache"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/record"
)

// A Cache has the trials that tests of the same program have trained before, at other commits, too.
// It resumes runs that have ended: as after an interruption, trials are taken over if the same
// learner has made them on the same data. Since nobody asks for it each time, a cache is stricter
// than a resumed run:
//
//   - whatever reaches the training is known, and is in the key of the trials;
//   - some of the trials are trained again, and compared;
//   - a process keeps trials only at a commit without changes, and only of learners that have repeated
//     their predictions.
type Cache struct {
	Dir      filecache.Dir
	Learners map[string]Keyed
	Common   []string      // what else reaches all learners
	Least    time.Duration // trainings of less are not worth a file
	Clean    func() bool   // whether the code has been committed, without changes

	results *Results
	files   map[string]string // digests of the files and variables that learners read, when the run began
}

// Keyed is a learner of which trials may be in a cache.
type Keyed struct {
	What             string // all that tells it from others of its name
	Files, Variables []string
	Unknown          string // why nobody knows all of it, so that it has no trials; "" if all is known
}

// A Cached is a trial from a cache that is to be trained again.
type Cached struct {
	record.Cell
	Print  *trial.Print // its predictions; nil if its scores alone are known
	Values []float64
}

// The kept are the trials of one learner that were trained together. Times are not kept: they would
// be of another machine, or another day.
type kept struct {
	Probe  string        `json:"probe"` // as in record.Header
	Trials []cachedTrial `json:"trials"`
}

type cachedTrial struct {
	Run       int              `json:"run"`
	Fold      int              `json:"fold"`
	TrainN    int              `json:"train"`
	TestN     int              `json:"test"`
	Values    []float64        `json:"values"`
	Constancy record.Constancy `json:"constancy,omitempty"`
	Print     *trial.Print     `json:"print,omitempty"`
}

// Open makes the cache ready for the results of a run that begins.
func (c *Cache) Open(r *Results) {
	var err error
	c.results = r
	if c.files, err = c.digests(); err != nil {
		for name, l := range c.Learners {
			l.Unknown = err.Error()
			c.Learners[name] = l
		}
	}
}

// digests returns for each learner the digest of the test's directory and of the files and
// variables that the learner declares.
func (c *Cache) digests() (map[string]string, error) {
	h := sha256.New()
	if _, ok := digestOfTest(h, c.results.Out); !ok {
		return nil, errors.New("the files in the test's directory are too many, or cannot be read")
	}
	of, test := make(map[string]string), hex.EncodeToString(h.Sum(nil))
	for name, l := range c.Learners {
		h.Reset()
		if err := digestDeclared(h, l.Files, l.Variables); err != nil {
			return nil, err
		}
		of[name] = test + " " + hex.EncodeToString(h.Sum(nil))
	}
	return of, nil
}

// owner returns the owner of a learner's trials.
func (c *Cache) owner(learner string) string { return filecache.Sum(c.results.Pkg, learner) }

// key returns the key of a learner's trials on a set, or why there is none.
func (c *Cache) key(s *Set, learner string) (string, error) {
	l, r := c.Learners[learner], c.results
	own := executable()
	if own == "" {
		return "", errors.New("the running program cannot be read")
	}
	p, plan := s.Plan.Protocol(), s.Plan
	if p.IsRandom() && s.of == nil { // a run is the same among any number of runs
		p = p.WithRuns(1)
		var err error
		if plan, err = p.Plan(s.Data.Examples); err != nil {
			return "", err
		}
	}
	parts := []string{
		"learntest trials v1", own, buildinfo.Toolchain(), r.Pkg, r.Settings.Test,
		learner, l.What, c.files[learner],
		s.Data.Name, s.Data.Digest, p.String(), plan.Digest(), s.facts.Target, s.facts.Metrics(), fmt.Sprintf("%+v", r.Units),
		s.block.Header.Slices,
	}
	return filecache.Sum(append(parts, c.Common...)...), nil
}

// Take takes the trials of runs 1 to runs of the learners that a set lacks and the cache has, and
// returns how many.
func (c *Cache) Take(s *Set, runs int, learners []string) (int, error) {
	total := 0
	for _, name := range learners {
		if c.Learners[name].Unknown != "" || !c.Dir.Has(c.owner(name)) {
			continue
		}
		key, err := c.key(s, name)
		if err != nil { // Keep says so
			continue
		}
		// Another learner of the same name in the same test may have trained here: Instance.add
		// compares the trials of both, unless one takes them from the other.
		if c.results.registry.hasKept(key) {
			continue
		}
		n, err := c.take(s, runs, name, key)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// take takes the trials of a learner.
func (c *Cache) take(s *Set, runs int, learner, key string) (int, error) {
	r := c.results
	there, probe, err := c.read(learner, key)
	if err != nil {
		r.Note("cache: nothing is taken of %s: %v", learner, err)
		return 0, c.Distrust(learner)
	}
	var cells []record.Cell
	whole := true // all of the protocol's own runs are there then
	for cell := range s.Missing(runs, []string{learner}) {
		if _, ok := there[place{cell.Run, cell.Fold}]; ok {
			cells = append(cells, cell)
		} else if cell.Run <= s.Runs() {
			whole = false
		}
	}
	if len(cells) == 0 {
		return 0, nil
	}
	l := slices.Index(r.Learners, learner)
	h := s.block.Header
	h.Determinism = ""
	if own := cells[0].Run <= s.Runs(); own && whole {
		h.Of(learner).SetProbe(probe)
	}
	b, err := record.NewBlock(h, r.Learners, s.block.Columns, s.Data.Examples.N)
	if err != nil {
		return 0, err
	}
	b.Timeless = true
	for _, cell := range cells {
		t := there[place{cell.Run, cell.Fold}]
		err := b.Add(record.Trial{
			Data: cell.Data, Learner: learner, Run: t.Run, Fold: t.Fold, TrainN: t.TrainN, TestN: t.TestN, Values: t.Values, Constancy: t.Constancy,
		})
		if err != nil {
			r.Note("cache: nothing is taken of %s: %v", learner, err)
			return 0, c.Distrust(learner)
		}
	}
	n, err := s.adopt(b, nil) // predictions are not kept with a cache
	if err != nil {
		return 0, err
	}
	if whole {
		s.proven[l], s.probed[l] = true, true
	}
	s.cached = append(s.cached, toCheck(s, cells, there)...)
	return n, nil
}

// A place is a cell of one learner on one data set.
type place struct{ run, fold int }

// read returns the trials under a key, and the outcome of training their learner again.
func (c *Cache) read(learner, key string) (there map[place]cachedTrial, probe string, err error) {
	contents, damaged := c.Dir.Get(c.owner(learner), key)
	for _, err := range damaged {
		c.results.Note("cache: %v: it is left out, and removed", err)
	}
	there = make(map[place]cachedTrial)
	for _, content := range contents {
		var k kept
		d := json.NewDecoder(bytes.NewReader(content))
		d.DisallowUnknownFields()
		if err := d.Decode(&k); err != nil {
			return nil, "", fmt.Errorf("its trials cannot be read: %w", err)
		}
		for _, t := range k.Trials {
			at := place{t.Run, t.Fold}
			if before, ok := there[at]; ok && !slices.Equal(before.Values, t.Values) {
				return nil, "", fmt.Errorf("it has two results of run %d, fold %d", t.Run, t.Fold)
			} else if !ok || before.Print == nil {
				there[at] = t
			}
		}
		if probe == "" {
			probe = k.Probe
		}
	}
	return there, probe, nil
}

// toCheck returns which cells that were taken of one learner are to be trained again: the very
// first, of which predictions of other examples are known too, and one of each 50 others; at least
// one.
func toCheck(s *Set, cells []record.Cell, there map[place]cachedTrial) []Cached {
	of := func(c record.Cell) Cached {
		t := there[place{c.Run, c.Fold}]
		return Cached{c, t.Print, t.Values}
	}
	var checks []Cached
	for _, c := range cells {
		if IsChecked(s, c) {
			checks = append(checks, of(c))
		}
	}
	if checks == nil {
		checks = append(checks, of(cells[0]))
	}
	return checks
}

// IsChecked reports whether a cell is trained again where a cache has it.
func IsChecked(s *Set, c record.Cell) bool {
	first := (c.Run-1)*s.Plan.Folds() + c.Fold - 1
	if first < trial.OneInCached {
		return first == 0
	}
	return trial.Drawn(trial.OneInCached, s.Plan.Protocol().Seed(), s.Data.Digest, c.Learner, c.Run, c.Fold, s.Plan.Folds())
}

// ToCheck returns the trials from the cache that are to be trained again, once.
func (s *Set) ToCheck() []Cached {
	checks := s.cached
	s.cached = nil
	return checks
}

// Distrust removes all trials of a learner from the cache.
func (c *Cache) Distrust(learner string) error { return c.Dir.Drop(c.owner(learner)) }

// Keep keeps the trials of a set that were trained in batches, learner by learner, and returns why
// some are not kept.
func (c *Cache) Keep(s *Set, batches ...*trial.Batch) (why []string) {
	for _, name := range c.results.Learners {
		k, took := trained(s, name, batches)
		if len(k.Trials) == 0 {
			continue
		}
		reason := c.unkept(name, k, took)
		if reason == "" {
			reason = c.keep(s, name, k)
		}
		if reason != "" && !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	return why
}

// trained returns a learner's trials in batches, and how long they took.
func trained(s *Set, learner string, batches []*trial.Batch) (k kept, took time.Duration) {
	k.Probe = s.block.Header.Of(learner).Probe()
	for _, b := range batches {
		for i := range b.Trials {
			t := &b.Trials[i]
			if t.Run == 0 || t.Learner != learner || t.Err != "" {
				continue
			}
			c := cachedTrial{t.Run, t.Fold, t.TrainN, t.TestN, t.Values, t.Constancy, nil}
			if i < len(b.Prints) && b.Prints[i] != nil && b.Prints[i].Taken() {
				c.Print = b.Prints[i]
			}
			k.Trials = append(k.Trials, c)
			took += time.Duration(float64(time.Second) * (t.FitSeconds + t.PredictSec))
		}
	}
	return k, took
}

// unkept returns why trials of a learner are not kept; "" if they may be.
func (c *Cache) unkept(learner string, k kept, took time.Duration) string {
	outcome, _, _ := strings.Cut(k.Probe, "/")
	switch {
	case c.Learners[learner].Unknown != "":
		return c.Learners[learner].Unknown
	case outcome != record.Deterministic:
		return learner + " was not seen to repeat its predictions"
	case took < c.Least:
		return fmt.Sprintf("trainings of less than %v are not worth it", c.Least)
	case !c.Clean():
		return "the code has changes that are not committed, or there is no git"
	}
	return ""
}

// keep keeps trials of a learner, unless files have changed since the run began, and returns why it
// could not.
func (c *Cache) keep(s *Set, learner string, k kept) string {
	if now, err := c.digests(); err != nil || now[learner] != c.files[learner] {
		return "a file that may be read has changed meanwhile"
	}
	key, err := c.key(s, learner)
	if err == nil {
		var content []byte
		if content, err = json.Marshal(k); err == nil {
			c.results.registry.keep(key)
			err = c.Dir.Put(c.owner(learner), key, content)
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
