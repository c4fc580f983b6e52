package buildinfo

import "syscall"

func cpu() string {
	model, err := syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return model
}
