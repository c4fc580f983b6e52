package learntest

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A run puts a file in order that a killed process was writing, also if the run reads the file
// first.
func TestRunAfterInterruptedWrite(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(text string) string{
		"appending": func(text string) string { return text + "\nL" + text[1:len(text)/2] },
		"replacing": func(text string) string { return "R" + text[1:] + "\nL" + text[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "results.txt")
			old := earlier(t, out, 2, "e1")
			text, err := os.ReadFile(out)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(out, []byte(change(string(text))), 0o666))
			_, err = record.Open(out)
			require.ErrorIs(t, err, record.ErrUnfinished)
			mustRun(t, numbers(60), Config{Protocol: split.CV(2, 5), Results: Results{Out: out}},
				guesser("a"), constant("odd", true))
			requireNothingBeside(t, out)
			assert.Equal(t, old[0], blockTexts(t, out)[0])
			assert.Len(t, open(t, out).Blocks(), 2)
		})
	}
}

// A process that is killed before its journal has any trials has lost nothing, and the next run
// of any experiment removes the journal.
func TestJournalWithoutTrialsGoes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "a line": "\n", "a header": "\nlearnbench-format: 2\npkg: x\n",
	} {
		t.Run(name, func(t *testing.T) {
			// It takes a while to see that a journal is nobody's.
			synctest.Test(t, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "results.txt")
				require.NoError(t, os.WriteFile(out+".partial-3", []byte(text), 0o666))
				partials, err := storage.Partials(out)
				require.NoError(t, err)
				require.Equal(t, []storage.Partial{{Path: out + ".partial-3"}}, partials)
				mustRun(t, numbers(60), Config{Protocol: split.CV(2, 5), Results: Results{Out: out}},
					guesser("a"), constant("odd", true))
				requireNothingBeside(t, out)
			})
		})
	}
}

// So does what a process leaves that is killed while it looks whether it can write.
func TestProbeOfADirectoryGoes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"results.txt", ""} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".learnbench-probe-17"), nil, 0o666))
		out := filepath.Join(dir, name)
		mustRun(t, numbers(60), Config{Protocol: split.CV(2, 5), Results: Results{Out: out}},
			guesser("a"), constant("odd", true))
		requireNothingBeside(t, out)
	}
}
