package procgroup

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// system is a job object. The system kills its processes, and all that they start, when its last
// handle is closed, which happens at the latest when this process ends.
type system struct {
	mu  sync.Mutex
	job windows.Handle // 0 before the start and after the end
}

func (g *Group) prepare() {}

// Start starts the command in a job.
func (g *Group) Start() error {
	job, err := newJob()
	if err != nil {
		return fmt.Errorf("a job object for the program: %w", err)
	}
	g.mu.Lock() // whoever kills the command meanwhile waits until it is in the job
	if err := g.cmd.Start(); err != nil {
		g.mu.Unlock()
		return errors.Join(err, windows.CloseHandle(job))
	}
	err = g.assign(job)
	if err == nil {
		g.job = job
	}
	g.mu.Unlock()
	if err != nil {
		_ = g.cmd.Process.Kill() // the error says why
		_ = g.cmd.Wait()
		return errors.Join(fmt.Errorf("a job object for the program: %w", err), windows.CloseHandle(job))
	}
	return nil
}

// assign puts the command into a job, with all that it starts from now on: its own beginning takes
// longer than this. One that has ended already is in none.
func (g *Group) assign(job windows.Handle) error {
	var assigned error
	err := g.cmd.Process.WithHandle(func(handle uintptr) {
		assigned = windows.AssignProcessToJobObject(job, windows.Handle(handle))
		if assigned != nil && ended(windows.Handle(handle)) {
			assigned = nil
		}
	})
	return errors.Join(err, assigned)
}

// newJob returns a job whose processes end with its last handle.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil) // a handle that no child inherits
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return 0, errors.Join(err, windows.CloseHandle(job))
	}
	return job, nil
}

// ended reports whether a process has ended.
func ended(process windows.Handle) bool {
	state, err := windows.WaitForSingleObject(process, 0)
	return err == nil && state == windows.WAIT_OBJECT_0
}

// Interrupt kills all processes of the group: one without a console cannot be interrupted.
func (g *Group) Interrupt() error {
	g.Kill()
	return nil
}

// Kill kills all processes of a group that has started.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1) // there need not be any
	}
}

// End kills the processes that are left of the group. The command has ended.
func (g *Group) End() {
	g.Kill()
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = windows.CloseHandle(g.job) // which kills them, too
	g.job = 0
}
