package buildinfo

import (
	"strings"
	"sync"
)

// CPU returns the model of the processor, or "" where the system does not say.
var CPU = sync.OnceValue(cpu)

// cpuOf returns the model of the first processor in the text of Linux's /proc/cpuinfo. ARM names
// numbers only.
func cpuOf(info string) string {
	var numbers []string
	for line := range strings.Lines(info) {
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !ok && numbers != nil:
			return strings.Join(numbers, " ")
		case value == "":
		case key == "model name":
			return value
		case strings.HasPrefix(key, "CPU "):
			numbers = append(numbers, strings.TrimPrefix(key, "CPU ")+"="+value)
		}
	}
	return strings.Join(numbers, " ")
}
