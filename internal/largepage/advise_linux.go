package largepage

import (
	"os"
	"syscall"
)

// advise asks for large pages, which may come or not. Slices that are made one after another lie so in
// memory, in pages of the allocator's: only if all of these are asked for, no small pages are left
// between.
func advise(address, size uintptr) {
	const ofAllocator = 8 << 10
	page := uintptr(max(ofAllocator, os.Getpagesize()))
	from, to := address&^(page-1), (address+size+page-1)&^(page-1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
