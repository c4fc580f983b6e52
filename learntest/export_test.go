package learntest

import (
	"path/filepath"
	"testing"
)

// Tests that import package assert, which imports this one, use these names.
var (
	NewRecorder = newRecorder
	InShort     = inShort
	Update      = update
	Rewrite     = rewrite
	Numbers     = numbers
	Constant    = constant
	WrongBelow  = wrongBelow
	Guesser     = guesser
)

type Recorder = recorder

func (r *recorder) End()               { r.end() }
func (r *recorder) Failures() []string { return r.errors }
func (r *recorder) Logged() []string   { return r.logs }
func (r *recorder) Ended() string      { return r.fatal }

// LinkedOnce gives the tests of learntest_test the variables of linkedOnce.
func LinkedOnce() ([]string, error) { return linkedOnce() }

// Commands returns the directory of the commands that built builds.
func Commands(t *testing.T) string { return filepath.Dir(built(t).learnbench) }
