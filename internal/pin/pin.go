// Package pin moves a pinned reference: a result file that stays where it is while
// changes add up, until somebody moves it and says why.
//
// Beside the reference is a ledger, a text file with an entry for each move. Both are
// to be committed together, so that whoever reviews a move sees its losses.
package pin

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Move is one of a reference.
type Move struct {
	Results   string   // path of the new results
	Reference string   // path of the reference
	Learners  []string // to be pinned if there is no reference yet; all if there are none
	Reason    string
	Date      time.Time
}

// ErrSame says that a move would change nothing.
var ErrSame = errors.New("these results are pinned already")

// Do moves the reference and returns the new entry of the ledger. Nothing is written
// if there is an error.
//
// The results must be complete and of a commit, and have what the reference has, on the
// same partitions of the same data. The reference has no times, and none but the learners
// that are pinned.
func (m *Move) Do() (string, error) {
	if strings.TrimSpace(m.Reason) == "" || strings.ContainsAny(m.Reason, "\r\n") {
		return "", errors.New("a move has a reason, in one line: it is what a reviewer reads")
	}
	results, err := open(m.Results)
	if err != nil {
		return "", err
	}
	old, err := open(m.Reference)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = nil, nil
	}
	if err == nil && old != nil && len(m.Learners) > 0 {
		err = fmt.Errorf("%s says which learners are pinned: leave them out, or remove it to begin anew (the ledger goes on)", m.Reference)
	}
	if err != nil {
		return "", err
	}
	blocks, err := m.choose(results, old)
	if err != nil {
		return "", err
	}
	entries, before, err := m.readLedger(old != nil)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := record.Write(&text, blocks...); err != nil {
		return "", err
	}
	entry, err := m.entry(old, blocks, text.String(), before)
	if err != nil {
		return "", err
	}
	if err := atomicfile.Write(m.Reference, &text); err != nil {
		return "", err
	}
	return entry, atomicfile.Write(ledger.Path(m.Reference), strings.NewReader(entries+entry))
}

// open reads a result file that is complete.
func open(path string) (*record.File, error) {
	if err := storage.Unfinished(path); err != nil {
		return nil, err
	}
	f, err := record.Open(path)
	if err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if failed := f.Failures(); len(failed) > 0 {
		return nil, fmt.Errorf("%s: %v: %s: what failed cannot be pinned", path, failed[0].Cell(),
			failed[0].Err)
	}
	return f, nil
}

// choose returns the blocks of the results with the learners that are to be pinned.
func (m *Move) choose(results, old *record.File) ([]*record.Block, error) {
	if old != nil {
		for _, data := range old.DataSets() {
			for _, l := range old.Learners(data) {
				if !results.HasLearner(data, l) {
					return nil, fmt.Errorf("%s has no learner %s on data set %s, which is pinned: run its test, too", m.Results, l, data)
				}
			}
		}
	}
	for _, l := range m.Learners {
		if !slices.ContainsFunc(results.DataSets(),
			func(data string) bool { return results.HasLearner(data, l) }) {
			return nil, fmt.Errorf("%s has no learner %s", m.Results, l)
		}
	}
	experiments := results.Experiments()
	uses, err := m.uses(experiments)
	if err != nil {
		return nil, err
	}
	of := make(map[string]*record.Block)
	var blocks []*record.Block
	for _, e := range experiments {
		if e.Header.IsSecondOpinion() { // a reference is compared with otherwise
			continue
		}
		if err := record.Verify(e); err != nil {
			return nil, fmt.Errorf("%w: run the test again: only results that it has stored can be pinned",
				err)
		}
		if c := e.Header.Commit; strings.HasSuffix(c, "-dirty") {
			return nil, fmt.Errorf("%s is of commit %s: commit the change first and run the test again, so that the reference can be reproduced", m.Results, c)
		}
		learners := slices.DeleteFunc(slices.Clone(e.Learners), func(l string) bool {
			return old != nil && !old.HasLearner(e.Header.Data, l) || len(m.Learners) > 0 &&
				!slices.Contains(m.Learners, l) || uses != nil && !uses(e, l)
		})
		if len(learners) == 0 {
			continue
		}
		b, err := only(e, learners)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
		for _, l := range learners {
			what := l + " on data set " + e.Header.Data
			if other := of[what]; uses == nil && other != nil {
				return nil, fmt.Errorf("%s has two results of %s, of %v and of %v, and none of these tests uses %s: run only the test whose results are to be pinned",
					m.Results, what, other.Header.Identity(), e.Header.Identity(), m.Reference)
			}
			of[what] = e
		}
	}
	if len(blocks) == 0 {
		return nil, fmt.Errorf("%s has nothing to be pinned as %s", m.Results, m.Reference)
	}
	return blocks, nil
}

