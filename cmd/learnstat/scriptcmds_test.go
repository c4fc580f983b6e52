package main

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"

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

// without writes a file to standard output, but for the lines that match a regular expression:
//
//	without REGEXP FILE
func without(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: without REGEXP FILE")
	}
	re := regexp.MustCompile(args[0])
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if !re.MatchString(line) {
			_, err := io.WriteString(ts.Stdout(), line)
			ts.Check(err)
		}
	}
}

// sed writes a file to standard output after one or more substitutions, in the syntax of the program
// sed:
//
//	sed 's/REGEXP/TEXT/' FILE
//	sed 's/REGEXP/TEXT/g; s/REGEXP/TEXT/' FILE
func sed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sed SUBSTITUTIONS FILE")
	}
	type substitution struct {
		re   *regexp.Regexp
		text string
		all  bool
	}
	const slash = "\x00"
	var list []substitution
	for s := range strings.SplitSeq(args[0], "; ") {
		p := strings.Split(strings.ReplaceAll(s, `\/`, slash), "/")
		if len(p) != 4 || p[0] != "s" || p[3] != "" && p[3] != "g" {
			ts.Fatalf("sed: %q is no substitution", s)
		}
		text := strings.NewReplacer(slash, "/", `\n`, "\n").Replace(p[2])
		re := regexp.MustCompile(strings.ReplaceAll(p[1], slash, "/"))
		list = append(list, substitution{re, text, p[3] == "g"})
	}
	matches := 0
	var out strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		line, end := strings.CutSuffix(line, "\n")
		for _, s := range list {
			from := 0
			for at := s.re.FindStringIndex(line); at != nil; at = s.re.FindStringIndex(line[from:]) {
				matches++
				line = line[:from+at[0]] + s.text + line[from+at[1]:]
				if from += at[0] + len(s.text); !s.all {
					break
				}
			}
		}
		out.WriteString(line)
		if end {
			out.WriteByte('\n')
		}
	}
	if matches == 0 {
		ts.Fatalf("sed: nothing in %s matches %s", args[1], args[0])
	}
	_, err := io.WriteString(ts.Stdout(), out.String())
	ts.Check(err)
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
