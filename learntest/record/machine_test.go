package record

import (
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

const (
	oneMachine   = "gomaxprocs=2 parallel=1 cpu=Example CPU 3.00GHz"
	otherMachine = "gomaxprocs=2 parallel=1 cpu=Example CPU 4.00GHz"
	unnamed      = "gomaxprocs=2 parallel=1 cpu="
)

// timed returns a set of one learner or two whose times were measured on a machine.
func timed(machine string, learners ...string) set {
	s := sampleSet("vehicle", 2, 3, learners...)
	s.Header.Machine = machine
	for i := range s.Trials {
		s.Trials[i].FitSeconds, s.Trials[i].PredictSec = float64(i+1)/100, float64(i+1)/1000
	}
	return s
}

func TestMachineTexts(t *testing.T) {
	t.Parallel()
	require.Equal(t, oneMachine, Machine{2, 1, "Example  CPU 3.00GHz "}.String())
	require.Equal(t, "gomaxprocs=8 parallel=3 cpu=A B", Machine{8, 3, "A;\nB"}.String())
	for _, m := range []Machine{{2, 1, "Example CPU"}, {16, 4, ""}, {1, 1, "cpu=x parallel=2"}} {
		got, err := parseMachine(m.String())
		require.NoError(t, err)
		require.Equal(t, m, got)
	}
	for _, text := range []string{
		"x", "gomaxprocs=0 parallel=1 cpu=x", "gomaxprocs=2 parallel=0 cpu=x",
		"gomaxprocs=2 parallel=-1 cpu=x", "gomaxprocs=2 parallel=1", "parallel=1 gomaxprocs=2 cpu=x",
		"gomaxprocs=02 parallel=1 cpu=x", "gomaxprocs=2 parallel=1 cpu=x ",
		"gomaxprocs=2  parallel=1 cpu=x", oneMachine + "; ", oneMachine + "; x",
	} {
		require.Error(t, checkMachine(text), text)
		s := timed(text, "a")
		require.ErrorIs(t, Write(new(strings.Builder), s.blockOf(t, oneMachine, text)), ErrInvalid, text)
	}
	require.NoError(t, checkMachine(oneMachine+"; "+otherMachine))
}

// blockOf returns the block under one header, and then with another machine in it.
func (s set) blockOf(t *testing.T, machine, other string) *Block {
	s.Header.Machine = machine
	b := s.block(t)
	b.Header.Machine = other
	return b
}

func TestJoinedMachines(t *testing.T) {
	t.Parallel()
	require.Equal(t, oneMachine, JoinMachines(oneMachine, oneMachine))
	both := oneMachine + "; " + otherMachine
	require.Equal(t, both, JoinMachines(oneMachine, otherMachine, oneMachine))
	require.Equal(t, both, JoinMachines(both, otherMachine))
	require.Empty(t, JoinMachines(oneMachine, ""))
	require.Empty(t, JoinMachines("", oneMachine))
	require.Empty(t, JoinMachines())
}

// The machine is of the times: a file without times has none, and neither changes the checksum.
func TestMachineGoesWithTheTimes(t *testing.T) {
	t.Parallel()
	s, other := timed(oneMachine, "a", "b"), timed(otherMachine, "a", "b")
	none := timed("", "a", "b")
	require.Equal(t, s.block(t).Checksum(), other.block(t).Checksum())
	require.Equal(t, s.block(t).Checksum(), none.block(t).Checksum())
	text := textOf(t, s)
	require.Contains(t, text, "\nMachine: "+oneMachine+"\n")
	require.Equal(t, oneMachine, readText(t, text).Blocks()[0].Header.Machine)
	without := strings.ReplaceAll(text, "Machine: "+oneMachine+"\n", "")
	require.Empty(t, readText(t, without).Blocks()[0].Header.Machine, "older files have no such line")

	b := s.block(t)
	b.Timeless = true
	timeless := text2(t, b)
	require.NotContains(t, timeless, "Machine")
	edited := strings.Replace(timeless, "Data: vehicle", "Machine: "+oneMachine+"\nData: vehicle", 1)
	require.Empty(t, readText(t, edited).Blocks()[0].Header.Machine, "of no times")
}

func text2(t *testing.T, b *Block) string {
	var w strings.Builder
	require.NoError(t, Write(&w, b))
	return w.String()
}

func TestUnionOfMachines(t *testing.T) {
	t.Parallel()
	part := func(machine string, from, to int) *Block {
		s := timed(machine, "a")
		s.Trials = s.Trials[from:to]
		return s.block(t)
	}
	for _, c := range []struct {
		name   string
		blocks []*Block
		want   string
	}{
		{"one machine", []*Block{part(oneMachine, 0, 3), part(oneMachine, 3, 6)}, oneMachine},
		{
			"two machines",
			[]*Block{part(oneMachine, 0, 3), part(otherMachine, 3, 6)},
			oneMachine + "; " + otherMachine,
		},
		{"one that does not say", []*Block{part(oneMachine, 0, 3), part("", 3, 6)}, ""},
		{"none says", []*Block{part("", 0, 3), part("", 3, 6)}, ""},
		{"a head without trials", []*Block{part("", 0, 0), part(oneMachine, 0, 6)}, oneMachine},
	} {
		u, err := Union(c.blocks...)
		require.NoError(t, err)
		require.Equal(t, c.want, u.Header.Machine, c.name)
		_, err = PairTimes(NewFile(c.blocks...).Of("vehicle", "a"),
			NewFile(c.blocks...).Of("vehicle", "a"), FitTime)
		if c.want == oneMachine {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorIs(t, err, ErrTimes, c.name)
		}
	}
}

func TestPairTimes(t *testing.T) {
	t.Parallel()
	f := fileOf(t, timed(oneMachine, "a", "b"))
	a, b := f.Of("vehicle", "a"), f.Of("vehicle", "b")
	p, err := PairTimes(a, b, FitTime)
	require.NoError(t, err)
	require.Equal(t, []float64{0.01, 0.03, 0.05, 0.07, 0.09, 0.11}, p.A)
	require.Equal(t, []float64{0.02, 0.04, 0.06, 0.08, 0.10, 0.12}, p.B)
	require.Equal(t, []int{2, 3, 0}, []int{p.Runs, p.Folds, p.More})
	require.Len(t, p.TrainN, 6)
	require.Equal(t, unit.Lower, p.Unit.Better)
	require.Equal(t, FitTime, p.Unit.Name)
	p, err = PairTimes(a, b, PredictTime)
	require.NoError(t, err)
	require.Equal(t, []float64{0.001, 0.003, 0.005, 0.007, 0.009, 0.011}, p.A)

	// Runs in another order, and further runs, which a claim does not count.
	s := timed(oneMachine, "a", "b")
	for _, tr := range s.Trials[:6] {
		tr.Run = 3
		s.Trials = append(s.Trials, tr)
	}
	s.Trials = append(s.Trials[6:], s.Trials[:6]...)
	f2 := fileOf(t, s)
	p, err = PairTimes(f2.Of("vehicle", "a"), f2.Of("vehicle", "b"), FitTime)
	require.NoError(t, err)
	require.Equal(t, []float64{0.01, 0.03, 0.05, 0.07, 0.09, 0.11}, p.A)
	require.Equal(t, 0, p.More)

	first := a
	first.First = 1
	firstB := b
	firstB.First = 1
	p, err = PairTimes(first, firstB, FitTime)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{p.Runs, p.Planned})
	require.Equal(t, []float64{0.01, 0.03, 0.05}, p.A)
}

