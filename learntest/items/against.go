package items

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Against compares a system with its stored answers, or with the answers of an earlier version, in
// the result file at path: a committed file such as testdata/agent.txt. Only the system of today is
// asked. The texts tell the two apart as in "agent now" and "agent at 3f2a9c1", the commit that the
// file names.
//
// Only LEARNTEST_UPDATE=1 changes the file, by asking for all answers and writing them instead of
// reading; claims are not judged then. Where CI is set, an update is refused unless it is
// LEARNTEST_UPDATE=force. The test prints the old and the new mean of each metric. The file has a
// line an item and repeat, without times: a commit of it shows which answers have changed, and
// which items were added or removed.
//
// A baseline that is missing, incomplete or edited is an error before anything is asked, and so are
// other items, or items whose content, cluster or grader has changed since.
//
// Against reads the variables of [Compare].
func Against[T any](t TB, cfg Config, suite Suite[T], candidate System[T],
	path string,
) *Comparison {
	t.Helper()
	c := start(t, "items.Against", cfg, suite, path, candidate)
	if c.err != nil {
		return c
	}
	if c.env.update != "" {
		c.update()
		return c
	}
	stored, err := c.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.fatal(fmt.Errorf("there is no baseline %s: %s", path, c.howToUpdate()))
	case err != nil:
		return c.fatal(fmt.Errorf("baseline %s: %w; if that is meant, %s", path, err, c.howToUpdate()))
	}
	c.stored = stored
	c.titles = [2]string{c.candidate + " now", c.candidate + version(&stored.Header)}
	line := fmt.Sprintf("baseline %s: %s", path, c.titles[1])
	if when := stored.Header.CommitTime; when != "" {
		line += ", " + when
	}
	if was, is := stored.Header.Of(c.candidate).Version(),
		c.now.Header.Of(c.candidate).Version(); was != "" || is != "" {
		line += fmt.Sprintf(", version %s", cmp.Or(was, "unknown"))
	}
	t.Logf("%s", line)
	return c.begin()
}

// version returns the words that tell a stored system from today's.
func version(h *record.Header) string {
	if h.Commit == "" {
		return ", stored"
	}
	return " at " + h.Commit
}

// howToUpdate says how the baseline is written.
func (c *Comparison) howToUpdate() string {
	return fmt.Sprintf("%s=1 %s writes it anew", envUpdate, c.now.Header.Reproduce)
}

// read returns the stored answers of the candidate to the items that are asked.
func (c *Comparison) read() (*record.Block, error) {
	if gotest.MayBeCached() && !gotest.InModule(c.path) {
		return nil, fmt.Errorf("%w: it lies outside of the module: add -count=1: the cache does not look at it", ErrConfig)
	}
	f, err := record.Open(c.path)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(storage.Unfinished(c.path), f.Check()); err != nil {
		return nil, err
	}
	b, err := c.find(f)
	if err != nil {
		return nil, err
	}
	if err := record.Verify(b); err != nil {
		return nil, err
	}
	for _, u := range c.cfg.Metrics {
		at := slices.IndexFunc(b.Units, func(have unit.Unit) bool { return have.Name == u.Name })
		if at < 0 {
			return nil, fmt.Errorf("it has no metric %s", u.Name)
		}
		if b.Units[at] != u {
			return nil, fmt.Errorf("metric %s has another direction or range there", u.Name)
		}
	}
	if c.short > 0 {
		if b, err = excerpt(b, c.items); err != nil {
			return nil, err
		}
	}
	if err := record.ItemsDiffer(b, c.now, "the baseline", "the suite"); err != nil {
		return nil, err
	}
	if failed := record.NewFile(b).Failures(); len(failed) > 0 {
		return nil, fmt.Errorf("answer failed: %v: %s", failed[0].Cell(), failed[0].Err)
	}
	return b, nil
}

// find returns the answers of the candidate that the file has.
func (c *Comparison) find(f *record.File) (*record.Block, error) {
	var found []*record.Block
	for _, b := range f.Experiments() {
		if b.Header.HasItems() && b.Header.Data == c.suite && slices.Contains(b.Learners, c.candidate) {
			found = append(found, b)
		}
	}
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(b *record.Block) bool {
			return b.Header.Test != c.now.Header.Test || b.Header.Pkg != c.now.Header.Pkg
		})
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("it has %d times the answers of %s on %s, and not once", len(found),
			c.candidate, c.suite)
	}
	return found[0], nil
}

