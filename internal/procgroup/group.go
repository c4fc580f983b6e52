// Package procgroup starts commands that end together with all processes that they have started.
//
// On Unix these are a process group, on Windows a job object. A process that leaves its group is
// out of reach; none can leave a job.
package procgroup

import "os/exec"

// A Group is a command with the processes that it starts.
type Group struct {
	cmd   *exec.Cmd
	bound bool
	system
}

// New returns the group of a command that has not started, and prepares the command. A bound group
// ends with this process, however that ends: on Linux, if the command is started on a thread that
// lives until the command has ended (see runtime.LockOSThread), and of the group the command alone.
// On Windows all groups are bound.
func New(cmd *exec.Cmd, bound bool) *Group {
	g := &Group{cmd: cmd, bound: bound}
	g.prepare()
	return g
}
