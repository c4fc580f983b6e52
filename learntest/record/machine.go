package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
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
		return m, fmt.Errorf("%q is no machine, such as %q", excerpt([]byte(text)), Machine{2, 1, "Example CPU"})
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

// JoinMachines returns the Header.Machine of trials that were measured under several headers: nothing if one of them
// does not say where.
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

// machinesOf returns the Header.Machine of a union: heads without trials do not count.
func machinesOf(parts []*Block) string {
	var texts []string
	for _, b := range parts {
		if b.table.trials > 0 {
			texts = append(texts, b.Header.Machine)
		}
	}
	return JoinMachines(texts...)
}

// The names of times in claims.
const (
	FitTime     = "fit-sec"
	PredictTime = "predict-sec"
)

// IsTime reports whether a time of trials has the name, and no metric.
func IsTime(name string) bool { return name == FitTime || name == PredictTime }

// PairTimes pairs the seconds that two learners took in each cell of the protocol's own runs: for training (FitTime), or
// for the predictions of all test examples (PredictTime). It returns the errors of [Pair], and [ErrTimes], which says why,
// unless all times of both sides were measured serially on one known machine.
func PairTimes(candidate, baseline Selection, name string) (*Pairs, error) {
	if !IsTime(name) {
		return nil, fmt.Errorf("%w: %s is no time: there are %s and %s", ErrNotFound, name, FitTime, PredictTime)
	}
	var sides [2]*scores
	for i, sel := range []Selection{candidate, baseline} {
		role := [...]string{"candidate", "baseline"}[i]
		sc, err := sel.times(role, name)
		if err != nil {
			return nil, err
		}
		sides[i] = sc
	}
	a, b := sides[0], sides[1]
	p, err := pairScores(candidate, baseline, a, b)
	if err != nil {
		return nil, err
	}
	if a.header != b.header {
		x, y := a.header.Machine, b.header.Machine
		if m, _ := parseMachine(x); x == y && m.CPU == "" {
			return nil, fmt.Errorf("%w: %s and %s do not name the model of their processor, so that nothing shows that it is one machine: measure both learners in one run", ErrTimes, a.where, b.where)
		}
		if x != y {
			return nil, fmt.Errorf("%w: %s was measured on %q and %s on %q: measure both on one machine", ErrTimes, a.where, x, b.where, y)
		}
	}
	return p, nil
}

// times returns the times of the selection as scores.
func (sel Selection) times(role, name string) (*scores, error) {
	var metrics []unit.Unit
	if sel.File != nil {
		metrics = sel.File.Metrics(sel.Data, sel.Learner)
	}
	if slices.ContainsFunc(metrics, func(u unit.Unit) bool { return u.Name == name }) {
		return nil, fmt.Errorf("%w: %s is also the name of a metric of the %s %s: give that another name", ErrTimes, name, role, sel.Learner)
	}
	if len(metrics) == 0 {
		return sel.scores(role, name) // which says that nothing is there
	}
	experiments, err := sel.experiments(role, metrics[0].Name)
	if err != nil {
		return nil, err
	}
	if len(experiments) > 1 {
		return nil, fmt.Errorf("%w: the %s %s on %s was measured by %d tests: choose one", ErrTimes, role, sel.Learner, sel.Data, len(experiments))
	}
	if err := experiments[0].err; err != nil {
		return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, err)
	}
	sc, err := sel.scores(role, metrics[0].Name) // checks the cells
	if err != nil {
		return nil, err
	}
	b := experiments[0].union
	if err := measured(b); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrTimes, sc.where, err)
	}
	columns := b.table.fit
	if name == PredictTime {
		columns = b.table.predict
	}
	sc.unit = unit.Unit{Name: name, Better: unit.Lower, Max: math.Inf(1)}
	sc.values, sc.more, sc.moreErr = ofRuns(&b.table, columns[b.index[sel.Learner]], sc.runs), 0, nil
	n := sc.runs * sc.folds
	sc.trainN, sc.testN = sc.trainN[:n], sc.testN[:n]
	return sc, nil
}

// measured returns an error unless all times were measured serially on one machine.
func measured(b *Block) error {
	switch h := &b.Header; {
	case b.Timeless:
		return fmt.Errorf("it has no times: stored baselines and trials from a cache have none; measure both learners in one run")
	case h.Machine == "":
		return fmt.Errorf("nobody knows on which machine its times were measured: results of other versions and resumed trials do not say; run the trials again")
	case strings.Contains(h.Machine, several):
		return fmt.Errorf("its times were measured in several ways, %s: run all trials at once, on one machine", h.Machine)
	default:
		m, err := parseMachine(h.Machine)
		if err == nil && m.Parallel != 1 {
			err = fmt.Errorf("up to %d trials ran at the same time, which slow each other down: set Config.Parallel to 1 (learnbench run -parallel 1), and let no other comparison run beside", m.Parallel)
		}
		return err
	}
}
