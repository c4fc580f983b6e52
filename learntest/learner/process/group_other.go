//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// setGroup does nothing: there are no process groups.
func setGroup(*exec.Cmd) {}

// killGroup kills a process.
func killGroup(p *os.Process) {
	p.Kill() // an error says that it has ended
}
