package storage

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// holdVariable names the result file of which TestProcessThatHoldsAJournal
// holds a journal.
const holdVariable = "RECORD_TEST_HOLD_JOURNAL"

// TestProcessThatHoldsAJournal is run in a process of its own, which is killed.
func TestProcessThatHoldsAJournal(t *testing.T) {
	path, ok := os.LookupEnv(holdVariable)
	if !ok {
		t.Skip("the other half of TestJournalOfAProcessThatIsKilled")
	}
	s := sampleSet("vehicle", 2, 3, "c45")
	j := newJournal(t, path, s)
	for _, tr := range s.Trials[:4] {
		j.Append(tr)
	}
	require.Eventually(t, func() bool {
		f, err := ReadJournal(j.Path())
		return err == nil && len(f.Experiments()) == 1 && f.Experiments()[0].Len() == 4
	}, 10*time.Second, time.Millisecond)
	fmt.Println("holding")
	runtime.GC() // which must not let go of the lock
	time.Sleep(time.Minute)
	runtime.KeepAlive(t)
}

// A journal is live as long as its process is, however that ends, and keeps the written lines.
func TestJournalOfAProcessThatIsKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be killed in this way there")
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "f.txt")
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestProcessThatHoldsAJournal$")
	cmd.Env = append(os.Environ(), holdVariable+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	require.Equal(t, "holding", lines.Text())

	found, err := Partials(path)
	require.NoError(t, err)
	require.Equal(t, []Partial{{path + ".partial-1", true}}, found)
	s, err := NewStore(path)
	require.NoError(t, err)
	stale, err := s.Stale()
	require.NoError(t, err)
	require.Empty(t, stale)
	// Another one takes another name.
	other := newJournal(t, path)
	require.Equal(t, path+".partial-2", other.Path())
	require.NoError(t, other.Remove())

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	found, err = Partials(path)
	require.NoError(t, err)
	require.Equal(t, []Partial{{path + ".partial-1", false}}, found)
	f, err := ReadJournal(path + ".partial-1")
	require.NoError(t, err)
	require.Equal(t, 4, f.Experiments()[0].Len())
	require.Equal(t, fmt.Sprintf("process %d on %s", cmd.Process.Pid, hostname(t)),
		f.Blocks()[0].Header.Owner)
	s, err = NewStore(path)
	require.NoError(t, err)
	stale, err = s.Stale()
	require.NoError(t, err)
	require.Equal(t, []string{path + ".partial-1"}, stale)
}

func hostname(t *testing.T) string {
	name, err := os.Hostname()
	require.NoError(t, err)
	return name
}
