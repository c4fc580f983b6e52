package study

import (
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Members of families deserve their names, and each has a name of its own: a store would take
// two of one name and source for one.
func TestFamilies(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, f := range families() {
		for _, shift := range searchShifts {
			u := f.null(shift)
			m := u.source.(mixture)
			require.Equal(t, shift, m.shift)
			require.True(t, u.quick)
			require.Contains(t, u.candidate.Name, ", first half of the attributes")
			require.Contains(t, u.baseline.Name, ", second half of the attributes")
			require.Equal(t, m.balanced, strings.Contains(u.name, ", balanced"))
			require.Equal(t, m.positive == 0.1, strings.Contains(u.name, ", 10% positives"))
			require.Equal(t, m.positive == 0.5 && !m.balanced, strings.Contains(u.name, ", coins"))
			require.False(t, names[u.String()], u.String())
			names[u.String()] = true
		}
		require.NotContains(t, f.String(), "shift")
	}
}

// The worst of each learner are those with the most errors, by either.
func TestWorstOfFamilies(t *testing.T) {
	t.Parallel()
	row := func(alone, both int) gateRow {
		r := gateRow{of: new(null)}
		r.rejected[defaultGate] = lab.Proportion{K: alone, N: 100}
		r.rejected[bothShort] = lab.Proportion{K: both, N: 100}
		return r
	}
	sought := []soughtRow{
		{&family{learner: "a"}, []gateRow{row(3, 0), row(9, 1)}},
		{&family{learner: "b"}, []gateRow{row(0, 0), row(0, 0)}},
		{&family{learner: "a"}, []gateRow{row(8, 5), row(9, 2)}},
	}
	worst := worstOf(sought)
	require.Equal(t, []worstMember{
		{"a", defaultGate, &sought[0].members[1]},
		{"b", defaultGate, &sought[1].members[0]},
		{"a", bothShort, &sought[2].members[0]},
		{"b", bothShort, &sought[1].members[0]},
	}, worst)
	for i := range worst {
		require.Same(t, map[int]*gateRow{
			0: &sought[0].members[1], 1: &sought[1].members[0],
			2: &sought[2].members[0], 3: &sought[1].members[0],
		}[i], worst[i].row)
	}
}

// The small search finds trees on balanced classes wrong more often than naive Bayes; the second
// measurement is on other data sets.
func TestGateShiftStudy(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	s, err := Lookup("gate-shift")
	require.NoError(t, err)
	r, err := s.Run(t.Context(), Config{Sets: 1, Parallel: 2})
	require.NoError(t, err)
	require.Len(t, r.Tables, 2)
	assert.Len(t, r.Tables[0].Rows, len(families()))
	assert.Len(t, r.Tables[1].Rows, 8)
	for _, row := range r.Tables[0].Rows {
		require.Len(t, row, 1+len(searchShifts))
	}
}
