package refresh

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/branch"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// TestShow shows the lines of failed tests, without the lines of go test.
func TestShow(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	show(&b, []*branch.TestRun{
		{Outcome: "pass", Output: "=== RUN   TestA\nfine\n"},
		{Outcome: "fail", Output: "=== RUN   TestB\n    b_test.go:1: no\n=== ATTR  TestB a b\n--- FAIL: TestB\n"},
		{Outcome: "skip", Output: "later\n"},
	})
	require.Equal(t, "    b_test.go:1: no\n--- FAIL: TestB\n", b.String())
}

// TestFailedOf names the claims of a test that fail, or the test.
func TestFailedOf(t *testing.T) {
	t.Parallel()
	id := testID{"p", "TestA"}
	held, lost := gotest.Claim{Text: "held", Holds: true}, gotest.Claim{Text: "lost"}
	run := func(outcome string, claims ...gotest.Claim) *branch.TestRun {
		return &branch.TestRun{Pkg: id.pkg, Name: id.name, Outcome: outcome, Claims: claims}
	}
	for _, c := range []struct {
		run  *branch.TestRun
		want []string
	}{
		{run("pass", held), nil},
		{run("fail", held, lost), []string{"lost"}},
		{run("fail", held), []string{"the test fails for another reason"}},
		{run("skip"), []string{"it is skipped"}},
		{&branch.TestRun{Pkg: "q", Name: id.name, Outcome: "fail", Claims: []gotest.Claim{lost}}, nil},
		{&branch.TestRun{Pkg: id.pkg, Name: "TestB", Outcome: "fail", Claims: []gotest.Claim{lost}}, nil},
	} {
		require.Equal(t, c.want, failedOf([]*branch.TestRun{c.run}, id))
	}
	require.Equal(t, []string{"lost", "it is skipped"},
		failedOf([]*branch.TestRun{run("fail", lost), run("skip")}, id))
}

// A baseline keeps its metrics.
func TestSameUnits(t *testing.T) {
	t.Parallel()
	of := func(names ...string) *record.Block {
		b := new(record.Block)
		for _, name := range names {
			b.Units = append(b.Units, unit.Unit{Name: name})
		}
		return b
	}
	require.NoError(t, sameUnits(of("accuracy", "kappa"), of("accuracy", "kappa")))
	require.EqualError(t, sameUnits(of("accuracy"), of("accuracy", "kappa")),
		"its metrics are not the ones that the baseline has")
	require.Error(t, sameUnits(of("accuracy", "kappa"), of("kappa", "accuracy")))
}

// results returns the text of a file with the results of some tests, one run of two folds each.
func results(data, digest string, tests ...string) string {
	var b strings.Builder
	for _, name := range tests {
		fmt.Fprintf(&b, "learnbench-format: 2\npkg: p\ntest: %s\ncommit: abc\nLearners: l\nprotocol: cv runs=1 folds=2 stratified seed=1 v1\ndata-sha256: %s\nsplit-sha256: %s\nUnit accuracy better=higher min=0 max=1\n", name, digest, strings.Repeat("b", 64))
		for fold := 1; fold <= 2; fold++ {
			fmt.Fprintf(&b, "BenchmarkCV/data=%s/learner=l/run=1/fold=%d 1 0.5 accuracy 10 train-n 10 test-n\n", data, fold)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// A test that refreshes its own baseline changes no baseline of another test.
func TestKeepsOthers(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("a", 64)
	read := func(text string) *record.File {
		f, err := record.Read(strings.NewReader(text), "baseline.txt")
		require.NoError(t, err)
		return f
	}
	before := results("d", digest, "TestA", "TestB")
	after := strings.Replace(before, "0.5", "0.75", 1) // of TestA
	b := &baseline{rel: "baseline.txt", Stale: gotest.Stale{
		Pkg: "p", Test: "TestA", Data: "d",
		Protocol: "cv runs=1 folds=2 stratified seed=1 v1",
	}}
	require.Equal(t, read(before).Experiments()[0].Header.Identity(), b.id(), "its own")
	require.NoError(t, keepsOthers(read(after), []byte(before), b, []*baseline{b}))
	require.NoError(t, keepsOthers(read(after), nil, b, nil), "a new file")
	require.ErrorContains(t, keepsOthers(read(after), []byte(before), b, nil),
		"it has changed the results of ")
	other := *b
	other.rel = "other.txt"
	require.ErrorContains(t, keepsOthers(read(after), []byte(before), b, []*baseline{&other}),
		"whose data have not changed")
	require.Error(t, keepsOthers(read(results("d", digest, "TestA")), []byte(before), b,
		[]*baseline{b}), "TestB is gone")
	require.Error(t, keepsOthers(read(after), []byte("x\x00"), b, nil))
}

// The results of the present learner are of its test, on the data of now.
func TestReadNow(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("a", 64)
	out := filepath.Join(t.TempDir(), "now.txt")
	b := &baseline{tests: []testID{{"p", "TestB"}}, Stale: gotest.Stale{
		Pkg: "old", Test: "TestOld",
		Data: "d", Protocol: "cv runs=1 folds=2 stratified seed=1 v1", Learner: "l", Is: digest,
	}}
	r := new(Refresh)
	require.ErrorContains(t, r.readNow(out, b), "HEAD: TestB has stored no results: ")
	require.NoError(t, os.WriteFile(out, []byte(results("d", digest, "TestA", "TestB")), 0o666))
	require.NoError(t, r.readNow(out, b))
	require.Equal(t, "TestB", b.now.Header.Test)
	for what, change := range map[string]func(b *baseline){
		"another learner": func(b *baseline) { b.Learner = "m" },
		"the old data":    func(b *baseline) { b.Is = strings.Repeat("c", 64) },
		"another test":    func(b *baseline) { b.tests = []testID{{"p", "TestC"}} },
		"another package": func(b *baseline) { b.tests = []testID{{"q", "TestB"}} },
	} {
		other := *b
		other.now = nil
		change(&other)
		require.ErrorContains(t, r.readNow(out, &other), "on the data of now: its output is above", what)
		require.Nil(t, other.now, what)
	}
}

// TestMissed has a test at an old commit write another baseline, or none.
func TestMissed(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("a", 64)
	f, err := record.Read(strings.NewReader(results("d", digest, "TestA", "TestB")), "baseline.txt")
	require.NoError(t, err)
	of := func(test, was, is string) error {
		b := &baseline{tests: []testID{{"p", "TestNow"}}, Stale: gotest.Stale{
			Pkg: "p", Test: test,
			Data: "d", Protocol: "cv runs=1 folds=2 stratified seed=1 v1", Was: was, Is: is,
		}}
		return missed(f, b, "none")
	}
	require.ErrorContains(t, of("TestB", digest, "new"), "it reads the same examples as before.")
	require.ErrorContains(t, of("TestB", "old", "new"),
		"it reads other examples than TestNow does now: their digest is aaaaaaaaaaaa there and new here.")
	require.EqualError(t, of("TestC", digest, "new"),
		"it did not write the baseline: its output is above")
	require.Equal(t, "none", (&Refresh{}).named())
	require.Equal(t, "data/a.csv",
		(&Refresh{files: map[string][]byte{filepath.Join("data", "a.csv"): nil}}).named())
}
