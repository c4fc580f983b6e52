package items

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/record"
)

// A keeper keeps answers in a journal as they come, so that a run that does not come to its end
// loses none that was paid for. A nil keeper keeps nothing.
type keeper struct {
	store   *storage.Store
	journal *storage.Journal
	worth   atomic.Bool // the journal has an answer, or a cost
}

const (
	spentNote  = "spent="  // begins the note of the cost of an answer that is not among the scores
	replayNote = "replay=" // begins the note of recorded responses
)

// A keeping is how a comparison keeps the answers of an engine.
type keeping struct {
	*Comparison
	*engine
}

// begin begins the journal. If the test is to go on from interrupted runs, their answers are there
// then.
func (c keeping) begin() error {
	c.t.Helper()
	if c.short > 0 && c.env.resume {
		return fmt.Errorf("%w: environment variable %s=1: -short keeps no answers that it could go on from", ErrConfig, envResume)
	}
	if c.short > 0 || c.env.degrade > 0 {
		return nil
	}
	path, err := c.place()
	if err != nil {
		if c.env.resume || c.env.out != "" || c.env.update != "" {
			return err
		}
		c.t.Logf("note: answers are not kept if this run is interrupted: %v", err)
		return nil
	}
	k := new(keeper)
	if k.store, err = storage.NewStore(path); err != nil {
		return err
	}
	if err := k.store.CheckDestination(); err != nil {
		return fmt.Errorf("answers cannot be kept: %w", err)
	}
	stale, err := k.store.Stale()
	if err != nil {
		return err
	}
	h := c.now.Header
	h.Binary = program(path, mostFiles)
	for _, from := range stale {
		if !c.env.resume {
			c.t.Logf("note: %s has the answers of a run that was interrupted: %s=1 goes on from there, and a run to the end removes it", from, envResume)
			continue
		}
		if err := c.resume(&h, from); err != nil {
			return fmt.Errorf("%w: %s cannot be resumed: %w: remove it to start anew", ErrConfig, from, err)
		}
	}
	if c.env.resume {
		c.t.Logf("%s: %d answers taken over, %d to ask for", c.suite, len(c.there),
			len(c.calls)-len(c.there))
	}
	if k.journal, err = storage.CreateJournal(path); err != nil {
		return fmt.Errorf("answers cannot be kept: %w", err)
	}
	if err := k.journal.Begin(h, c.now.Learners, c.now.Units, 0); err != nil {
		return errors.Join(err, k.journal.Remove())
	}
	c.engine.keeper = k
	return nil
}

// mostFiles is how many files of a test's directory are looked at.
const mostFiles = 10000

// program returns a digest of the running test and of the names, sizes and times of the files in
// its directory, such as prompts, but for results; "" if it cannot be found out, as with more than
// so many. It reads none of them, which may be large.
func program(out string, most int) string {
	own := results.Executable()
	h := sha256.New()
	fmt.Fprintln(h, own)
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "__pycache__"):
			return filepath.SkipDir
		case d.IsDir() || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".go") ||
			strings.HasSuffix(name, ".md"):
			return nil // compiled, or never read
		case strings.Contains(name, ".partial-"):
			return nil
		}
		if full, err := filepath.Abs(path); err == nil && strings.HasPrefix(full, out) {
			return nil // the test writes it
		}
		if files++; files > most {
			return errors.New("too many files")
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintf(h, "%q %d %d\n", filepath.ToSlash(path), info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if own == "" || err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// place returns the path beside which the journal is: the file that the answers will be in, or one
// in the user's cache that is never written.
func (c keeping) place() (string, error) {
	switch {
	case c.env.update != "":
		return filepath.Abs(c.path)
	case c.env.out != "":
		return c.env.out, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "learnbench", "answers")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	h := &c.now.Header
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", append([]string{here, h.Pkg, h.Test, c.suite, c.path},
		c.now.Learners...)))
	return filepath.Join(dir, hex.EncodeToString(sum[:12])+record.Extension), nil
}

