package procgroup

import "syscall"

func (g *Group) prepare() {
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if g.bound {
		g.cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL // the kernel sends it when the thread ends
	}
}
