package results

import (
	"runtime"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// A machine says how many trials may have run at the same time, of other tests of the process, too.
func TestMachinesCountTrialsOfOtherTests(t *testing.T) {
	t.Parallel()
	known := new(Registry)
	parallel := func(text string) string { return strings.Fields(text)[1] }

	alone := known.Measure(1)()
	require.Equal(t, record.Machine{
		Procs: runtime.GOMAXPROCS(0), Parallel: 1,
		CPU: buildinfo.CPU(),
	}.String(), alone)

	first := known.Measure(1)
	second := known.Measure(2)
	third := known.Measure(4)
	require.Equal(t, "parallel=7", parallel(second()))
	require.Equal(t, "parallel=7", parallel(third()))
	require.Equal(t, "parallel=7", parallel(first()), "which went on all the time")
	require.Equal(t, alone, known.Measure(1)(), "after all others")
}

// Trials that were measured elsewhere are in the head of the block, also where nobody knows where
// that was.
func TestMachinesOfTrialsThatAreTakenOver(t *testing.T) {
	t.Parallel()
	const here, there = "gomaxprocs=2 parallel=1 cpu=A", "gomaxprocs=2 parallel=1 cpu=B"
	measured := func(machine string) *Set {
		s := begin(t, new(Registry), Settings{}).Sets()[0]
		train(t, s)
		s.change(func(b *record.Block) { b.Header.Machine = machine })
		return s
	}
	empty := func() *Set { return begin(t, new(Registry), Settings{}).Sets()[0] }
	for _, c := range []struct{ from, want string }{
		{there, here + "; " + there},
		{here, here},
		{"", ""},
	} {
		s, from := empty(), measured(c.from)
		first, err := excerpt(from.block, from.block.Header, from.settings.Learners, from.Data.Examples.N,
			isFirstRun)
		require.NoError(t, err)
		n, err := s.adopt(first, nil)
		require.NoError(t, err)
		require.Positive(t, n)
		require.Equal(t, c.from, s.block.Header.Machine)

		trainOn(t, s, here) // the other run
		if c.from == there {
			require.Equal(t, there+"; "+here, s.block.Header.Machine)
		} else {
			require.Equal(t, c.want, s.block.Header.Machine)
		}

		all := measured(here)
		n, err = all.adopt(first, nil)
		require.NoError(t, err)
		require.Zero(t, n)
		require.Equal(t, here, all.block.Header.Machine, "nothing was taken")
	}
}
