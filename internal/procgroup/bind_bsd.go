//go:build unix && !linux

package procgroup

import "syscall"

func (g *Group) prepare() {
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	g.watched = g.bound
}
