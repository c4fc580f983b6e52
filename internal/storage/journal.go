package storage

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/learnbench/learnbench/internal/blockfile"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Journal is a file to which trials are appended as they finish, so that a
// process that is killed loses only those in flight. It is read by
// [ReadJournal].
//
// A trial is handed to the system before Append returns, and synced to the disk together
// with others within a tenth of a second, for which nobody waits: so a power failure may
// cost more trials than a kill. The methods may be called by several goroutines at once.
type Journal struct {
	file   *os.File
	owner  string
	unlock func() error  // nil where there are no locks
	unsync chan struct{} // capacity 1: something has been written
	finish chan struct{} // closed when nothing more will be
	synced chan struct{} // closed when all has been synced

	mu      sync.Mutex
	plans   map[string]*record.Stream // of trials, by the name of the data set
	last    *record.Stream            // of the trial that the file ends with
	text    []byte                    // kept for Append
	closing bool
	broken  bool  // a write has failed: more text would not be read back
	err     error // the first error
}

// partialMark stands in the names of journals, between the name of the result file and a number.
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
	// Where locks are mandatory, the lock of the journal is on its first byte.
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
		unsync: make(chan struct{}, 1),
		finish: make(chan struct{}),
		synced: make(chan struct{}),
		plans:  make(map[string]*record.Stream),
		owner:  owner(),
	}
	go j.sync(f.Sync)
	return j, nil
}

// createNumbered creates a file whose name is the given one with the least
// number that is free.
func createNumbered(name string) (*os.File, error) {
	for n := 1; ; n++ {
		f, err := os.OpenFile(name+strconv.Itoa(n), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
		if errors.Is(err, fs.ErrExist) && n < mostNumber {
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
// long, and the errors of NewBlock.
func (j *Journal) Begin(h record.Header, learners []string, units []unit.Unit, examples int) error {
	h.Owner = j.owner
	plan, err := record.NewStream(h, learners, units, examples)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.plans[h.Data] != nil {
		return fmt.Errorf("%w: data set %s is announced twice", record.ErrInvalid, h.Data)
	}
	j.plans[h.Data], j.last = plan, plan
	j.write(append(plan.AppendHead(nil), '\n'))
	return nil
}

// startedMark begins the line of a trial that is about to be run. To readers it is
// one that go test prints.
const startedMark = "=== RUN   "

// Started records a trial that is about to be run. It returns when the
// system has the note, so that it is among [Remains] if the process dies of the trial.
func (j *Journal) Started(c record.Cell) {
	j.note(startedMark + c.Name() + "\n")
}

// noteMark begins a line that says more of a trial.
const noteMark = "--- NOTE: "

// Note records a text about a trial, of one line, which is among [Remains] whatever becomes of
// the trial.
func (j *Journal) Note(c record.Cell, text string) {
	j.note(noteMark + c.Name() + " " + text + "\n")
}

// note writes a line that is no trial.
func (j *Journal) note(line string) {
	j.mu.Lock()
	j.write([]byte(line))
	j.mu.Unlock()
}

// probedMark begins the line of what came of a determinism probe.
const probedMark = "--- PROBE: "

// Probed records the outcome of the determinism probe of a learner, which the heads of the journal
// cannot have, since they are written before it.
func (j *Journal) Probed(data, learner, outcome string) {
	j.note(fmt.Sprintf("%sdata=%s/learner=%s %s\n", probedMark, record.EscapeName(data),
		record.EscapeName(learner), outcome))
}

// Append writes a trial. One that cannot be written, because it has no plan or
// could not be read back, is left out and makes Close return an error.
func (j *Journal) Append(t record.Trial) {
	j.mu.Lock()
	defer j.mu.Unlock()
	plan := j.plans[t.Data]
	switch {
	case j.closing:
		j.fail(fmt.Errorf("%w: %v: the journal is closed", record.ErrInvalid, t.Cell()))
		return
	case plan == nil:
		j.fail(fmt.Errorf("%w: %v: the data set was not announced", record.ErrInvalid, t.Cell()))
		return
	}
	text := j.text[:0]
	if plan != j.last {
		text = plan.AppendHead(text)
	}
	text, err := plan.AppendTrial(text, t)
	if err != nil {
		j.fail(err)
		return
	}
	j.last, j.text = plan, text
	j.write(text)
}

// write hands a text to the system. The lock must be held.
func (j *Journal) write(text []byte) {
	if j.broken || j.closing {
		return
	}
	if _, err := j.file.Write(text); err != nil {
		j.broken = true
		j.fail(err)
	}
	select {
	case j.unsync <- struct{}{}:
	default:
	}
}

// syncPause is how long nothing is synced after something has been: trials may take
// less time than that.
const syncPause = 100 * time.Millisecond

// sync syncs the written lines, again and again.
func (j *Journal) sync(file func() error) {
	defer close(j.synced)
	for range j.unsync {
		if err := file(); err != nil {
			j.mu.Lock()
			j.fail(err)
			j.mu.Unlock()
		}
		select {
		case <-j.finish:
		case <-time.After(syncPause):
		}
	}
}

// Err returns the first error until now: trials that follow cannot be read back.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Finish syncs the written lines and returns the first error since the journal was
// created. Nothing more can be written, but until it is closed or removed the journal is
// reported as live, and nobody takes it for one of an interrupted run while its trials are
// stored elsewhere.
func (j *Journal) Finish() error {
	j.mu.Lock()
	first := !j.closing
	j.closing = true
	if first {
		close(j.finish)
		close(j.unsync)
	}
	j.mu.Unlock()
	<-j.synced
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

// fail keeps the first error. The lock must be held.
func (j *Journal) fail(err error) {
	j.err = cmp.Or(j.err, err)
}
