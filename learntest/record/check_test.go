package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// read returns what is read from the text of f.
func read(t require.TestingT, f *File) *File {
	got, err := Read(strings.NewReader(text(t, f)), "f.txt")
	require.NoError(t, err)
	return got
}

func TestCheckAcceptsCompleteResults(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	failed := sampleSet("iris", 1, 2, "c45", "nb")
	failed.Trials[2].Values, failed.Trials[2].Err = nil, "boom"
	f := fileOf(s, failed)
	require.NoError(t, f.Check())
	require.NoError(t, read(t, f).Check())
	require.Equal(t, []Trial{failed.Trials[2]}, f.Failures())
	require.Empty(t, fileOf(s).Failures())
}

func TestCheckAcceptsShards(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 4, 5, "c45", "nb")
	rapid.Check(t, func(t *rapid.T) {
		shards := shard(t, s, 3)
		require.NoError(t, read(t, fileOf(shards...)).Check())
	})
}

// shard deals out the trials of a set to up to n sets.
func shard(t *rapid.T, s Set, n int) []Set {
	shards := make([]Set, n)
	for i := range shards {
		shards[i] = s
		shards[i].Trials = nil
	}
	for _, tr := range rapid.Permutation(s.Trials).Draw(t, "trials") {
		to := &shards[rapid.IntRange(0, n-1).Draw(t, "shard")]
		to.Trials = append(to.Trials, tr)
	}
	return slices.DeleteFunc(shards, func(s Set) bool { return len(s.Trials) == 0 })
}

func TestCheckNamesMissingCells(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 10, 10, "c45", "nb")
	s.Trials = slices.Delete(s.Trials, 137, 138)
	err := fileOf(s).Check()
	require.ErrorIs(t, err, ErrIncomplete)
	require.NotErrorIs(t, err, ErrDouble)
	require.EqualError(t, err, "trials are missing: data set vehicle, learner nb, run 7, fold 9")
	e := requireError[*CellError](t, err)
	require.Equal(t, []Cell{{"vehicle", "nb", 7, 9}}, e.Cells)

	s.Trials = s.Trials[:len(s.Trials)-20]
	require.EqualError(t, fileOf(s).Check(), "trials are missing: data set vehicle, learner nb, run 7, fold 9; "+
		"data set vehicle, learner c45, run 10, fold 1; data set vehicle, learner nb, run 10, fold 1; and 18 more")
}

func TestCheckMissesLearnersWithoutAnyTrial(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	s.Learners = []string{"c45", "nb"}
	e := requireError[*CellError](t, fileOf(s).Check())
	require.Equal(t, ErrIncomplete, e.Err)
	require.Equal(t, int64(6), e.Total)
}

func TestCheckNamesDoubleCells(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	s.Trials = append(s.Trials, s.Trials[4])
	err := fileOf(s).Check()
	require.ErrorIs(t, err, ErrDouble)
	require.NotErrorIs(t, err, ErrIncomplete)
	require.EqualError(t, err, "trials occur more than once: data set vehicle, learner c45, run 1, fold 3")
	require.EqualError(t, read(t, fileOf(s)).Check(),
		"trials occur more than once: data set vehicle, learner c45, run 1, fold 3 (f.txt:19 and f.txt:20)")
	s.Trials = s.Trials[:12]
	err = read(t, fileOf(s, s)).Check()
	require.ErrorIs(t, err, ErrDouble)
	require.ErrorContains(t, err, "(f.txt:15 and f.txt:42)")
	require.ErrorContains(t, err, "and 9 more")
}

// A plan of more cells than fit into memory is checked all the same.
func TestCheckOfHugePlans(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	s.Header.Runs, s.Header.Folds = maxCount, maxCount
	e := requireError[*CellError](t, fileOf(s).Check())
	require.Equal(t, int64(2*maxCount*maxCount-12), e.Total)
	_, err := Pair(Selection{fileOf(s), "vehicle", "c45"}, Selection{fileOf(s), "vehicle", "nb"}, "accuracy")
	require.ErrorIs(t, err, ErrIncomplete)
}

func TestCheckAgainstEnumeration(t *testing.T) {
	t.Parallel()
	full := sampleSet("vehicle", 3, 4, "c45", "nb", "knn")
	rapid.Check(t, func(t *rapid.T) {
		s := full
		s.Trials = rapid.SliceOfN(rapid.SampledFrom(full.Trials), 1, 60).Draw(t, "trials")
		count := make(map[Cell]int)
		for i := range s.Trials {
			count[s.Trials[i].Cell()]++
		}
		var missing, double []Cell
		for i := range full.Trials {
			c := full.Trials[i].Cell()
			if count[c] == 0 {
				missing = append(missing, c)
			}
			for range count[c] - 1 {
				double = append(double, c)
			}
		}
		m, err := fileOf(s).Merged()
		require.NoError(t, err)
		err = m.Sets[0].checkCells()
		require.Equal(t, len(missing) > 0, isKind(err, ErrIncomplete))
		require.Equal(t, len(double) > 0, isKind(err, ErrDouble))
		for kind, want := range map[error][]Cell{ErrIncomplete: missing, ErrDouble: double} {
			if e := findKind(err, kind); e != nil {
				require.Equal(t, int64(len(want)), e.Total)
				require.Equal(t, want[:min(len(want), maxListed)], e.Cells)
			}
		}
	})
}

