package learntest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/internal/pin"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// pinned makes a reference of a learner, and moves it to each version that follows.
func pinned(t *testing.T, cfg Config, reference string, versions ...Learner[int, bool]) {
	t.Helper()
	for i, l := range versions {
		own := cfg
		own.Results.Out = filepath.Join(t.TempDir(), "new.txt")
		r := newRecorder(t)
		CompareWith(r, own, numbers(60), l, wrongBelow("other", 30))
		r.end()
		m := pin.Move{
			Results: own.Results.Out, Reference: reference, Reason: "moved",
			Date: time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC),
		}
		if i == 0 {
			m.Learners = []string{l.Name}
		}
		_, err := m.Do()
		require.NoError(t, err)
	}
}

func pinConfig() Config {
	return Config{Protocol: split.CV(2, 5), Results: Results{
		Pkg: "p", Test: "T", Commit: "c0ffee",
		Reproduce: "go test -count=1 -run '^T$' p",
	}}
}

// An update would give away, unseen, what the budget is for.
func TestUpdatesLeavePinnedReferencesAlone(t *testing.T) {
	reference := filepath.Join(t.TempDir(), "pinned.txt")
	cfg := pinConfig()
	pinned(t, cfg, reference, wrongBelow("forest", 3))
	before, err := os.ReadFile(reference)
	require.NoError(t, err)
	for _, how := range []string{"1", "force"} {
		t.Setenv("LEARNTEST_UPDATE", how)
		t.Setenv("CI", "")
		fits := counter{fits: make(map[string]int)}
		r := newRecorder(t)
		AgainstWith(r, cfg, numbers(60), fits.wrap(wrongBelow("forest", 6)), reference)
		assert.Contains(t, r.fatal, "LEARNTEST_UPDATE="+how+": "+reference+" is a pinned reference, with a ledger, "+ledger.Path(reference)+": LEARNTEST_OUT=$PWD/new.txt go test -count=1 -run '^T$' p stores results, and then learnbench pin -reason TEXT $PWD/new.txt "+reference+" moves it")
		assert.Empty(t, fits.fits)
		after, err := os.ReadFile(reference)
		require.NoError(t, err)
		assert.Equal(t, string(before), string(after))
	}
}

// A reference that something else has written is no reference.
func TestPinnedReferencesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	reference := filepath.Join(dir, "pinned.txt")
	cfg := pinConfig()
	pinned(t, cfg, reference, wrongBelow("forest", 3), wrongBelow("forest", 4),
		wrongBelow("forest", 6))
	against := func() *Comparison {
		r := newRecorder(t)
		c := AgainstWith(r, cfg, numbers(60), wrongBelow("forest", 6), reference)
		require.Empty(t, r.fatal)
		require.Empty(t, r.errors)
		return c
	}
	require.NoError(t, against().Pinned())
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	entries, err := os.ReadFile(ledger.Path(reference))
	require.NoError(t, err)

	// Another reference of the same learner: what an update would write.
	require.NoError(t, os.Remove(ledger.Path(reference)))
	update(t, cfg, numbers(60), wrongBelow("forest", 9), reference)
	err = against().Pinned()
	require.ErrorContains(t, err, reference+" has no ledger, "+ledger.Path(reference)+": restore the ledger; if there never was one, remove the reference: ")
	require.ErrorContains(t, err, "learnbench pin -reason TEXT -learner forest $PWD/new.txt "+reference+" makes it")
	require.NotContains(t, err.Error(), "LEARNTEST_UPDATE")
	require.NoError(t, os.WriteFile(ledger.Path(reference), entries, 0o666))
	err = against().Pinned()
	require.ErrorContains(t, err, reference+" was not written by the last move in "+ledger.Path(reference)+", which wrote ")
	require.ErrorContains(t, err, "git log shows who changed it: restore both files; LEARNTEST_OUT=")

	// Neither one of before, nor a ledger that gives away less than was given away.
	require.NoError(t, os.WriteFile(reference, text, 0o666))
	require.NoError(t, against().Pinned())
	for what, changed := range map[string]string{
		"that is no change by": strings.Replace(string(entries), "-3.33 points", "-0.33 points",
			1),
		"which " + reference + " has": strings.NewReplacer("-3.33 points", "-2.33 points", "90.00%",
			"91.00%").Replace(string(entries)),
		"a move between them is missing": withoutEntry(t, string(entries), "2026-01-02"),
		"is before 2026-01-02":           strings.Replace(string(entries), "2026-01-03", "2025-12-31", 1),
	} {
		require.NotEqual(t, string(entries), changed)
		require.NoError(t, os.WriteFile(ledger.Path(reference), []byte(changed), 0o666))
		require.ErrorContains(t, against().Pinned(), what)
	}
	require.NoError(t, os.Remove(reference))
	require.NoError(t, os.WriteFile(ledger.Path(reference), entries, 0o666))

	// A comparison of two learners has no reference.
	require.ErrorContains(t, CompareWith(newRecorder(t), cfg, numbers(60), wrongBelow("a", 3),
		wrongBelow("b", 3)).Pinned(), "a budget is for a candidate and a pinned reference")
}

