package buildinfo

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCPU(t *testing.T) {
	t.Parallel()
	const arm = "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n\nprocessor\t: 1\nCPU part\t: 0xd0d\n"
	for text, want := range map[string]string{
		"processor\t: 0\nmodel\t\t: 167\nmodel name\t: Example CPU 3\nflags\t: a b\n\nprocessor\t: 1\nmodel name\t: other\n": "Example CPU 3",
		arm:                        "implementer=0x41 architecture=8 variant=0x3 part=0xd0c",
		"":                         "",
		"model name\t:\n":          "",
		"processor\t: 0\nx\t: y\n": "",
	} {
		require.Equal(t, want, cpuOf(text), text)
	}
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil && strings.Contains(string(info),
		"model name") {
		require.NotEmpty(t, CPU())
		require.Contains(t, string(info), CPU())
	}
}
