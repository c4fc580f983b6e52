// Package gotest tells a test what the go command does with it.
package gotest

import "flag"

// MayBeCached reports whether go test may show the outcome of this run again
// instead of running the tests: just then it has them log what they look at.
func MayBeCached() bool {
	f := flag.Lookup("test.testlogfile")
	return f != nil && f.Value.String() != ""
}

// Short reports whether tests are to be short: testing.Short without package testing.
func Short() bool {
	f := flag.Lookup("test.short")
	return f != nil && f.Value.String() == "true"
}