// withoutEntry returns a ledger without the entry of a date.
func withoutEntry(t *testing.T, entries, date string) string {
	t.Helper()
	head, rest, ok := strings.Cut(entries, "\n"+date)
	require.True(t, ok)
	_, rest, ok = strings.Cut(rest, "\n\n")
	require.True(t, ok)
	return head + "\n" + rest
}

// The kind of claim shows whether a missing file is to be a reference: an update must not make one.
// The results are stored, so that the first reference can be made of them.
func TestReferenceThatIsMissing(t *testing.T) {
	dir := t.TempDir()
	reference := filepath.Join(dir, "pinned.txt")
	cfg := pinConfig()
	fits := counter{fits: make(map[string]int)}
	r := newRecorder(t)
	c := AgainstWith(r, cfg, numbers(60), fits.wrap(wrongBelow("forest", 3)), reference)
	assert.EqualError(t, c.Pinned(),
		"invalid configuration: there is no reference "+reference+": LEARNTEST_OUT=$PWD/new.txt go test -count=1 -run '^T$' p stores results, and then learnbench pin -reason TEXT -learner forest $PWD/new.txt "+reference+" makes it")
	v := c.Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.02})
	assert.False(t, v.Holds)
	assert.EqualError(t, v.Err, "invalid configuration: baseline "+reference+": there is no such file; LEARNTEST_UPDATE=1 go test -count=1 -run '^T$' p writes it anew")
	assert.Empty(t, fits.fits, "there is nothing to train for")
	r.end()
	assert.Empty(t, r.fatal)
	if assert.Len(t, r.errors, 1, "no claim has failed: looking at the verdict is none") {
		assert.Contains(t, r.errors[0], "there is no such file")
	}

	cfg.Results.Out = filepath.Join(dir, "new.txt")
	r = newRecorder(t)
	c = AgainstWith(r, cfg, numbers(60), wrongBelow("forest", 3), reference)
	require.EqualError(t, c.Pinned(),
		"invalid configuration: there is no reference "+reference+": learnbench pin -reason TEXT -learner forest "+cfg.Results.Out+" "+reference+" makes it")
	r.end()
	require.Len(t, r.errors, 1)
	_, err := (&pin.Move{
		Results: cfg.Results.Out, Reference: reference, Learners: []string{"forest"},
		Reason: "where it begins", Date: time.Now(),
	}).Do()
	require.NoError(t, err)
	cfg.Results.Out = ""
	c = AgainstWith(newRecorder(t), cfg, numbers(60), wrongBelow("forest", 3), reference)
	require.NoError(t, c.Pinned())
	assert.True(t, c.Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.06}).Holds)
}

// Stored results name the file that a learner is compared with, so that a reference is made of the
// tests that use it.
func TestResultsSayWhatTheyAreComparedWith(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	cfg := pinConfig()
	cfg.Results.Out = "new.txt"
	r := newRecorder(t)
	CompareWith(r, cfg, numbers(60), wrongBelow("forest", 3),
		wrongBelow("other", 30)).Judge(verdict.Claim{})
	r.end()
	assert.Empty(t, open(t, "new.txt").Blocks()[0].Header.Against, "both are run")
	cfg.Results.Test = "Pinned"
	r = newRecorder(t)
	require.NoError(t, os.Mkdir("testdata", 0o777))
	AgainstWith(r, cfg, numbers(60), wrongBelow("forest", 6), "testdata/pinned.txt")
	AgainstWith(r, cfg, numbers(60), wrongBelow("wood", 9), filepath.Join(dir, "testdata",
		"pinned.txt"))
	AgainstWith(r, cfg, numbers(60), wrongBelow("hut", 9), filepath.Join(filepath.Dir(dir),
		"elsewhere.txt"))
	r.end()
	against := make(map[string][]string)
	for _, b := range open(t, "new.txt").Experiments() {
		for _, l := range b.Learners {
			against[b.Header.Test+" "+l] = b.Header.Of(l).Against()
		}
	}
	own := []string{"testdata/pinned.txt"}
	assert.Equal(t, map[string][]string{
		"T forest": nil, "T other": nil, "Pinned forest": own,
		"Pinned wood": own, "Pinned hut": nil,
	}, against)
	_, err := (&pin.Move{
		Results: "new.txt", Reference: "testdata/pinned.txt",
		Reason: "where it begins", Date: time.Now(),
	}).Do()
	require.NoError(t, err)
	f := open(t, "testdata/pinned.txt")
	assert.ElementsMatch(t, []string{"forest", "wood"}, f.Learners("numbers"))
	require.Len(t, f.Blocks(), 1)
	assert.Equal(t, "Pinned", f.Blocks()[0].Header.Test)

	// What an update writes is compared with, and compares with nothing.
	cfg.Results.Out = ""
	update(t, cfg, numbers(60), guesser("forest"), "testdata/baseline.txt")
	assert.Empty(t, open(t, "testdata/baseline.txt").Blocks()[0].Header.Against)
}
