//go:build unix

package process

import (
	"encoding/json"
	"net"
	"os"
	"syscall"
)

// ownProcessGroup has a process leave the group of its parent.
func ownProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// forked is a program that runs as a fork of the process that testdata/forks.py is, which has the
// socket of that name.
func forked(args []string) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: os.Getenv(ForksSocket), Net: "unix"})
	if err != nil {
		panic(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(map[string]any{"args": args, "dir": dir, "env": os.Environ()})
	if err != nil {
		panic(err)
	}
	if _, _, err := conn.WriteMsgUnix(text, syscall.UnixRights(0, 1, 2), nil); err != nil {
		panic(err)
	}
	status := []byte{1} // of a fork that is killed
	_, _ = conn.Read(status)
	os.Exit(int(status[0]))
}
