package pin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A stored is the results that a test of a package has stored, and the files that it compares
// learners with.
type stored struct {
	pkg, test, data string
	learners        []string
	against         map[string]string
}

func write(t *testing.T, path string, all ...stored) {
	t.Helper()
	var text strings.Builder
	for i, s := range all {
		h := record.Header{
			Pkg: s.pkg, Test: s.test, Data: s.data, Commit: "c0ffee",
			Protocol:   "cv runs=1 folds=2 stratified seed=1 v1",
			DataDigest: strings.Repeat("a", 64), SplitDigest: strings.Repeat("b", 64),
		}
		for _, l := range s.learners {
			if path := s.against[l]; path != "" {
				h.Of(l).AddAgainst(path)
			}
		}
		b, err := record.NewBlock(h, s.learners, []unit.Unit{accuracy}, 20)
		require.NoError(t, err)
		for fold := 1; fold <= 2; fold++ {
			for _, l := range s.learners {
				require.NoError(t, b.Add(record.Trial{
					Data: s.data, Learner: l, Run: 1, Fold: fold, TrainN: 10,
					TestN: 10, Values: []float64{0.5 + 0.01*float64(i+fold)},
				}))
			}
		}
		require.NoError(t, record.Write(&text, b))
	}
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
}

// Of what go test ./... has stored, pin takes the results of the tests that compare with the
// reference, and nothing else: neither of other packages nor of other learners.
func TestTheTestsThatUseAReferenceArePinned(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"),
		[]byte("// a module\nmodule example.com/m // of tests\n\ngo 1.26\n"), 0o666))
	for _, dir := range []string{"a/testdata", "b/testdata", "testdata", "shared"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o777))
	}
	results := filepath.Join(root, "new.txt")
	const own = "testdata/pinned.txt"
	all := []stored{
		{
			"example.com/m/a", "TestForest", "mail",
			[]string{"forest", "bayes"},
			map[string]string{"forest": own},
		},
		{
			"example.com/m/b", "TestForest", "mail",
			[]string{"forest"},
			map[string]string{"forest": "./testdata/../testdata/pinned.txt"},
		},
		{"example.com/m/b", "TestOther", "mail", []string{"forest"}, nil},
		{"example.com/m", "TestRoot", "iris", []string{"nn"}, map[string]string{"nn": own}},
		{
			"example.com/m/a", "TestShared", "iris",
			[]string{"nn", "x y=;z"},
			map[string]string{"x y=;z": "../shared/pinned of all.txt", "nn": "../shared/other.txt"},
		},
		{"example.org/else", "TestForest", "mail", []string{"forest"}, map[string]string{"forest": own}},
	}
	write(t, results, all...)
	move := func(reference string, learners ...string) ([]string, error) {
		path := filepath.Join(root, filepath.FromSlash(reference))
		_, err := (&Move{
			Results: results, Reference: path, Reason: "r", Learners: learners,
			Date: time.Unix(0, 0),
		}).Do()
		if err != nil {
			return nil, err
		}
		f, err := record.Open(path)
		require.NoError(t, err)
		var pinned []string
		for _, b := range f.Blocks() {
			assert.Empty(t, b.Header.Against)
			for _, l := range b.Learners {
				pinned = append(pinned, b.Header.Pkg+" "+b.Header.Test+" "+b.Header.Data+"/"+l)
			}
		}
		return pinned, nil
	}
	elsewhere := "example.org/else TestForest mail/forest" // in a directory that nobody knows
	for reference, want := range map[string][]string{
		"a/testdata/pinned.txt":    {"example.com/m/a TestForest mail/forest", elsewhere},
		"b/testdata/pinned.txt":    {"example.com/m/b TestForest mail/forest", elsewhere},
		"testdata/pinned.txt":      {"example.com/m TestRoot iris/nn", elsewhere},
		"shared/pinned of all.txt": {"example.com/m/a TestShared iris/x y=;z"},
		"shared/other.txt":         {"example.com/m/a TestShared iris/nn"},
	} {
		got, err := move(reference)
		require.NoError(t, err, reference)
		slices.Sort(got)
		slices.Sort(want)
		assert.Equal(t, want, got, reference)
	}

	// Of two tests that have the same learner, each is moved from its own scores.
	write(t, results, append([]stored{{"example.com/m", "TestFirst", "wine", []string{"nn"}, nil}}, all...)...) // with other scores
	got, err := move("a/testdata/pinned.txt")
	require.NoError(t, err)
	assert.Len(t, got, 2)
	write(t, results, all...)

	// A learner that is named is not pinned where the reference is compared with another one.
	_, err = move("a/testdata/fresh.txt", "forest", "nn")
	require.ErrorContains(t, err, "two results of ")
	only := filepath.Join(root, "only.txt")
	write(t, only, stored{
		"example.com/m/a", "TestOnly", "mail",
		[]string{"forest", "bayes"},
		map[string]string{"forest": "testdata/fresh.txt"},
	})
	_, err = (&Move{
		Results: only, Reference: filepath.Join(root, "a", "testdata", "fresh.txt"),
		Reason: "r", Learners: []string{"bayes"},
	}).Do()
	require.EqualError(t, err, only+" has nothing to be pinned as "+filepath.Join(root, "a",
		"testdata", "fresh.txt"))
	require.NoFileExists(t, filepath.Join(root, "a", "testdata", "fresh.txt"))

	// A later move takes the results of the same test.
	for i := range all {
		all[i].test += "2"
	}
	slices.Reverse(all) // with other scores
	write(t, results, all...)
	got, err = move("shared/other.txt")
	require.NoError(t, err)
	assert.Equal(t, []string{"example.com/m/a TestShared2 iris/nn"}, got)

	// Nobody says which learners are meant.
	_, err = move("shared/none.txt")
	require.ErrorContains(t, err, "no test in "+results+" compares with "+filepath.Join(root, "shared",
		"none.txt")+", such as ")
	require.ErrorContains(t, err, ": check the path, or name the learners with -learner")
	_, err = move("shared/none.txt", "forest")
	require.ErrorContains(t, err, results+" has two results of forest on data set mail, of ")
	require.ErrorContains(t, err, "run only the test whose results are to be pinned")
	got, err = move("shared/none.txt", "bayes")
	require.NoError(t, err)
	assert.Equal(t, []string{"example.com/m/a TestForest2 mail/bayes"}, got)
	_, err = move("shared/pinned of none.txt", "nn")
	require.ErrorContains(t, err, "two results of nn on data set iris")
	require.NoFileExists(t, filepath.Join(root, "shared", "pinned of none.txt"))
}

// Without the module of the reference, nobody knows which tests of a module use it.
func TestReferenceInAModuleWithoutAName(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("go 1.26\n"), 0o666))
	results := filepath.Join(root, "new.txt")
	write(t, results, stored{
		"example.com/m", "TestForest", "mail",
		[]string{"forest"},
		map[string]string{"forest": "pinned.txt"},
	})
	_, err := (&Move{Results: results, Reference: filepath.Join(root, "pinned.txt"), Reason: "r"}).Do()
	require.EqualError(t, err, filepath.Join(root, "go.mod")+" names no module")
}
