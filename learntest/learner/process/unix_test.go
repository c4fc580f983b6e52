//go:build unix

package process

import "syscall"

// ownProcessGroup has a process leave the group of its parent.
func ownProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
