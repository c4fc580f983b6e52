package learntest

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
)

// A caller is the place of a call of Compare, as the stack has it.
type caller struct {
	site string // file and line, and the test's own if the test called a helper
	pkg  string // import path of the package whose tests are running
}

// findCaller looks at the stack. In a test binary, go test has noted the package. In other
// builds, the function that the testing package runs tells it, however deep in helpers the call
// of Compare is.
func findCaller() caller {
	pc := make([]uintptr, 256)
	var frames []runtime.Frame
	for next, more := runtime.CallersFrames(pc[:runtime.Callers(2, pc)]), true; more; {
		var f runtime.Frame
		f, more = next.Next()
		frames = append(frames, f)
	}
	c := callerOf(frames)
	if info, ok := debug.ReadBuildInfo(); ok {
		if path, ok := strings.CutSuffix(info.Path, ".test"); ok {
			c.pkg = path
		}
	}
	return c
}

// callerOf finds the caller in a stack, innermost first.
func callerOf(frames []runtime.Frame) caller {
	self := reflect.TypeFor[Config]().PkgPath() + "."
	var inner, outer *runtime.Frame
	for i := range frames {
		f := &frames[i]
		switch pkg := functionPackage(f.Function); {
		case pkg == "testing" || pkg == "runtime" || pkg == "reflect" || f.Function == "":
		case inner == nil && strings.HasPrefix(f.Function, self) &&
			!strings.HasSuffix(f.File, "_test.go"):
		default:
			if inner == nil {
				inner = f
			}
			outer = f
		}
	}
	if inner == nil {
		return caller{}
	}
	c := caller{site: place(inner), pkg: functionPackage(outer.Function)}
	if strings.HasSuffix(outer.File, "_test.go") {
		c.pkg = strings.TrimSuffix(c.pkg, "_test")
	}
	if inner != outer {
		c.site += ", called from " + place(outer)
	}
	return c
}

func place(f *runtime.Frame) string { return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line) }

// functionPackage returns the import path in the name of a function, such as
// example.com/model_test.TestForest.func1. The linker writes a dot in the last element of
// the path as %2e.
func functionPackage(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	last, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + strings.ReplaceAll(last, "%2e", ".")
}
