package process

import (
	"os/exec"
	"syscall"
)

// setGroup gives a command a process group of its own, and has the kernel kill it
// when the thread that starts it ends, as it does when this process is killed.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
