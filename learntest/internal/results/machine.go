package results

import (
	"runtime"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/learntest/record"
)

// A measurement is a time in which trials are run.
type measurement struct{ most int } // greatest number of trials at the same time

// Measure says that up to so many trials are run at the same time until end is called. end returns
// the machine, with the greatest number of trials that this process may have run at the same time:
// other tests may have run some, too.
func (g *Registry) Measure(parallel int) (end func() string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := new(measurement)
	if g.measurements == nil {
		g.measurements = make(map[*measurement]bool)
	}
	g.measurements[m] = true
	g.running += parallel
	for other := range g.measurements {
		other.most = max(other.most, g.running)
	}
	return func() string {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.running -= parallel
		delete(g.measurements, m)
		return record.Machine{
			Procs: runtime.GOMAXPROCS(0), Parallel: m.most,
			CPU: buildinfo.CPU(),
		}.String()
	}
}

// measuredOn sets where the times of the trials were measured, of which some are added that were
// measured elsewhere.
func measuredOn(b *record.Block, machine string) {
	if b.Len() > 0 {
		machine = record.JoinMachines(b.Header.Machine, machine)
	}
	b.Header.Machine = machine
}
