package record

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Trials that were read have a position; trials added to them have none.
func TestTrialsAddedToAStoredBlockHaveNoPosition(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(trials []Trial){
		"canonical": func([]Trial) {},
		"shuffled":  func(trials []Trial) { slices.Reverse(trials) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sampleSet("vehicle", 2, 2, "a", "b")
			change(s.Trials)
			head, err := NewBlock(s.Header, s.Learners, s.Units, s.Examples)
			require.NoError(t, err)
			lines, _ := appendHead(nil, head, false)
			for i, tr := range s.Trials[:5] {
				require.NoError(t, head.Add(tr))
				at, _ := head.table.find(head.index[tr.Learner], tr.Run, tr.Fold)
				w := newTrialWriter(head)
				lines = w.appendRest(w.appendTrial(lines, at), at)
				require.Equal(t, i+1, head.Len())
			}
			b := readText(t, string(lines)).Blocks()[0].Clone()
			require.Equal(t, Pos{"f.txt", 1}, b.Pos())
			more := slices.Concat(s.Trials[5:], sampleRun(&s, 4, 2), sampleRun(&s, 3, 2))
			for _, tr := range more {
				require.NoError(t, b.Add(tr))
			}
			require.ErrorIs(t, b.Add(more[0]), ErrDouble)
			n := 0
			for tr := range b.Trials() {
				if i := slices.IndexFunc(s.Trials[:5],
					func(o Trial) bool { return o.Cell() == tr.Cell() }); i >= 0 {
					require.Equal(t, Pos{"f.txt", lineOf(t, string(lines), "BenchmarkCV") + i}, tr.Pos)
				} else {
					require.Zero(t, tr.Pos, tr.Cell())
				}
				n++
			}
			require.Equal(t, 5+len(more), n)
		})
	}
}

// The first trial that is added to a head without trials is at the place where the
// first that is read would be.
func TestTrialsAddedToAStoredHeadHaveNoPosition(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "a", "b")
	trials := s.Trials
	s.Trials = nil
	b := readText(t, textOf(t, s)).Blocks()[0]
	for i, tr := range trials {
		require.NoError(t, b.Add(tr))
		require.Equal(t, trials[:i+1], slices.Collect(b.Trials()))
	}
}
