package ledger

import (
	"strings"
	"testing"

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
		"empty":                   {"title\n", "it has no entry"},
		"an entry removed":        {cut("2026-01-03 c1", "2026-01-03 c2"), "line 8: it moved reference 1111111111111111, and the entry above wrote 0000000000000000: a move between them is missing"},
		"the first removed":       {cut("2026-01-02 c0", "2026-01-03 c1"), "line 3: it moved reference 0000000000000000, and there is no entry above that wrote it"},
		"a loss made smaller":     {strings.Replace(good, "75.45%, -5.03", "75.45%, -4.53", 1), "mail/forest  accuracy was 80.48% and is 75.45%: that is no change by -4.53"},
		"a mean made better":      {strings.Replace(good, "accuracy 75.45%", "accuracy 75.47%", 1), "line 10: mail/forest  accuracy was 80.48% and is 75.47%"},
		"a mean with four digits": {strings.Replace(good, "0.5102, +0.1,", "0.5102, +0.1002,", 1), "logloss was 0.4102 and is 0.5102: that is no change by +0.1002"},
		"another interval":        {strings.Replace(good, "-5.61 to -4.45", "-4.99 to -4.45", 1), "line 10: mail/forest  accuracy: the change by -5.03 is not between -4.99 and -4.45"},
		"an interval below":       {strings.Replace(good, "-5.61 to -4.45", "-5.61 to -5.05", 1), "line 10: mail/forest  accuracy: the change"},
		"an earlier date":         {strings.Replace(good, "2026-02-01", "2026-01-02", 1), "line 18: 2026-01-02 is before 2026-01-03, the date of the entry above"},
		"no such date":            {strings.Replace(good, "2026-02-01", "2026-02-31", 1), "line 18: there is no such date"},
		"no predecessor":          {strings.Replace(good, " after 0000000000000000", "", 1), "line 10: a change, and the entry does not say which reference it moved"},
		"no first":                {strings.Replace(good, "0.5102, +0.1, 95% interval +0.05 to +0.15, p = 0.002", "0.5102, the first", 1), "line 11: mail/forest  logloss is not the first"},
		"another metric":          {strings.Replace(good, "logloss 0.5102, +0.1,", "brier 0.5102, +0.1,", 1), "mail/forest  brier has changed, and is not in the entry above"},
		"no reference":            {strings.Replace(good, "    reference 3333333333333333\n", "", 1), "line 18: the entry has no reference"},
		"no score":                {cut("    mail/forest  accuracy 75.45%, +0.00", "\n2026-02-01"), "line 13: the entry has no reference, or no score"},
		"two references":          {strings.Replace(good, "    reference 3333333333333333\n", "    reference 3333333333333333\n    reference 4444444444444444\n", 1), "line 20: the entry has two references"},
		"a remark":                {good + "    nothing to see\n", "line 21: it is no line of an entry"},
		"a conflict":              {good + "<<<<<<< HEAD\n", "line 21: it begins no entry"},
		"nothing above":           {"title\n    reference 3333333333333333\n", "line 2: there is no head of an entry above"},
		"no number":               {strings.Replace(good, "77.00%", "good", 1), "line 20: it has no number"},
	} {
		require.NotEqual(t, good, c.text, name)
		require.ErrorContains(t, verify(c.text), c.want, name)
	}
}
