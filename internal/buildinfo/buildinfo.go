// Package buildinfo says which version of this module a program has.
package buildinfo

import (
	"runtime"
	"runtime/debug"
)

const path = "github.com/learnbench/learnbench"

// Module returns the version of this module that the program was built with, such as
// v0.1.0, and "" if that is not known, as in tests of the module itself.
func Module() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return of(info)
}

func of(info *debug.BuildInfo) string {
	m := &info.Main
	if m.Path != path {
		m = nil
		for _, dep := range info.Deps {
			if dep.Path == path {
				m = dep
			}
		}
	}
	if m == nil {
		return ""
	}
	if m.Replace != nil { // by another version, or by a directory, which has none
		m = m.Replace
	}
	if m.Version == "(devel)" {
		return ""
	}
	return m.Version
}

// Toolchain returns the environment that results depend on beside the code under test: the
// version of Go, the operating system and the architecture, and the version of this module if
// it is known.
func Toolchain() string {
	s := platform()
	if v := Module(); v != "" {
		s += " learnbench " + v
	}
	return s
}

// Line returns what a command says of its version.
func Line(command string) string {
	v := Module()
	if v == "" {
		v = "(devel)"
	}
	return command + " " + v + " " + platform() + "\n"
}

func platform() string { return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH }
