package record

import (
	"bytes"
	"os"
	"slices"
)

// Remains are what a journal has of a run.
type Remains struct {
	// File has the trials, in the order in which they finished, in as many blocks as
	// the journal has; see [File.Experiments]. Their headers have the outcomes of the
	// determinism probes.
	*File

	Running []Cell // of trials that were begun and have not finished
	Dropped string // what follows the last whole trial, notes apart: a line that was torn
}

// ReadJournal reads a journal, be it of a process that was killed: what
// follows the last trial that is there as a whole is dropped. It returns the errors of the
// file system and of [Read]; for a journal without any trial, a File without blocks.
func ReadJournal(path string) (*Remains, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Remains{File: NewFile()}
	whole := wholeTrials(data)
	for line := range bytes.Lines(data[len(whole):]) {
		if !isNote(line) && len(bytes.TrimSpace(line)) > 0 {
			r.Dropped += string(line)
		}
	}
	if len(bytes.TrimSpace(whole)) > 0 {
		if r.File, err = Read(bytes.NewReader(whole), path); err != nil {
			return nil, err
		}
	}
	r.addProbes(data)
	r.Running = r.running(data)
	return r, nil
}

// isNote reports whether a line is a whole one that only journals have.
func isNote(line []byte) bool {
	return bytes.HasSuffix(line, []byte("\n")) && (bytes.HasPrefix(line, []byte(startedMark)) || bytes.HasPrefix(line, []byte(probedMark)))
}

// addProbes adds the outcomes of the probes to the headers.
func (r *Remains) addProbes(data []byte) {
	blocks := r.Blocks()
	found := false
	for line := range bytes.Lines(data) {
		note, ok := bytes.CutPrefix(line, []byte(probedMark))
		if !ok || !isNote(line) {
			continue
		}
		name, outcome, _ := bytes.Cut(bytes.TrimSpace(note), []byte(" "))
		c, err := cellOf(append(append([]byte("CV/"), name...), "/run=1/fold=1"...))
		if err != nil {
			continue
		}
		for _, b := range blocks {
			if b.Header.Data == c.Data && slices.Contains(b.Learners, c.Learner) && b.Header.outcome(c.Learner) == "" {
				b.Header.AddDeterminism(c.Learner, string(outcome))
				found = true
			}
		}
	}
	if found {
		r.File = NewFile(blocks...)
	}
}

// running returns the cells of trials that were begun and have not finished.
func (r *Remains) running(data []byte) []Cell {
	done := make(map[Cell]bool)
	for _, b := range r.Experiments() {
		for at := range b.seats {
			done[b.cell(at)] = true
		}
	}
	var running []Cell
	for line := range bytes.Lines(data) {
		name, ok := bytes.CutPrefix(line, []byte(startedMark))
		if !ok || !isNote(line) {
			continue
		}
		c, err := cellOf(append([]byte("CV/"), bytes.TrimSpace(name)...))
		if err == nil && !done[c] && !slices.Contains(running, c) {
			running = append(running, c)
		}
	}
	return running
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
