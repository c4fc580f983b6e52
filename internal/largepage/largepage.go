// Package largepage makes large slices whose first use is not slow.
//
// The system provides each page of memory when a program first touches it, which takes longer than
// writing the page. Linux provides pages of two megabytes to programs that ask.
package largepage

import "unsafe"

// least is the number of bytes of a slice from which on large pages are asked for.
const least = 1 << 20

// Make returns a slice of zeros as make does, in large pages if it is large and the system has them.
func Make[T any](length, capacity int) []T {
	s := make([]T, length, capacity)
	if size := capacity * int(unsafe.Sizeof(*new(T))); size >= least {
		advise(uintptr(unsafe.Pointer(unsafe.SliceData(s))), uintptr(size))
	}
	return s
}
