package ledger

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

const good = `How pinned.txt was moved, by learnbench pin: the latest move is the last.

2026-01-02 c0: it begins
    reference 0000000000000000
    mail/forest  accuracy 80.48%, the first
    mail/forest  logloss 0.4102, the first

2026-01-03 c1 after c0: smoother: really
    reference 1111111111111111 after 0000000000000000
    mail/forest  accuracy 75.45%, -5.03 points, 95% interval -5.61 to -4.45 points, p = 1e-07
    mail/forest  logloss 0.5102, +0.1, 95% interval +0.05 to +0.15, p = 0.002

2026-01-03 c2 after c1: no interval
    reference 2222222222222222 after 1111111111111111
    mail/forest  accuracy 75.45%, +0.00 points, p = 1.000
    mail/forest  logloss 0.5102, +0, p = 1.000

2026-02-01 c3: another seed
    reference 3333333333333333
    mail/forest  accuracy 77.00%, the first
`

func verify(text string) error {
	entries, err := Parse(text)
	if err != nil {
		return err
	}
	return Verify(entries)
}

// A ledger in which something was changed by hand is not what learnbench pin wrote.
func TestLedgersThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	require.NoError(t, verify(good))
	require.NoError(t, verify(strings.ReplaceAll(good, "\n", "\r\n")))
	cut := func(from, to string) string {
		head, rest, ok := strings.Cut(good, from)
		require.True(t, ok)
		_, rest, ok = strings.Cut(rest, to)
		require.True(t, ok)
		return head + to + rest
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty": {"title\n", "it has no entry"},
		"an entry removed": {
			cut("2026-01-03 c1", "2026-01-03 c2"),
			"line 8: it moved reference 1111111111111111, and the entry above wrote 0000000000000000: a move between them is missing",
		},
		"the first removed": {
			cut("2026-01-02 c0", "2026-01-03 c1"),
			"line 3: it moved reference 0000000000000000, and there is no entry above that wrote it",
		},
		"a loss made smaller": {
			strings.Replace(good, "75.45%, -5.03", "75.45%, -4.53", 1),
			"mail/forest  accuracy was 80.48% and is 75.45%: that is no change by -4.53",
		},
		"a mean made better": {
			strings.Replace(good, "accuracy 75.45%", "accuracy 75.47%", 1),
			"line 10: mail/forest  accuracy was 80.48% and is 75.47%",
		},
		"a mean with four digits": {
			strings.Replace(good, "0.5102, +0.1,", "0.5102, +0.1002,", 1),
			"logloss was 0.4102 and is 0.5102: that is no change by +0.1002",
		},
		"another interval": {
			strings.Replace(good, "-5.61 to -4.45", "-4.99 to -4.45", 1),
			"line 10: mail/forest  accuracy: the change by -5.03 is not between -4.99 and -4.45",
		},
		"an end that is no number": {
			strings.Replace(good, "-5.61 to -4.45", "-5.61 to high", 1),
			"line 10: mail/forest  accuracy: the change by -5.03 is not between -5.61 and high",
		},
		"an interval below": {
			strings.Replace(good, "-5.61 to -4.45", "-5.61 to -5.05", 1),
			"line 10: mail/forest  accuracy: the change",
		},
		"an earlier date": {
			strings.Replace(good, "2026-02-01", "2026-01-02", 1),
			"line 18: 2026-01-02 is before 2026-01-03, the date of the entry above",
		},
		"no such date": {
			strings.Replace(good, "2026-02-01", "2026-02-31", 1),
			"line 18: there is no such date",
		},
		"no predecessor": {
			strings.Replace(good, " after 0000000000000000", "", 1),
			"line 10: a change, and the entry does not say which reference it moved",
		},
		"no first": {
			strings.Replace(good,
				"0.5102, +0.1, 95% interval +0.05 to +0.15, p = 0.002", "0.5102, the first", 1),
			"line 11: mail/forest  logloss is not the first",
		},
		"another metric": {strings.Replace(good, "logloss 0.5102, +0.1,", "brier 0.5102, +0.1,",
			1), "mail/forest  brier has changed, and is not in the entry above"},
		"no reference": {
			strings.Replace(good, "    reference 3333333333333333\n", "", 1),
			"line 18: the entry has no reference",
		},
		"no score": {
			cut("    mail/forest  accuracy 75.45%, +0.00", "\n2026-02-01"),
			"line 13: the entry has no reference, or no score",
		},
		"two references": {
			strings.Replace(good, "    reference 3333333333333333\n",
				"    reference 3333333333333333\n    reference 4444444444444444\n", 1),
			"line 20: the entry has two references",
		},
		"a remark":   {good + "    nothing to see\n", "line 21: it is no line of an entry"},
		"a conflict": {good + "<<<<<<< HEAD\n", "line 21: it begins no entry"},
		"nothing above": {
			"title\n    reference 3333333333333333\n",
			"line 2: there is no head of an entry above",
		},
		"no number": {
			strings.Replace(good, "77.00%", "good", 1),
			"line 20: it has no number",
		},
	} {
		require.NotEqual(t, good, c.text, name)
		require.ErrorContains(t, verify(c.text), c.want, name)
	}
}

