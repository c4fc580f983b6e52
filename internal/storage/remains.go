package storage

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// Remains are what a journal has of a run.
type Remains struct {
	// File has the trials, in the order in which they finished, in as many blocks as
	// the journal has; see [File.Experiments]. Their headers have the outcomes of the
	// determinism probes.
	*record.File

	Running []record.Cell // of trials that were begun and have not finished
	Notes   []Note        // in the order in which they were written
	Dropped string        // what follows the last whole trial, notes apart: a line that was torn
}

// A Note is what [Journal.Note] has recorded of a trial.
type Note struct {
	Cell record.Cell
	Text string
}

// ReadJournal reads a journal, be it of a process that was killed: what
// follows the last trial that is there as a whole is dropped. It returns the errors of the
// file system and of [Read]; for a journal without any trial, a File without blocks.
func ReadJournal(path string) (*Remains, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readJournal(data, path)
}

func readJournal(data []byte, path string) (*Remains, error) {
	r := &Remains{File: record.NewFile()}
	whole := record.WholeTrials(data)
	for line := range bytes.Lines(data[len(whole):]) {
		if !isNote(line) && len(bytes.TrimSpace(line)) > 0 {
			r.Dropped += string(line[:min(len(line), 200)])
		}
	}
	if len(bytes.TrimSpace(whole)) > 0 {
		f, err := record.Read(bytes.NewReader(whole), path)
		if err != nil {
			return nil, err
		}
		r.File = f
	}
	r.addProbes(data)
	r.Notes = notes(data)
	r.Running = r.running(data)
	return r, nil
}

// isNote reports whether a line is a whole one that only journals have.
func isNote(line []byte) bool {
	if !bytes.HasSuffix(line, []byte("\n")) {
		return false
	}
	return slices.ContainsFunc([]string{startedMark, probedMark, noteMark},
		func(mark string) bool { return bytes.HasPrefix(line, []byte(mark)) })
}

// notes returns the notes of a journal.
func notes(data []byte) (all []Note) {
	for line := range bytes.Lines(data) {
		note, ok := bytes.CutPrefix(line, []byte(noteMark))
		if !ok || !isNote(line) {
			continue
		}
		name, text, _ := strings.Cut(strings.TrimSuffix(string(note), "\n"), " ")
		if c, err := record.ParseCell(name); err == nil {
			all = append(all, Note{c, text})
		}
	}
	return all
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
		c, err := record.ParseCell(string(name) + "/run=1/fold=1")
		if err != nil {
			continue
		}
		for _, b := range blocks {
			if b.Header.Data == c.Data && slices.Contains(b.Learners, c.Learner) &&
				(b.Header.Of(c.Learner).Determinism() == record.NotProbed ||
					string(outcome) == record.NotDeterministic) {
				b.Header.Of(c.Learner).SetProbe(string(outcome))
				found = true
			}
		}
	}
	if found {
		r.File = record.NewFile(blocks...)
	}
}

// running returns the cells of trials that were begun and have not finished.
func (r *Remains) running(data []byte) []record.Cell {
	done := make(map[string]bool)
	for _, b := range r.Experiments() {
		for t := range b.Trials() {
			done[t.Cell().Name()] = true
		}
	}
	var running []record.Cell
	for line := range bytes.Lines(data) {
		name, ok := bytes.CutPrefix(line, []byte(startedMark))
		if !ok || !isNote(line) {
			continue
		}
		c, err := record.ParseCell(string(bytes.TrimSpace(name)))
		if err == nil && !done[c.Name()] && !slices.Contains(running, c) {
			running = append(running, c)
		}
	}
	return running
}
