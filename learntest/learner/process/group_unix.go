//go:build unix

package process

import (
	"os"
	"syscall"
)

// killGroup kills a process and all that are in its group.
func killGroup(p *os.Process) {
	if p.Pid > 1 { // others would be more than a group
		syscall.Kill(-p.Pid, syscall.SIGKILL) // an error says that there are none
	}
}
