//go:build !unix

package branch

import "os/exec"

// Where there are no process groups, go test ends its own processes.

func ownGroup(*exec.Cmd) {}

func interruptGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killGroup(*exec.Cmd) {}
