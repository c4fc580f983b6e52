//go:build !unix

package process

import "syscall"

func ownProcessGroup() *syscall.SysProcAttr { return nil }
