//go:build !unix && !windows

package procgroup

type system struct{}

func (g *Group) prepare() {}

// Start starts the command.
func (g *Group) Start() error { return g.cmd.Start() }

// Interrupt kills the command: there are neither groups nor interrupts.
func (g *Group) Interrupt() error { return g.cmd.Process.Kill() }

// Kill kills the command.
func (g *Group) Kill() { _ = g.cmd.Process.Kill() } // an error says that it has ended

// End does nothing. The command has ended.
func (g *Group) End() {}
