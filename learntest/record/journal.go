package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/learnbench/learnbench/internal/blockfile"
)

// A Journal is a file to which trials are appended as they finish, so that a
// process that is killed loses only those in flight. It is read by
// [ReadJournal].
//
// Trials never wait for the disk: a goroutine takes all that are pending,
// writes them at once and syncs the file, time and again. The methods may be
// called by several goroutines at once.
type Journal struct {
	file   *os.File
	owner  string
	unlock func() error  // nil where there are no locks
	wake   chan struct{} // capacity 1: there is something to do
	done   chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex
	plans   map[string]*journalPlan // by the name of the data set
	pending []journalTrial
	closing bool
	err     error // the first error
}

// A journalTrial is a trial with the plan of its data set, nil if it has none. A
// plan without trial is to be announced.
type journalTrial struct {
	*Trial
	plan *journalPlan
}

// A journalPlan is what the trials on one data set have in common, and those that
// have been written.
type journalPlan struct {
	block *Block
	w     *trialWriter
	order int // number of plans begun before
	head  []byte
}

// partialMark stands in the names of journals, between that of the result file and
// a number.
const partialMark = ".partial-"

// CreateJournal creates a journal beside the result file at path, or in the
// directory there, under a name that no other one has, and begins to write. It must be
// closed. As long as the process lives, [Partials] reports it as live.
func CreateJournal(path string) (*Journal, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "results")
	}
	f, err := createNumbered(path + partialMark)
	if err != nil {
		return nil, err
	}
	// Where locks are mandatory, that of the journal is on its first byte.
	_, err = f.WriteString("\n")
	var unlock func() error
	// Nobody else locks it for longer than Partials looks at it.
	for ok := false; err == nil && !ok; {
		unlock, ok, err = blockfile.TryLock(f.Name())
	}
	if err != nil && !errors.Is(err, blockfile.ErrNoLocks) {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	j := &Journal{
		file:   f,
		unlock: unlock,
		wake:   make(chan struct{}, 1),
		done:   make(chan struct{}),
		plans:  make(map[string]*journalPlan),
		owner:  owner(),
	}
	go j.run()
	return j, nil
}

