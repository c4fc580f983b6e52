package process

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

const (
	maxStderrLine = 4 << 10 // bytes of a line that are passed on
	maxStderr     = 1 << 20 // bytes of one program that are passed on
	keptLines     = 5       // that an error repeats
)

// A stderrLog passes on what programs write to their standard error, until it is
// closed.
type stderrLog struct {
	name string
	mu   sync.Mutex
	w    io.Writer // nil if nobody wants it
}

func newStderrLog(w io.Writer, name string) *stderrLog { return &stderrLog{name: name, w: w} }

func (l *stderrLog) line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w != nil {
		fmt.Fprintf(l.w, "%s: %s\n", l.name, text) // nobody to tell that it failed
	}
}

// close returns when nothing more is passed on.
func (l *stderrLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.w = nil
}

// A stderrReader reads the standard error of one program to its end, since a
// program that is not read stops.
type stderrReader struct {
	done chan struct{}
	mu   sync.Mutex
	last []string
}

func (l *stderrLog) read(f *os.File) *stderrReader {
	r := &stderrReader{done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.run(f, l)
	}()
	return r
}

func (r *stderrReader) run(f io.Reader, log *stderrLog) {
	b := bufio.NewReaderSize(f, maxStderrLine)
	passed := 0
	for {
		part, err := b.ReadSlice('\n')
		// A line that is too long is passed on in parts.
		if len(part) > 0 && (err == nil || errors.Is(err, bufio.ErrBufferFull) ||
			errors.Is(err, io.EOF)) {
			text := string(bytes.TrimRight(part, "\r\n"))
			r.keep(text)
			switch passed += len(part); {
			case passed <= maxStderr:
				log.line(text)
			case passed-len(part) <= maxStderr:
				log.line("(it writes more than a megabyte to its standard error: the rest is left out)")
			}
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (r *stderrReader) keep(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.last) == keptLines {
		r.last = append(r.last[:0], r.last[1:]...)
	}
	r.last = append(r.last, text)
}

// lastWords returns the last lines as the end of an error, or "".
func (r *stderrReader) lastWords() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.last) == 0 {
		return ""
	}
	return ": its last words: " + strings.Join(r.last, " | ")
}
