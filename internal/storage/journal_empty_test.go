package storage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A journal whose process was killed before its first head was written is empty,
// and no error.
func TestJournalsWithoutAHead(t *testing.T) {
	t.Parallel()
	j := newJournal(t, filepath.Join(t.TempDir(), "f.txt"))
	require.NoError(t, j.Close())
	for _, text := range []string{
		fileText(t, j.Path()), "", "\n", "\r\n", "\nlearnbench-for",
		"\nlearnbench-format: 2\npkg: x\n",
	} {
		require.NoError(t, os.WriteFile(j.Path(), []byte(text), 0o600))
		f, err := ReadJournal(j.Path())
		require.NoError(t, err, "%q", text)
		require.Empty(t, f.Blocks())
	}
}
