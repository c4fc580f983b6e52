package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Machine is where the times of trials were measured.
type Machine struct {
	Procs    int    // GOMAXPROCS
	Parallel int    // greatest number of trials that the process may have run at the same time
	CPU      string // model; empty if it is not known
}

// String returns the text of a header, as in "gomaxprocs=2 parallel=1 cpu=Example CPU 3 GHz".
func (m Machine) String() string {
	cpu := strings.Join(strings.Fields(strings.ReplaceAll(m.CPU, ";", " ")), " ")
	return fmt.Sprintf("gomaxprocs=%d parallel=%d cpu=%s", m.Procs, m.Parallel, cpu)
}

// parseMachine is the reverse of String.
func parseMachine(text string) (Machine, error) {
	var m Machine
	fields := strings.SplitN(text, " ", 3)
	for i, f := range []struct {
		key   string
		value *int
	}{{"gomaxprocs", &m.Procs}, {"parallel", &m.Parallel}} {
		if i >= len(fields) {
			break
		}
		value, _ := strings.CutPrefix(fields[i], f.key+"=")
		*f.value, _ = strconv.Atoi(value)
	}
	if len(fields) == 3 {
		m.CPU, _ = strings.CutPrefix(fields[2], "cpu=")
	}
	if m.Procs < 1 || m.Parallel < 1 || m.String() != text {
		return m, fmt.Errorf("%q is no machine, such as %q", excerpt([]byte(text)),
			Machine{2, 1, "Example CPU"})
	}
	return m, nil
}

// checkMachine returns an error unless the text names one machine, or several of a union.
func checkMachine(text string) error {
	for _, part := range strings.Split(text, several) {
		if _, err := parseMachine(part); err != nil {
			return err
		}
	}
	return nil
}

// JoinMachines returns the Header.Machine of trials that were measured under several headers:
// nothing if one of them does not say where.
func JoinMachines(texts ...string) string {
	var all []string
	for _, text := range texts {
		if text == "" {
			return ""
		}
		for _, part := range strings.Split(text, several) {
			if !slices.Contains(all, part) {
				all = append(all, part)
			}
		}
	}
	return strings.Join(all, several)
}

// several stands between values of a key that differ between the parts of a union.
const several = "; "