func isKind(err, kind error) bool { return findKind(err, kind) != nil }

// findKind returns the CellError of a kind among joined errors.
func findKind(err, kind error) *CellError {
	if e, ok := err.(*CellError); ok && e.Err == kind {
		return e
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			if e := findKind(err, kind); e != nil {
				return e
			}
		}
	}
	return nil
}

func TestCheckNamesWhatDiffersBetweenBlocks(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(s *Set){
		"commit":        func(s *Set) { s.Header.Commit = "other" },
		"data-sha256":   func(s *Set) { s.Header.DataDigest = "other" },
		"split-sha256":  func(s *Set) { s.Header.SplitDigest = "other" },
		"runs":          func(s *Set) { s.Header.Runs++ },
		"folds":         func(s *Set) { s.Header.Folds++ },
		"repeats":       func(s *Set) { s.Header.Repeats = 2 },
		"list of units": func(s *Set) { s.Units = append(s.Units, Unit{"kappa", Higher, -1, 1}) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			a, b := sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "c45")
			a.Trials, b.Trials = a.Trials[:3], b.Trials[3:]
			require.NoError(t, fileOf(a, b).Check())
			change(&b)
			err := fileOf(a, b).Check()
			require.ErrorIs(t, err, ErrMismatch)
			require.Equal(t, what, requireError[*MismatchError](t, err).What)
			_, err = fileOf(a, b).Merged()
			require.ErrorIs(t, err, ErrMismatch)
			_, err = Pair(Selection{fileOf(a, b), "vehicle", "c45"}, Selection{fileOf(a, b), "vehicle", "c45"}, "accuracy")
			require.ErrorIs(t, err, ErrMismatch)
		})
	}
}

func TestCheckOfDigestsBetweenExperiments(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("vehicle", 2, 3, "knn", "nb")
	require.NoError(t, fileOf(a, b).Check())
	b.Header.DataDigest = "other"
	require.EqualError(t, read(t, fileOf(a, b)).Check(), `results do not belong together: data-sha256 is "9a1f" for `+
		`the trials on vehicle from f.txt:15 but "other" for the trials on vehicle from f.txt:42`)
	b.Header.DataDigest = a.Header.DataDigest
	b.Header.SplitDigest = "other"
	require.ErrorIs(t, fileOf(a, b).Check(), ErrMismatch)
	b.Header.Pkg = "example.com/other"
	require.NoError(t, fileOf(a, b).Check())
}

func TestCheckOfInvalidSets(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, fileOf().Check(), ErrNotFound)
	require.ErrorIs(t, fileOf(Set{}).Check(), ErrInvalid)
	s := sampleSet("vehicle", 2, 3, "c45")
	s.Trials[2].Run = 7
	require.ErrorIs(t, fileOf(s).Check(), ErrInvalid)
}

func TestMergedJoinsShards(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 5, "c45", "nb")
	other := sampleSet("vehicle", 2, 5, "nb", "knn")
	rapid.Check(t, func(t *rapid.T) {
		shards := shard(t, s, 3)
		f := fileOf(append([]Set{other}, shards...)...)
		got, err := f.Merged()
		require.NoError(t, err)
		require.Equal(t, []Set{other, s}, got.Sets)
		require.Len(t, f.Experiments(), 2)
	})
}

func TestMergedJoinsRemarks(t *testing.T) {
	t.Parallel()
	a, b, c := sampleSet("vehicle", 3, 1, "c45"), sampleSet("vehicle", 3, 1, "c45"), sampleSet("vehicle", 3, 1, "c45")
	a.Trials, b.Trials, c.Trials = a.Trials[:1], b.Trials[1:2], c.Trials[2:]
	a.Header.Toolchain = ""
	b.Header.Toolchain = "go1.26.8 darwin/arm64"
	c.Header.Determinism = "c45=no"
	got, err := fileOf(a, b, c).Merged()
	require.NoError(t, err)
	require.Equal(t, "go1.26.8 darwin/arm64; go1.26.8 linux/amd64", got.Sets[0].Header.Toolchain)
	require.Equal(t, "c45=no", got.Sets[0].Header.Determinism)
	require.Equal(t, a.Header.Reproduce, got.Sets[0].Header.Reproduce)
}
