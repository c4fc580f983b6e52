//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// setGroup gives a command a process group of its own.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
