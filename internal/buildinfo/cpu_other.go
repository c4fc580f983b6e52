//go:build !darwin

package buildinfo

import (
	"os"
	"runtime"
)

func cpu() string {
	if runtime.GOOS == "windows" {
		return os.Getenv("PROCESSOR_IDENTIFIER")
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	return cpuOf(string(info))
}
