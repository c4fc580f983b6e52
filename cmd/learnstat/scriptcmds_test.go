package main

import (
	"bytes"
	"io"
	"os"

	"github.com/learnbench/learnbench/internal/scripttest"
	"github.com/rogpeppe/go-internal/testscript"
)

// The commands below are what scripts would run tools of Unix for. A process takes longer than all
// that it would do.

// cat writes files to standard output:
//
//	cat FILE...
func cat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: cat FILE...")
	}
	for _, name := range args {
		_, err := io.WriteString(ts.Stdout(), ts.ReadFile(name))
		ts.Check(err)
	}
}

// feed is call with a file as standard input:
//
//	feed FILE learnstat ARGS
func feed(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: feed FILE learnstat ARGS")
	}
	input, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	scripttest.Program{
		Name: "learnstat",
		Run: func(args []string, stdout, stderr io.Writer) int {
			return checkedRun(args, bytes.NewReader(input), stdout, stderr)
		},
	}.Call(ts, neg, args[1:])
}
