package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// A Journal is a file to which trials are appended as they finish, so that a
// process that is killed loses only those in flight. It is read by
// [ReadJournal].
//
// Trials never wait for the disk: a goroutine takes all that are pending,
// writes them at once and syncs the file, time and again. The methods may be
// called by several goroutines at once.
type Journal struct {
	file *os.File
	wake chan struct{} // capacity 1: there is something to do
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex
	plans   map[string]*journalPlan // by the name of the data set
	pending []journalTrial
	closing bool
	err     error // the first error
}

// A journalTrial is a trial with the plan of its data set, nil if it has none.
type journalTrial struct {
	Trial
	plan *journalPlan
}

// A journalPlan is what the trials on one data set have in common.
type journalPlan struct {
	set      Set // without trials
	order    int // number of plans begun before
	learners map[string]int
	head     []byte
}

// CreateJournal creates the file at path and begins to write. If there is a
// file already, the error wraps [io/fs.ErrExist], so that what a killed process has
// left is not lost. The journal must be closed.
func CreateJournal(path string) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	j := &Journal{
		file:  f,
		wake:  make(chan struct{}, 1),
		done:  make(chan struct{}),
		plans: make(map[string]*journalPlan),
	}
	go j.run()
	return j, nil
}

// Begin announces the plan for a data set: the header, learners and units of
// its trials. The plan's own trials are ignored. It returns an error that
// wraps ErrInvalid if a set could not be written with them, or if the data set has a
// plan already.
func (j *Journal) Begin(data string, plan Set) error {
	jp := &journalPlan{set: Set{Header: plan.Header, Learners: slices.Clone(plan.Learners), Units: slices.Clone(plan.Units)}}
	if err := jp.set.validateHead(); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	jp.head = appendHead(nil, &jp.set)
	jp.learners = indexNames(jp.set.Learners)
	if err := checkLines(jp.head); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.plans[data] != nil {
		return fmt.Errorf("%w: data set %s has two plans", ErrInvalid, data)
	}
	jp.order = len(j.plans)
	j.plans[data] = jp
	return nil
}

// Append hands a trial over for writing and returns at once. The trial must
// not be changed afterwards. A trial that cannot be written, because it has no plan or
// could not be read back, is left out and makes Close return an error.
func (j *Journal) Append(t Trial) {
	j.mu.Lock()
	if j.closing {
		j.fail(fmt.Errorf("%w: %v: the journal is closed", ErrInvalid, t.Cell()))
	} else {
		j.pending = append(j.pending, journalTrial{t, j.plans[t.Data]})
	}
	j.mu.Unlock()
	j.signal()
}

// Close writes what is pending, closes the file and returns the first error
// since the journal was created.
func (j *Journal) Close() error {
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
		if err := t.plan.validate(&t.Trial); err != nil {
			failed = cmp.Or(failed, fmt.Errorf("%w: %v: %w", ErrInvalid, t.Cell(), err))
			continue
		}
		start := len(text)
		if t.plan != last {
			text = append(text, t.plan.head...)
		}
		lines := len(text)
		text = appendTrial(text, &t.Trial)
		if err := checkLines(text[lines:]); err != nil {
			text = text[:start]
			failed = cmp.Or(failed, fmt.Errorf("%w: %w", ErrInvalid, err))
			continue
		}
		last = t.plan
	}
	return text, last, failed
}

func (p *journalPlan) number() int {
	if p == nil {
		return -1
	}
	return p.order
}

func (p *journalPlan) validate(t *Trial) error {
	if p == nil {
		return errors.New("the data set has no plan")
	}
	if _, ok := p.learners[t.Learner]; !ok {
		return errors.New("the learner is not in the plan")
	}
	if err := t.validateCell(&p.set.Header); err != nil {
		return err
	}
	return t.validateValues(p.set.Units)
}

// ReadJournal reads a journal, be it of a process that was killed: what
// follows the last trial that is there as a whole is dropped. The trials are in the
// order in which they finished, in as many sets as the file has blocks; see
// [File.Merged]. It returns the errors of the file system and of [Read]; for a journal without any
// trial, a File without sets.
func ReadJournal(path string) (*File, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	data = wholeTrials(data)
	if len(data) == 0 {
		return new(File), nil
	}
	return Read(bytes.NewReader(data), path)
}

// wholeTrials returns the text up to the end of the last trial that is there
// with all its lines.
func wholeTrials(data []byte) []byte {
	end, failed := 0, false
	for off := 0; ; {
		n := bytes.IndexByte(data[off:], '\n')
		if n < 0 {
			return data[:end]
		}
		line := data[off : off+n]
		off += n + 1
		name, value, ok := cutKey(line)
		switch {
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
