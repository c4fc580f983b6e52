//go:build unix

package procgroup

import "syscall"

// system is how a bound group ends with this process: by the kernel, or by a watchdog.
type system struct {
	watched bool
	stop    func() // calls the watchdog off; nil without one
}

// Start starts the command.
func (g *Group) Start() error {
	err := g.cmd.Start()
	if err != nil || !g.watched {
		return err
	}
	if g.stop, err = watch(g.cmd.Process.Pid); err != nil {
		g.Kill()
		_ = g.cmd.Wait() // it was killed
	}
	return err
}

// Interrupt interrupts all processes of the group.
func (g *Group) Interrupt() error { return g.signal(syscall.SIGINT) }

// Kill kills all processes of a group that has started.
func (g *Group) Kill() { _ = g.signal(syscall.SIGKILL) } // there need not be any

// End kills the processes that are left of the group. The command has ended.
func (g *Group) End() {
	g.Kill() // the number is not reused so soon
	if g.stop != nil {
		g.stop()
	}
}

// signal sends a signal to the group, whose number is the command's.
func (g *Group) signal(s syscall.Signal) error {
	if g.cmd.Process.Pid <= 1 { // others would be more than a group
		return syscall.ESRCH
	}
	return syscall.Kill(-g.cmd.Process.Pid, s)
}
