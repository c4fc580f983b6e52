package results

import (
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
)

// Stop records that the first runs of learners have settled a claim about results of an identity.
// These are stored if no other claim takes more of them.
func (in *Instance) Stop(id record.Identity, stop record.Stop, learners ...string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	at := slices.IndexFunc(in.findings, func(f *finding) bool { return f.id == id })
	if at < 0 { // nothing was trained
		return
	}
	f := in.findings[at]
	if f.stops == nil {
		f.stops = make(map[string]record.Stop)
	}
	for _, name := range learners {
		was, ok := f.stops[name]
		is := stop
		if ok {
			if was.Runs >= is.Runs {
				is.Runs, is.Claim = was.Runs, was.Claim
			}
			is.Error = min(is.Error, was.Error)
		}
		f.stops[name] = is
	}
}

// StoreStops stores each finding whose training was stopped anew, with the runs that have settled
// its claims. Until then the files have incomplete results, which nobody takes for settled ones. A
// test calls it when it ends.
func (in *Instance) StoreStops() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, f := range in.findings {
		if f.stops == nil || len(f.stored) == 0 {
			continue
		}
		b, err := f.stopped()
		if err != nil {
			return err
		}
		if b.Header.Stopped == "" {
			continue
		}
		for s := range f.stored {
			if _, err := s.Put(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// stopped returns the block to store of a finding whose training was stopped: of each learner all
// runs, or the runs that have settled its claims. A learner without a settled claim keeps its runs,
// and is incomplete.
func (f *finding) stopped() (*record.Block, error) {
	u, err := record.Union(f.parts...)
	if err != nil {
		return nil, err
	}
	last := make(map[string]int) // run of each learner that was stopped
	for name, stop := range f.stops {
		if done := CompleteRuns(u, name); done >= stop.Runs && done < u.Runs() {
			last[name] = stop.Runs
		}
	}
	b, err := excerpt(u, u.Header, u.Learners, examplesOf(u), func(t record.Trial) bool {
		runs, ok := last[t.Learner]
		return !ok || t.Run <= runs
	})
	if err != nil {
		return nil, err
	}
	for _, name := range b.Learners {
		if _, ok := last[name]; ok {
			b.Header.Of(name).SetStop(f.stops[name])
		}
	}
	return b, nil
}
