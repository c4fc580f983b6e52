package storage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// A journal says which trials were running when it was cut off, and the facts about the learners.
func TestRemainsOfAJournal(t *testing.T) {
	t.Parallel()
	const odd = "a b/run=2=%"
	a, b := sampleSet("vehicle", 2, 2, "c45", odd), sampleSet("größe 2", 1, 2, odd)
	a.Header.Determinism, b.Header.Determinism = "", ""
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), a, b)
	started := func(tr record.Trial) { j.Started(tr.Cell()) }
	started(a.Trials[0])
	started(a.Trials[0]) // a probe
	j.Append(a.Trials[0])
	j.Probed("vehicle", "c45", record.Deterministic)
	for _, tr := range []record.Trial{
		a.Trials[3], a.Trials[2], a.Trials[1], b.Trials[1],
		a.Trials[1],
	} {
		started(tr)
	}
	j.Append(a.Trials[2])
	j.Probed("größe 2", odd, record.NotDeterministic)
	j.Probed("größe 2", odd, record.Deterministic) // the first outcome counts
	require.NoError(t, j.Close())

	r, err := ReadJournal(j.Path())
	require.NoError(t, err)
	require.Equal(t, []record.Cell{a.Trials[3].Cell(), a.Trials[1].Cell(), b.Trials[1].Cell()},
		r.Running)
	require.Empty(t, r.Dropped)
	require.Len(t, r.Experiments(), 2)
	vehicle, other := r.Experiments()[0], r.Experiments()[1]
	require.Equal(t, 2, vehicle.Len())
	require.Equal(t, record.Deterministic, vehicle.Header.Of("c45").Determinism())
	require.Equal(t, record.NotProbed, vehicle.Header.Of(odd).Determinism())
	require.Equal(t, record.NotDeterministic, other.Header.Of(odd).Determinism())
	require.Zero(t, other.Len())
}

// Notes that are torn, or not ours, say nothing.
func TestNotesThatSayNothing(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 2, "c45")
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"), s)
	j.Append(s.Trials[0])
	require.NoError(t, j.Close())
	whole := fileText(t, j.Path())
	const name = "data=vehicle/learner=c45/run=2/fold=2"
	for text, running := range map[string]int{
		"\n":                       0,
		"=== RUN   " + name + "\n": 1,
		"=== RUN   " + name:        0, // torn
		"=== RUN   TestForest\n":   0, // by go test
		"=== RUN   data=vehicle/learner=c45/run=x/fold=2\n":     0,
		"=== RUN   data=vehicle/learner=c45/run=2/fold=0x\n":    0,
		"=== RUN   data=%zz/learner=c45/run=2/fold=2\n":         0,
		"=== RUN   data=vehicle/learner=%zz/run=2/fold=2\n":     0,
		"--- PROBE: data=vehicle/learner=nb no\n":               0,
		"--- PROBE: data=iris/learner=c45 no\n":                 0,
		"--- PROBE: data=vehicle/learner=%zz no\n":              0,
		"--- PROBE: data=vehicle/learner=c45 no":                0,
		"=== RUN   data=vehicle/learner=c45/run=1/fold=1\n":     0, // which has finished
		"--- PASS: data=vehicle/learner=c45/run=1/fold=1\n":     0,
		"=== RUN   " + name + "\n=== RUN   " + name + "\nBench": 1,
	} {
		path := filepath.Join(t.TempDir(), "f.txt.partial-1")
		require.NoError(t, os.WriteFile(path, []byte(whole+text), 0o666))
		r, err := ReadJournal(path)
		require.NoError(t, err, text)
		require.Len(t, r.Running, running, text)
		require.Equal(t, record.Deterministic, r.Experiments()[0].Header.Of("c45").Determinism(), text)
		if !strings.HasSuffix(text, "\n") {
			require.Equal(t, text[strings.LastIndexByte(text, '\n')+1:], r.Dropped)
		} else if !strings.HasPrefix(text, "--- PASS") {
			require.Empty(t, r.Dropped, text)
		}
	}
}
