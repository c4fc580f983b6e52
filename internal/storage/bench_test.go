package storage

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func BenchmarkJournalAppend(b *testing.B) {
	s := sampleSet("vehicle", 10, 10, "c45", "nb")
	path := filepath.Join(b.TempDir(), "f.txt")
	j := newJournal(b, path, s)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		tr := s.Trials[i%len(s.Trials)]
		tr.Run += 10 * (i / len(s.Trials))
		j.Append(tr)
		i++
	}
	require.NoError(b, j.Close())
}
