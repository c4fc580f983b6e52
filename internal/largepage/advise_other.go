//go:build !linux

package largepage

// advise does nothing where large pages cannot be asked for.
func advise(_, _ uintptr) {}
