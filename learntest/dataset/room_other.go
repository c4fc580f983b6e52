//go:build !linux

package dataset

import "unsafe"

// inLargePages does nothing where large pages cannot be asked for.
func inLargePages(unsafe.Pointer, int) {}