// createNumbered creates a file whose name is the given one with the least
// number that is free.
func createNumbered(name string) (*os.File, error) {
	for n := 1; ; n++ {
		f, err := os.OpenFile(name+strconv.Itoa(n), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
		if errors.Is(err, fs.ErrExist) && n < maxCount {
			continue
		}
		return f, err
	}
}

// owner says which process this is.
func owner() string {
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

// Path returns the path of the journal.
func (j *Journal) Path() string { return j.file.Name() }

// Begin announces trials with what [NewBlock] takes. It returns an error that
// wraps ErrInvalid if the data set has been announced, or a name makes a line too
// long, and those of NewBlock.
func (j *Journal) Begin(h Header, learners []string, units []Unit, examples int) error {
	h.Owner = j.owner
	block, err := NewBlock(h, learners, units, examples)
	if err != nil {
		return err
	}
	head, _ := appendHead(nil, block, false)
	if err := checkLines(head); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.plans[h.Data] != nil {
		return fmt.Errorf("%w: data set %s is announced twice", ErrInvalid, h.Data)
	}
	jp := &journalPlan{block, newTrialWriter(block), len(j.plans), head}
	j.plans[h.Data] = jp
	j.pending = append(j.pending, journalTrial{nil, jp})
	j.signal()
	return nil
}

// startedMark begins the line of a trial that is about to be run. To readers it is
// one that go test prints.
const startedMark = "=== RUN   "

// Started takes note of a trial that is about to be run. It returns when the
// system has the note, so that [Running] finds it if the process dies of the trial.
func (j *Journal) Started(c Cell) {
	line := append([]byte(startedMark), "data="...)
	line = appendName(line, c.Data, "/=")
	line = appendName(append(line, "/learner="...), c.Learner, "/=")
	line = fmt.Appendf(line, "/run=%d/fold=%d\n", c.Run, c.Fold)
	if _, err := j.file.Write(line); err != nil {
		j.mu.Lock()
		j.fail(err)
		j.mu.Unlock()
	}
}

// Running returns the cells of a journal whose trials were begun and have not
// finished.
func Running(path string) ([]Cell, error) {
	f, err := ReadJournal(path)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	done := make(map[Cell]bool)
	for _, b := range f.Experiments() {
		for at := range b.seats {
			done[b.cell(at)] = true
		}
	}
	var running []Cell
	for line := range bytes.Lines(data) {
		name, ok := bytes.CutPrefix(line, []byte(startedMark))
		if !ok || !bytes.HasSuffix(name, []byte("\n")) {
			continue
		}
		c, err := cellOf(append([]byte("CV/"), bytes.TrimSpace(name)...))
		if err == nil && !done[c] && !slices.Contains(running, c) {
			running = append(running, c)
		}
	}
	return running, nil
}

// Append hands a trial over for writing and returns at once. The trial must
// not be changed afterwards. A trial that cannot be written, because it has no plan or
// could not be read back, is left out and makes Close return an error.
func (j *Journal) Append(t Trial) {
	j.mu.Lock()
	if j.closing {
		j.fail(fmt.Errorf("%w: %v: the journal is closed", ErrInvalid, t.Cell()))
	} else {
		j.pending = append(j.pending, journalTrial{&t, j.plans[t.Data]})
	}
	j.mu.Unlock()
	j.signal()
}

// Finish writes what is pending and returns the first error since the journal was
// created. Nothing more can be written, but until it is closed or removed the journal is
// reported as live, and nobody takes it for one of an interrupted run while its trials are
// stored elsewhere.
func (j *Journal) Finish() error {
	j.mu.Lock()
	first := !j.closing
	j.closing = true
	j.mu.Unlock()
	j.signal()
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	if first {
		j.fail(j.file.Close())
	}
	return j.err
}

// Close finishes the journal and leaves it where it is. It returns the error of
// [Journal.Finish].
func (j *Journal) Close() error {
	_ = j.Finish()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.unlock != nil {
		j.fail(j.unlock())
		j.unlock = nil
	}
	return j.err
}

// Remove closes the journal and removes its file: its trials are stored elsewhere.
func (j *Journal) Remove() error {
	_ = j.Finish()
	err := os.Remove(j.Path())
	cerr := j.Close()
	if err != nil { // where an open file cannot be removed, the lock is in the way
		err = os.Remove(j.Path())
	}
	return errors.Join(cerr, err)
}

func (j *Journal) signal() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// fail keeps the first error. The lock must be held.
func (j *Journal) fail(err error) {
	j.err = cmp.Or(j.err, err)
}

// run writes trials until the journal is closed.
func (j *Journal) run() {
	defer close(j.done)
	var text []byte
	var spare []journalTrial
	var last *journalPlan
	broken := false // a write has failed: more text would not be read back
	for range j.wake {
		j.mu.Lock()
		batch, closing := j.pending, j.closing
		j.pending = spare[:0]
		j.mu.Unlock()

		var err error
		text, last, err = appendBatch(text[:0], batch, last)
		if len(text) > 0 && !broken {
			werr := j.write(text)
			broken = werr != nil
			err = errors.Join(err, werr)
		}
		if err != nil {
			j.mu.Lock()
			j.fail(err)
			j.mu.Unlock()
		}
		if closing {
			return
		}
		clear(batch)
		spare = batch
	}
}

func (j *Journal) write(text []byte) error {
	if _, err := j.file.Write(text); err != nil {
		return err
	}
	return j.file.Sync()
}

// appendBatch appends the lines of trials, grouped by plan, each group under a
// head unless it continues the plan that the file ends with. It returns that
// plan, and an error for the first trial that was left out.
func appendBatch(text []byte, batch []journalTrial, last *journalPlan) ([]byte, *journalPlan, error) {
	var failed error
	slices.SortStableFunc(batch, func(a, b journalTrial) int {
		return cmp.Compare(a.plan.number(), b.plan.number())
	})
	for i := range batch {
		t := &batch[i]
		if t.Trial == nil {
			text = append(append(text, t.plan.head...), '\n')
			last = t.plan
			continue
		}
		if t.plan == nil {
			failed = cmp.Or(failed, fmt.Errorf("%w: %v: the data set was not announced", ErrInvalid, t.Cell()))
			continue
		}
		at, err := t.plan.block.add(*t.Trial)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		if t.plan != last {
			text = append(text, t.plan.head...)
			last = t.plan
		}
		text = t.plan.w.appendRest(t.plan.w.appendTrial(text, at), at)
	}
	return text, last, failed
}

func (p *journalPlan) number() int {
	if p == nil {
		return -1
	}
	return p.order
}

// ReadJournal reads a journal, be it of a process that was killed: what
// follows the last trial that is there as a whole is dropped. The trials are in the
// order in which they finished, in as many blocks as the file has; see
// [File.Experiments]. It returns the errors of the file system and of [Read]; for a journal
// without any trial, a File without blocks.
func ReadJournal(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	data = wholeTrials(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return NewFile(), nil
	}
	return Read(bytes.NewReader(data), path)
}

// wholeTrials returns the text up to the end of the last trial that is there
// with all its lines, or of the last head that a blank line follows.
func wholeTrials(data []byte) []byte {
	end, begun, failed := 0, false, false
	for off := 0; ; {
		n := bytes.IndexByte(data[off:], '\n')
		if n < 0 {
			return data[:end]
		}
		line := data[off : off+n]
		off += n + 1
		name, value, ok := cutKey(line)
		switch {
		case len(line) == 0 && begun && !failed:
			end = off
		case ok && string(name) == keyFormat:
			begun = true
		case ok && string(name) == keyError:
			// A failed trial ends with the line that deletes its cause.
			if failed && len(value) == 0 {
				end = off
			}
			failed = len(value) > 0
		case bytes.HasPrefix(line, trialPrefix) && !failed:
			end = off
		}
	}
}