// resume takes over the good answers in a journal. All that it has cost counts.
func (c keeping) resume(own *record.Header, path string) error {
	c.t.Helper()
	remains, err := storage.ReadJournal(path)
	if errors.Is(err, fs.ErrNotExist) { // another run has completed it
		return nil
	}
	if err != nil {
		return err
	}
	if remains.Dropped != "" {
		c.t.Logf("%s: dropped what follows the last whole answer: %q", path, remains.Dropped)
	}
	ours := false
	for _, b := range remains.Blocks() {
		id, want := b.Header.Identity(), own.Identity()
		if id.Protocol = want.Protocol; id != want || !b.Header.HasItems() {
			continue // of another comparison
		}
		ours = true
		if err := c.resumes(own, b); err != nil {
			return err
		}
		for t := range b.Trials() {
			if t.Err != "" {
				continue
			}
			c.spend(c.cost(t.Values))
			if at := placeOf(&t); !c.there[at] {
				t.Pos = record.Pos{}
				if err := c.now.Add(t); err != nil {
					return err
				}
				c.there[at] = true
			}
		}
	}
	if !ours {
		return nil
	}
	number := make(map[string]int)
	for i, it := range c.items {
		number[it.ID] = i + 1
	}
	for _, n := range remains.Notes {
		if spent, err := strconv.ParseFloat(strings.TrimPrefix(n.Text, spentNote), 64); err == nil {
			c.spend(spent)
		}
		if text, ok := strings.CutPrefix(n.Text, replayNote); ok {
			r, _ := record.ParseReplay(text)
			c.replays(place{n.Cell.Learner, n.Cell.Run, number[n.Cell.Item]}, r)
		}
	}
	for _, cell := range remains.Running {
		c.t.Logf("%s: %v was under way when the process ended, and may have been paid for", path, cell)
	}
	return nil
}

// resumes returns an error unless this test would get the answers in a journal.
func (c keeping) resumes(own *record.Header, b *record.Block) error {
	h := &b.Header
	switch {
	case h.Protocol != own.Protocol:
		return fmt.Errorf("it is of %q, and this is %q", h.Protocol, own.Protocol)
	case !slices.Equal(b.Learners, c.now.Learners):
		return fmt.Errorf("it has answers of %s, and this test asks %s",
			strings.Join(b.Learners, " and "), strings.Join(c.now.Learners, " and "))
	case !slices.Equal(b.Units, c.now.Units):
		return errors.New("it has other metrics")
	case h.Versions != own.Versions:
		return fmt.Errorf("it is of the versions %q, and this is of %q", h.Versions, own.Versions)
	case h.Toolchain != own.Toolchain:
		return fmt.Errorf("it was written under %s, and this is %s", h.Toolchain, own.Toolchain)
	}
	if err := record.ItemsDiffer(b, c.now, "the journal", "the suite"); err != nil {
		return err
	}
	return results.SameProgram(h, own)
}

// goesOn says how a run can go on from the answers that were kept; it returns "" if there are none.
func (c keeping) goesOn() string {
	if c.engine.keeper == nil || !c.engine.keeper.worth.Load() && len(c.there) == 0 {
		return ""
	}
	set := envResume + "=1"
	if c.isSpent() {
		set += fmt.Sprintf(" %s=%v", envBudget, 2*c.engine.cfg.Budget)
	}
	switch {
	case c.env.update != "":
		set += " " + envUpdate + "=" + c.env.update
	case c.env.out != "":
		set += " " + envOut + "=" + c.env.out
	}
	return fmt.Sprintf(": %s %s goes on from there", set, c.now.Header.Reproduce)
}

// started notes that an answer is asked for.
func (k *keeper) started(c record.Cell) {
	if k != nil {
		k.journal.Started(c)
	}
}

// keep keeps an answer that has come.
func (k *keeper) keep(t record.Trial) error {
	if k == nil || t.Run == 0 {
		return nil
	}
	if t.Err == "" {
		k.worth.Store(true)
	}
	k.journal.Append(t)
	if err := k.journal.Err(); err != nil {
		return fmt.Errorf("answers can no longer be kept: %w", err)
	}
	return nil
}

// spent keeps what an answer has cost that has no scores.
func (k *keeper) spent(c record.Cell, cost float64) {
	if k != nil && cost > 0 && !math.IsInf(cost, 1) {
		k.worth.Store(true)
		k.journal.Note(c, spentNote+strconv.FormatFloat(cost, 'g', -1, 64))
	}
}

// replayed keeps which recorded responses an answer rests on.
func (k *keeper) replayed(c record.Cell, r record.Replay) {
	if k != nil && r.Answers > 0 {
		k.journal.Note(c, replayNote+r.String())
	}
}

// abandon closes the journal for a run that goes on from it. One that is worth nothing is removed.
func (k *keeper) abandon() error {
	if k == nil {
		return nil
	}
	if !k.worth.Load() {
		return k.journal.Remove()
	}
	return k.journal.Close()
}

// done removes the journal, and the journals of interrupted runs: all answers are there.
func (k *keeper) done(b *record.Block) error {
	if k == nil {
		return nil
	}
	return errors.Join(k.journal.Remove(), k.store.Completed(b))
}