// excerpt returns the answers to some items.
func excerpt(b *record.Block, items []record.Item) (*record.Block, error) {
	h := b.Header
	h.Means = ""
	number := make(map[string]int)
	for i, it := range items {
		number[it.ID] = i + 1
	}
	var there []record.Item
	for _, it := range record.ItemsOf(b) {
		if number[it.ID] > 0 {
			there = append(there, it)
		}
	}
	if err := h.SetItems(there); err != nil {
		return nil, err
	}
	for i, it := range there {
		number[it.ID] = i + 1
	}
	out, err := record.NewBlock(h, b.Learners, b.Units, 0)
	if err != nil {
		return nil, err
	}
	out.Timeless = b.Timeless
	for t := range b.Trials() {
		if t.Fold = number[t.Item]; t.Fold > 0 {
			if err := out.Add(t); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// update writes the baseline.
func (c *Comparison) update() {
	c.t.Helper()
	fail := func(err error) {
		c.err = fmt.Errorf("the baseline %s was not written: %w", c.path, err)
		c.t.Errorf("%s: %v", c.by, c.err)
	}
	if pinned, err := ledger.Has(c.path); err != nil || pinned {
		fail(errors.Join(err, fmt.Errorf("it is a pinned reference, with a ledger, %s, which tests of items do not move", ledger.Path(c.path))))
		return
	}
	before, err := record.Open(c.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, record.ErrChecksum) {
		fail(err)
		return
	}
	var old *record.Block
	if err == nil {
		for _, b := range before.Experiments() {
			id, own := b.Header.Identity(), c.now.Header.Identity()
			if id.Protocol = own.Protocol; id == own && b.Header.Protocol != own.Protocol &&
				slices.Contains(b.Learners, c.candidate) {
				fail(fmt.Errorf("it has answers of %s under %q, which would stay beside those under %q: remove the file first", c.candidate, b.Header.Protocol, own.Protocol))
				return
			}
		}
		if old, err = c.find(before); err != nil {
			old = nil
		}
	}
	c.ask()
	switch failed := record.NewFile(c.now).Failures(); {
	case c.err != nil:
		return
	case len(failed) > 0:
		fail(fmt.Errorf("answer failed: %v: %s", failed[0].Cell(), failed[0].Err))
		return
	}
	c.now.Timeless = true
	c.now.SetMeans()
	if err := store(c.path, c.now); err != nil {
		fail(errors.Join(err, c.keeper.abandon()))
		return
	}
	if err := c.keeper.done(c.now); err != nil {
		fail(err)
		return
	}
	for _, u := range c.cfg.Metrics {
		mean, _ := c.now.Mean(c.candidate, u.Name)
		line := fmt.Sprintf("%s: %s on %s: %s %s", c.path, c.candidate, c.suite, u.Name,
			u.FormatScore(mean))
		if old != nil {
			if was, ok := old.Mean(c.candidate, u.Name); ok {
				line += fmt.Sprintf(", before %s (%s)", u.FormatScore(was), u.FormatDifference(mean-was))
			}
		}
		c.tell(line)
	}
	is := c.now.Header.Of(c.candidate).Version()
	if old != nil && is != old.Header.Of(c.candidate).Version() {
		c.tell(fmt.Sprintf("%s: %s is version %s, before %s", c.path, c.candidate, cmp.Or(is, "unknown"),
			cmp.Or(old.Header.Of(c.candidate).Version(), "unknown")))
	}
	if old != nil {
		if err := record.ItemsDiffer(old, c.now, "the old baseline", "the new one"); err != nil {
			c.tell(fmt.Sprintf("%s: %v", c.path, err))
		}
	}
	c.err = fmt.Errorf("%w: the baseline %s was written: run the test again without %s",
		verdict.ErrNotJudged, c.path, envUpdate)
}

// tell prints a line, or logs it where go test shows what tests log although they pass.
func (c *Comparison) tell(line string) {
	c.t.Helper()
	if gotest.Verbose() {
		c.t.Logf("%s", line)
		return
	}
	fmt.Fprintln(os.Stdout, line)
}
