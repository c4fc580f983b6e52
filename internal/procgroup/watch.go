//go:build unix

package procgroup

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// watch starts a watchdog: a shell that reads from a pipe, and kills a process group when nobody
// can write to the pipe any more, since this process has ended. It is in a group of its own, which
// an interrupt of this one does not reach.
func watch(group int) (stop func(), err error) {
	r, w, err := os.Pipe() // w is closed in every other process
	if err != nil {
		return nil, err
	}
	dog := exec.Command("/bin/sh", "-c", `read line; kill -s KILL -- "-$1"`, "sh", strconv.Itoa(group))
	dog.Stdin = r
	dog.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = dog.Start()
	r.Close()
	if err != nil {
		w.Close()
		return nil, fmt.Errorf("a watchdog for the program: %w", err)
	}
	return func() {
		_ = dog.Process.Kill() // before the pipe ends, or another group may have the number by now
		_ = dog.Wait()
		w.Close()
	}, nil
}
