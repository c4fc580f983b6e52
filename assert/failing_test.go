package assert_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFailingTests runs tests that are meant to fail and reads what a user
// would.
func TestFailingTests(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	binary := filepath.Join(t.TempDir(), "failing.test")
	text, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", binary,
		"./testdata/failing").CombinedOutput()
	require.NoError(t, err, "%s", text)
	for name, want := range map[string][]string{
		"TestRegression": {
			"failing_test.go:",
			"Claim does not hold: third is 33.33 points worse than parity on numbers in accuracy, 10.00 points allowed: regressed on this data set; the candidate is significantly worse",
			"go test -count=1 -run '^TestRegression$' github.com/learnbench/learnbench/assert/testdata/failing",
			"release 7",
		},
		"TestNoImprovement": {
			"Claim does not hold: parity is on a par with twin on numbers in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold",
		},
		"TestPanic": {
			"trial failed: data set numbers, learner panics, run 1, fold ",
			": and 1 more trial failed with the same cause",
			": panic: no such feature (failing_test.go:",
			"panics vs parity on numbers: invalid: candidate panics: trials failed: data set numbers, learner panics, run 1, fold ",
		},
		"TestError": {"learner errs, run 1, fold ", ": fit: cannot converge"},
		"TestNaN":   {"learner nan, run 1, fold ", "class 0: NaN is not a probability"},
		"TestTooFewPredictions": {
			"learner short, run 1, fold ",
			"invalid prediction: 11 predictions for 12 test examples",
		},
		"TestHang": {
			"interrupted: the test's deadline is near: ", " trials were run and are in ",
			"; the learner did not return: data set numbers, learner hangs, run 1, fold ",
			"Claim does not hold: hangs vs parity on numbers", "invalid: interrupted",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "results.txt")
			cmd := exec.CommandContext(t.Context(), binary, "-test.timeout=15s", "-test.run=^"+name+"$")
			cmd.Env = append(os.Environ(), "LEARNTEST_OUT="+out)
			text, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			require.True(t, errors.As(err, &exit), "%v\n%s", err, text)
			testify.Equal(t, 1, exit.ExitCode())
			for _, w := range want {
				testify.Contains(t, string(text), w)
			}
			testify.NotContains(t, string(text), "panic: test timed out")

			// The results of all trials are in the file, failed ones with
			// their cause; an interrupted run has a file of its own.
			if name == "TestHang" {
				testify.NoFileExists(t, out)
				f, err := storage.ReadJournal(out + ".partial-1")
				require.NoError(t, err)
				testify.Len(t, f.Experiments(), 1)
				return
			}
			f, err := record.Open(out)
			require.NoError(t, err)
			require.Len(t, f.Blocks(), 1)
			testify.Equal(t, 20, f.Blocks()[0].Len())
		})
	}
}