// Times are no evidence if they were measured elsewhere, at the same time, or nobody knows where.
func TestTimesThatAreNoEvidence(t *testing.T) {
	t.Parallel()
	of := func(s set, learner string) Selection {
		return Selection{File: fileOf(t, s), Data: "vehicle", Learner: learner}
	}
	timeless := timed("", "a")
	timeless.Timeless = true
	for i := range timeless.Trials {
		timeless.Trials[i].FitSeconds, timeless.Trials[i].PredictSec = 0, 0
	}
	named := timed(oneMachine, "a")
	named.Units[0].Name = FitTime
	incomplete := timed(oneMachine, "a")
	incomplete.Trials = incomplete.Trials[1:]
	failed := timed(oneMachine, "a")
	failed.fail(2, "boom")
	twice := Selection{File: NewFile(timed(oneMachine, "a").block(t),
		otherTest(timed(oneMachine, "a")).block(t)), Data: "vehicle", Learner: "a"}
	for _, c := range []struct {
		name                string
		candidate, baseline Selection
		time                string
		kind                error
		want                string
	}{
		{
			"another machine", of(timed(oneMachine, "a"), "a"), of(timed(otherMachine, "a"), "a"), FitTime,
			ErrTimes, "measure both on one machine",
		},
		{
			"another number of processors", of(timed(oneMachine, "a"), "a"),
			of(timed("gomaxprocs=4 parallel=1 cpu=Example CPU 3.00GHz", "a"), "a"), FitTime, ErrTimes,
			"gomaxprocs=4",
		},
		{
			"parallel on one side", of(timed(oneMachine, "a"), "a"),
			of(timed("gomaxprocs=2 parallel=2 cpu=Example CPU 3.00GHz", "a"), "a"), FitTime, ErrTimes,
			"up to 2 trials ran at the same time",
		},
		{
			"parallel on both sides", of(timed("gomaxprocs=2 parallel=2 cpu=x", "a"), "a"),
			of(timed("gomaxprocs=2 parallel=2 cpu=x", "a"), "a"), FitTime, ErrTimes,
			"set Config.Parallel to 1",
		},
		{
			"processors without a name", of(timed(unnamed, "a"), "a"), of(timed(unnamed, "a"), "a"), FitTime,
			ErrTimes, "do not name the model of their processor",
		},
		{
			"no machine of the candidate", of(timed("", "a"), "a"), of(timed(oneMachine, "a"), "a"), FitTime,
			ErrTimes, "candidate a: nobody knows on which machine",
		},
		{
			"no machine of the baseline", of(timed(oneMachine, "a"), "a"), of(timed("", "a"), "a"), FitTime,
			ErrTimes, "baseline a: nobody knows on which machine",
		},
		{
			"no times", of(timed(oneMachine, "a"), "a"), of(timeless, "a"), FitTime, ErrTimes,
			"it has no times: stored baselines and trials from a cache have none",
		},
		{"several machines", of(timed(oneMachine+"; "+otherMachine, "a"), "a"), of(timed(oneMachine, "a"),
			"a"), FitTime, ErrTimes, "in several ways"},
		{
			"a metric of that name", of(named, "a"), of(timed(oneMachine, "a"), "a"), FitTime, ErrTimes,
			"also the name of a metric",
		},
		{"two tests", twice, of(timed(oneMachine, "a"), "a"), FitTime, ErrTimes, "by 2 tests"},
		{
			"no time", of(timed(oneMachine, "a"), "a"), of(timed(oneMachine, "a"), "a"), "usd", ErrNotFound,
			"usd is no time: there are fit-sec and predict-sec",
		},
		{"missing", of(incomplete, "a"), of(timed(oneMachine, "a"), "a"), FitTime, ErrIncomplete, "run"},
		{"failed", of(failed, "a"), of(timed(oneMachine, "a"), "a"), FitTime, ErrFailedTrial, "boom"},
		{
			"no such learner", of(timed(oneMachine, "a"), "b"), of(timed(oneMachine, "a"), "a"), FitTime,
			ErrNotFound, "b",
		},
		{
			"no such data",
			Selection{File: fileOf(t, timed(oneMachine, "a")), Data: "x", Learner: "a"},
			of(timed(oneMachine, "a"), "a"), FitTime, ErrNotFound, "x",
		},
		{
			"other data", of(timed(oneMachine, "a"), "a"),
			Selection{File: fileOf(t, otherData(timed(oneMachine, "a"))), Data: "vehicle", Learner: "a"},
			FitTime, ErrMismatch, "data-sha256",
		},
	} {
		p, err := PairTimes(c.candidate, c.baseline, c.time)
		require.ErrorIs(t, err, c.kind, c.name)
		require.ErrorContains(t, err, c.want, c.name)
		require.Nil(t, p, c.name)
	}
	_, err := PairTimes(Selection{Data: "vehicle", Learner: "a"}, of(timed(oneMachine, "a"), "a"),
		FitTime)
	require.ErrorIs(t, err, ErrNotFound)
	// One file has one process that measured it, even where nobody knows the model of its
	// processor.
	f := fileOf(t, timed(unnamed, "a", "b"))
	_, err = PairTimes(f.Of("vehicle", "a"), f.Of("vehicle", "b"), FitTime)
	require.NoError(t, err)
	_, err = PairTimes(of(timed(oneMachine, "a"), "a"), of(timed(oneMachine, "a"), "a"), FitTime)
	require.NoError(t, err)
}

func otherTest(s set) set { s.Header.Test = "TestOther"; return s }

func otherData(s set) set { s.Header.DataDigest = digest("other"); return s }
