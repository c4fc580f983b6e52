package dataset

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// flagsOf returns what the system has been told about the memory at an address.
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

func TestLargeColumnsAreInLargePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("the system has no large pages")
	}
	if flagsOf(t, uintptr(unsafe.Pointer(unsafe.StringData(t.Name())))) == "" {
		t.Skip("the system does not tell flags of memory")
	}
	var s []float64
	for len(s) < 20*fewRows {
		s = append(s, float64(len(s)))
	}
	s = s[:len(s):len(s)]
	grown := room(s, &budget{size: 1 << 30, taken: 1 << 19})
	require.Equal(t, s, grown)
	require.GreaterOrEqual(t, cap(grown)*8, largeColumn)
	for _, i := range []int{0, cap(grown) / 2, cap(grown) - 1} {
		require.Contains(t, flagsOf(t, uintptr(unsafe.Pointer(&grown[:cap(grown)][i]))), " hg")
	}
}
