package largepage

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// flagsOf returns the flags that Linux shows for the memory at an address, "" if it shows none.
func flagsOf(t *testing.T, address uintptr) string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	require.NoError(t, err)
	within := false
	for line := range strings.Lines(string(text)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			within = from <= address && address < to
		} else if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && within {
			return flags
		}
	}
	return ""
}

func TestLargeSlicesAreInLargePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("the system has no large pages")
	}
	small := make([]byte, 100)
	if flagsOf(t, uintptr(unsafe.Pointer(&small[0]))) == "" {
		t.Skip("Linux shows no flags of memory")
	}
	for _, n := range []int{least / 8, 3*least/8 + 1} {
		s := Make[float64](n/2, n)
		require.Equal(t, make([]float64, n), s[:n])
		for _, i := range []int{0, n / 2, n - 1} {
			require.Contains(t, flagsOf(t, uintptr(unsafe.Pointer(&s[:n][i]))), " hg", "%d of %d", i, n)
		}
	}
}
