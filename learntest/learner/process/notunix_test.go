//go:build !unix

package process

import "syscall"

func ownProcessGroup() *syscall.SysProcAttr { return nil }

func forked([]string) { panic("no process can be forked here") }
