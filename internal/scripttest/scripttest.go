// Package scripttest runs the commands of test scripts inside the test process. A process of a
// test binary takes 20 to 40 ms for its start alone, and scripts run a thousand of them.
package scripttest

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/rogpeppe/go-internal/testscript"
)

// working guards the working directory of the process.
var working sync.Mutex

// A Program is a command that can run inside the process.
type Program struct {
	Name string
	Run  func(args []string, stdout, stderr io.Writer) int // returns the exit status
}

// Condition reports whether the condition [slow] of scripts holds, which CI sets.
func Condition(name string) (bool, error) {
	if name != citest.Slow {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return citest.Has(name), nil
}

// Call is the command of scripts that runs the program inside the process, in the directory of the
// script:
//
//	call learnstat old.txt new.txt
//	! call learnstat old.txt
//
// The program has the environment of the test process. A script that sets a variable for the program,
// gives it standard input or needs a terminal uses exec in its place.
func (p Program) Call(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || args[0] != p.Name {
		ts.Fatalf("usage: call %s [ARGS]", p.Name)
	}
	status := p.call(ts, args[1:])
	switch {
	case status != 0 && !neg:
		ts.Fatalf("exit status %d", status)
	case status == 0 && neg:
		ts.Fatalf("unexpected command success")
	}
}

// Status is the command of scripts that compares an exit status. With exec the command is a
// process:
//
//	status 2 learnstat old.txt
//	status 1 exec go test .
func (p Program) Status(ts *testscript.TestScript, neg bool, args []string) {
	usage := "usage: status N " + p.Name + " [ARGS], or status N exec COMMAND [ARGS]"
	if neg || len(args) < 2 {
		ts.Fatalf("%s", usage)
	}
	var got string
	switch {
	case args[1] == p.Name:
		got = strconv.Itoa(p.call(ts, args[2:]))
	case args[1] == "exec" && len(args) > 2:
		got = "0"
		if err := ts.Exec(args[2], args[3:]...); err != nil {
			got = strings.TrimPrefix(err.Error(), "exit status ")
		}
	default:
		ts.Fatalf("%s", usage)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

func (p Program) call(ts *testscript.TestScript, args []string) int {
	working.Lock()
	defer working.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(before)) }()
	return p.Run(args, ts.Stdout(), ts.Stderr())
}