// only returns the trials of some learners, without times.
func only(e *record.Block, learners []string) (*record.Block, error) {
	h := e.Header
	h.Determinism, h.Means, h.Against = "", "", ""
	for _, l := range learners {
		h.Of(l).SetProbe(cmp.Or(e.Header.Of(l).Probe(), record.NotProbed))
	}
	b, err := record.NewBlock(h, learners, e.Columns, 0)
	if err != nil {
		return nil, err
	}
	b.Timeless = true
	for t := range e.Trials() {
		if !slices.Contains(learners, t.Learner) {
			continue
		}
		t.FitSeconds, t.PredictSec = 0, 0
		if err := b.Add(t); err != nil {
			return nil, err
		}
	}
	record.TakeRight(b, e)
	return b, nil
}

// entry returns what the ledger says about the move.
func (m *Move) entry(old *record.File, blocks []*record.Block, text, before string) (string,
	error,
) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s %s%s: %s\n", m.Date.UTC().Format(time.DateOnly), commits(blocks), after(old),
		unit.Printable(m.Reason))
	fmt.Fprintf(&b, "    reference %s", ledger.Digest(text))
	if before != "" {
		fmt.Fprintf(&b, " after %s", before)
	}
	b.WriteByte('\n')
	same := old != nil
	for _, block := range blocks {
		for _, l := range block.Learners {
			for _, u := range block.Units {
				line, changed, err := m.change(block, old, l, u)
				if err != nil {
					return "", err
				}
				same = same && !changed
				fmt.Fprintf(&b, "    %s\n", line)
			}
		}
	}
	if same {
		return "", ErrSame
	}
	return b.String(), nil
}

// change returns a line about the paired difference of a block to the reference before, and whether
// there is any.
func (m *Move) change(block *record.Block, old *record.File, learner string, u unit.Unit) (string,
	bool, error,
) {
	data, results, from := block.Header.Data, record.NewFile(block), old
	if old == nil {
		from = results
	} else if own := slices.IndexFunc(old.Blocks(),
		func(b *record.Block) bool { return b.Header.Identity() == block.Header.Identity() }); own >= 0 {
		from = record.NewFile(old.Blocks()[own]) // several tests may have this learner
	}
	v := verdict.Of(results.Of(data, learner), from.Of(data, learner), verdict.Claim{Metric: u.Name})
	if v.Outcome == verdict.Invalid {
		return "", false, fmt.Errorf("%s/%s cannot be compared with the pinned results: %s: mend it, or remove %s to begin anew (the ledger goes on)", data, learner, v.Reason, m.Reference)
	}
	line := fmt.Sprintf("%s %s", ledger.Name(data, learner, u), u.FormatScore(v.CandidateMean))
	if old == nil {
		return line + ", the first", true, nil
	}
	f := &v.Difference
	line += fmt.Sprintf(", %s", u.FormatDifference(v.Estimate))
	if f.Lo <= f.Hi { // not NaN
		line += fmt.Sprintf(", %.4g%% interval %s", 100*f.Level, u.FormatInterval(f.Lo, f.Hi))
	}
	same := f.Result.SE == 0 && f.Result.Estimate == 0
	return fmt.Sprintf("%s, p = %s", line, unit.FormatP(f.P)), !same, nil
}

// commits returns the commits that results are of.
func commits(blocks []*record.Block) string {
	var all []string
	for _, b := range blocks {
		c := b.Header.Commit
		if c == "" {
			c = "of no commit"
		}
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return unit.Printable(strings.Join(all, " and "))
}

func after(old *record.File) string {
	if old == nil {
		return ""
	}
	return " after " + commits(old.Blocks())
}

// readLedger returns the entries of the ledger, and the digest of the reference: empty if there is
// none. A reference that the last entry is not about has been changed by something else, and nobody
// has said why.
func (m *Move) readLedger(pinned bool) (entries, before string, err error) {
	path := ledger.Path(m.Reference)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if pinned {
			return "", "", fmt.Errorf("%s has no ledger, %s: restore it, or remove the reference to begin anew", m.Reference, path)
		}
		return fmt.Sprintf("How %s was moved, by learnbench pin: the latest move is the last.\n",
			filepath.Base(m.Reference)), "", nil
	}
	if err != nil || !pinned {
		return string(text), "", err
	}
	if err := ledger.Check(m.Reference); err != nil {
		return "", "", fmt.Errorf("%w: restore it (git log shows who changed it), or remove it to begin anew", err)
	}
	own, err := os.ReadFile(m.Reference)
	return string(text), ledger.Digest(string(own)), err
}
