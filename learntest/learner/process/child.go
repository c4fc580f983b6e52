package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/learnbench/learnbench/internal/procgroup"
)

const (
	// buryTime is how long a process that was killed may take to be gone.
	buryTime = 5 * time.Second

	// drainTime is how long others that hold a pipe of a program that has ended are waited for.
	drainTime = 200 * time.Millisecond
)

// A child is a running program. It is used by one goroutine at a time, but for
// kill and wait.
type child struct {
	cmd    *exec.Cmd
	group  *procgroup.Group
	stdin  *os.File
	stdout *os.File
	stderr *stderrReader

	lines   chan []byte  // that the program has printed; closed after the last one
	readErr error        // why lines is closed; set before
	limit   atomic.Int64 // of a line

	exited chan struct{} // closed when the program has ended and readErr and state are set
	state  error         // how it ended

	mu     sync.Mutex
	dead   bool          // it has ended, and another process may have its number
	killed chan struct{} // closed by kill

	says    hello
	asked   int // messages so far
	tables  slots
	request []byte // memory of the last one
}

// launch starts a program, which ends with this process. One that does not
// speak the protocol reads nothing, and its standard output goes where its standard
// error does.
func launch(cfg Config, args []string, speaks bool, log *stderrLog) (*child, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = cfg.Dir
	cmd.Env = append(cmd.Environ(), cfg.Env...)
	c := &child{
		cmd: cmd, group: procgroup.New(cmd, true), lines: make(chan []byte),
		exited: make(chan struct{}), killed: make(chan struct{}),
	}
	c.limit.Store(lineLimit)
	var theirs, ours []*os.File // ends of pipes
	pipe := func(err *error) (r, w *os.File) {
		if *err == nil {
			r, w, *err = os.Pipe()
		}
		return r, w
	}
	var err error
	errR, errW := pipe(&err)
	theirs, ours = append(theirs, errW), append(ours, errR)
	cmd.Stdout, cmd.Stderr = errW, errW
	if speaks {
		inR, inW := pipe(&err)
		outR, outW := pipe(&err)
		theirs, ours = append(theirs, inR, outW), append(ours, inW, outR)
		cmd.Stdin, cmd.Stdout = inR, outW
		c.stdin, c.stdout = inW, outR
	}
	if err == nil {
		err = c.start()
	}
	for _, f := range theirs {
		f.Close() // one that could not be opened is nil, which Close admits
	}
	if err != nil {
		for _, f := range ours {
			f.Close()
		}
		return nil, err
	}
	c.stderr = log.read(errR)
	read := make(chan struct{})
	go func() {
		defer close(read)
		if speaks {
			c.readErr = c.read()
		}
		close(c.lines)
	}()
	go func() { // others may hold the pipes when it has ended
		<-c.exited
		drained(read, c.stdout)
		drained(c.stderr.done, errR)
		c.stdin.Close()
	}()
	return c, nil
}

// start starts the command and has a thread wait for its end.
func (c *child) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // which the program does not outlive, see procgroup.New
		defer runtime.UnlockOSThread()
		err := c.group.Start()
		started <- err
		if err != nil {
			return
		}
		c.state = c.cmd.Wait()
		c.mu.Lock()
		c.dead = true
		c.group.End()
		c.mu.Unlock()
		close(c.exited)
	}()
	return <-started
}

// drained closes a pipe when its reader is done, or after some time.
func drained(done <-chan struct{}, f *os.File) {
	select {
	case <-done:
	case <-time.After(drainTime):
	}
	f.Close()
}

var (
	errLine    = errors.New("a line on its standard output is longer than any answer could be")
	errUnended = errors.New("in the midst of the line")
)

// read reads lines until there are no more.
func (c *child) read() error {
	r := bufio.NewReaderSize(c.stdout, 64<<10)
	for {
		var line []byte
		for {
			part, err := r.ReadSlice('\n')
			if int64(len(line)+len(part)) > c.limit.Load() {
				return errLine
			}
			line = append(line, part...)
			if err == nil {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				if len(line) > 0 {
					return fmt.Errorf("%w %s", errUnended, quote(line))
				}
				return err
			}
		}
		select {
		case c.lines <- line:
		case <-c.killed:
			return io.EOF
		}
	}
}

// exchange sends a message, which ends with a newline, and returns the line that is
// the answer. After an error, the program is dead.
func (c *child) exchange(ctx context.Context, message []byte, limit int) (line []byte, err error) {
	defer func() {
		if err != nil {
			c.kill()
		}
	}()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c.limit.Store(int64(limit))
	written := make(chan error, 1)
	go func() {
		_, err := c.stdin.Write(message)
		written <- err
	}()
	for lines := c.lines; written != nil || line == nil; {
		select {
		case l, ok := <-lines:
			if !ok {
				return nil, c.why(c.readErr)
			}
			line, lines = l, nil
		case err := <-written:
			if err != nil {
				return nil, c.why(err)
			}
			written = nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return line, nil
}

// why returns why a program does not answer, when reading from it or writing to it
// has ended with an error.
func (c *child) why(err error) error {
	if errors.Is(err, errLine) {
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	if !c.stopped(3 * drainTime) { // the program, and other holders of its pipes
		c.kill()
		c.stopped(buryTime)
		return fmt.Errorf("%w: it closed its standard input or output%s", ErrProtocol,
			c.stderr.lastWords())
	}
	how := "exit status 0"
	if c.state != nil {
		how = c.state.Error()
	}
	if errors.Is(err, errUnended) {
		how += ", " + err.Error()
	}
	return fmt.Errorf("%w: %s%s", ErrEnded, how, c.stderr.lastWords())
}

// broken reports whether the program was killed, as after every error. A program that
// has ended by itself is not broken but fails the next trial: the result must not depend on
// whether it ended before or after its last answer was read.
func (c *child) broken() bool {
	select {
	case <-c.killed:
		return true
	default:
		return false
	}
}

// kill kills the program with its process group, unless it has ended, and does not
// wait.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.dead {
		c.group.Kill()
	}
	select {
	case <-c.killed:
	default:
		close(c.killed)
		c.stdin.Close()
	}
}

// stopped reports whether the program ends within some time, with all that
// read its pipes.
func (c *child) stopped(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for _, done := range []<-chan struct{}{c.exited, c.stderr.done} { // the first comes first
		select {
		case <-done:
		case <-timer.C:
			return false
		}
	}
	return true
}

// quote quotes the start of a line that a program has printed.
func quote(line []byte) string {
	const most = 120
	s := strings.TrimRight(string(line[:min(len(line), most+1)]), "\r\n")
	if len(s) > most {
		return fmt.Sprintf("%q...", s[:most])
	}
	return fmt.Sprintf("%q", s)
}