// Entries show rounded numbers: a change may be off by half a unit of the last digit of each.
func TestRoundedEntriesAddUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		adds     bool
	}{
		{
			"75.45%, -5.03 points, 95% interval -5.61 to -4.45",
			"75.45%, -5.04 points, 95% interval -5.61 to -4.45", true,
		},
		{
			"75.45%, -5.03 points, 95% interval -5.61 to -4.45",
			"75.45%, -5.05 points, 95% interval -5.61 to -4.45", false,
		},
		{
			"75.45%, -5.03 points, 95% interval -5.61 to -4.45",
			"75.45%, -5.03 points, 95% interval -5.03 to -5.03", true,
		},
		// 0.4102 has units of 0.0001, as have the change and 0.9098; 1.510 has units of 0.001.
		{"0.5102, +0.1, 95% interval +0.05 to +0.15, p = 0.002", "0.5102, +0.1001, p = 0.002", true},
		{"0.5102, +0.1, 95% interval +0.05 to +0.15, p = 0.002", "1.210, +0.8004, p = 0.002", true},
		{"0.5102, +0.1, 95% interval +0.05 to +0.15, p = 0.002", "1.210, +0.8005, p = 0.002", false},
	} {
		text, _, ok := strings.Cut(good, "\n2026-01-03 c2")
		require.True(t, ok)
		changed := strings.Replace(text, c.from, c.to, 1)
		require.NotEqual(t, text, changed)
		if err := verify(changed); c.adds {
			require.NoError(t, err, c.to)
		} else {
			require.ErrorContains(t, err, "that is no change by", c.to)
		}
	}
}

// A ledger or a reference that cannot be read is no reference, and the error says why.
func TestReferencesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	reference := filepath.Join(t.TempDir(), "pinned.txt")
	require.ErrorIs(t, Check(reference), ErrNone)
	require.NoError(t, os.Mkdir(Path(reference), 0o777))
	var failed *fs.PathError
	require.ErrorAs(t, Check(reference), &failed, "a directory")
	require.NoError(t, os.Remove(Path(reference)))

	about := func(text string) {
		entry := fmt.Sprintf("title\n\n2026-01-02 c0: it begins\n    reference %s\n    mail/forest  accuracy 80.00%%, the first\n", Digest(text))
		require.NoError(t, os.WriteFile(Path(reference), []byte(entry), 0o666))
	}
	about("a removed reference")
	require.ErrorIs(t, Check(reference), fs.ErrNotExist)
	write := func(text string) {
		require.NoError(t, os.WriteFile(reference, []byte(text), 0o666))
		about(text)
	}
	write("no results\n")
	require.ErrorContains(t, Check(reference), reference+":1: ")

	// A reference that was cut off, with an entry about the rest.
	h := record.Header{
		Data: "mail", Protocol: "cv runs=1 folds=2 stratified seed=1 v1",
		DataDigest: strings.Repeat("a", 64), SplitDigest: strings.Repeat("b", 64),
	}
	b, err := record.NewBlock(h, []string{"forest"},
		[]unit.Unit{{Name: "accuracy", Better: unit.Higher, Max: 1}}, 20)
	require.NoError(t, err)
	for fold := 1; fold <= 2; fold++ {
		var text strings.Builder
		require.NoError(t, b.Add(record.Trial{
			Data: "mail", Learner: "forest", Run: 1, Fold: fold,
			TrainN: 10, TestN: 10, Values: []float64{0.8},
		}))
		require.NoError(t, record.Write(&text, b))
		write(text.String())
		if fold == 1 {
			require.EqualError(t, Check(reference),
				reference+": trials of forest on data set mail are missing")
		} else {
			require.NoError(t, Check(reference))
		}
	}

	has, err := Has(reference)
	require.NoError(t, err)
	require.True(t, has)
	has, err = Has(filepath.Join(t.TempDir(), "pinned.txt"))
	require.NoError(t, err)
	require.False(t, has)
	_, err = Has(filepath.Join(reference, "pinned.txt"))
	require.Error(t, err, "below a file")
}
