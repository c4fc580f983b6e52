package dataset

import (
	"os"
	"syscall"
	"unsafe"
)

// inLargePages asks for large pages for so many bytes of memory, which may come or not. Columns lie
// one after another, in pages of the allocator's: only if all of them are asked for, no small pages
// are left between.
func inLargePages(memory unsafe.Pointer, size int) {
	const ofAllocator = 8 << 10
	page := uintptr(max(ofAllocator, os.Getpagesize()))
	from := uintptr(memory) &^ (page - 1)
	to := (uintptr(memory) + uintptr(size) + page - 1) &^ (page - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
