package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An entry about other data is of the same model, and no other entry has a score without a
// difference.
func TestRefreshedLedgers(t *testing.T) {
	t.Parallel()
	date := time.Date(2026, 2, 7, 0, 0, 0, 0, time.UTC)
	text, err := Refreshed(good, "reference", "data: of February", date,
		[]Mean{{"mail/forest  accuracy", "76.10%", true}})
	require.NoError(t, err)
	const entry = "\n2026-02-07 c3 refreshed: data: of February\n    reference 83c346ad7a85fe85 after 3333333333333333\n    mail/forest  accuracy 76.10%, on other data\n"
	require.Equal(t, strings.Replace(good+entry, "83c346ad7a85fe85", Digest("reference"), 1), text)
	again, err := Refreshed(text, "reference 2", "data of March", date,
		[]Mean{{"mail/forest  accuracy", "76.20%", true}})
	require.NoError(t, err)
	require.Contains(t, again, "2026-02-07 c3 refreshed: data of March\n")
	moved := "\n2026-03-01 c4 after c3: moved\n    reference 5555555555555555 after " +
		Digest("reference") + "\n    mail/forest  accuracy 75.10%, -1.00 points, p = 0.2\n"
	require.NoError(t, verify(text+moved))
	_, err = Refreshed(good, "reference", "x", date,
		[]Mean{{"mail/forest  accuracy", "77.00%", false}})
	require.ErrorContains(t, err, "a refresh without other data")
	_, err = Refreshed(good, "reference", "x", date.AddDate(-1, 0, 0),
		[]Mean{{"mail/forest  accuracy", "77.00%", true}})
	require.ErrorContains(t, err, "2025-02-07 is before 2026-02-01")
	_, err = Refreshed(good+"<<<<<<<\n", "reference", "x", date, nil)
	require.ErrorContains(t, err, "it begins no entry")
	for name, c := range map[string]struct{ old, to, want string }{
		"another model": {
			"c3 refreshed", "c4 refreshed",
			"a refresh is of the same model, and it is of c4, not of c3",
		},
		"no refresh": {
			"c3 refreshed", "c3",
			"line 22: mail/forest  accuracy is on other data, and the entry is about no refresh",
		},
		"a change": {
			"76.10%, on other data", "76.10%, -0.90 points, p = 0.3",
			"mail/forest  accuracy has changed, and a refresh changes the data alone",
		},
		"another reference": {
			"after 3333333333333333", "after 4444444444444444",
			"the entry above wrote 3333333333333333",
		},
		"no reference above": {" after 3333333333333333", "", "does not say which reference it moved"},
		"a score more": {
			"76.10%, on other data\n",
			"76.10%, on other data\n    mail/forest  logloss 0.5, as before\n",
			"a refresh has the scores of the entry above, which are 1, not 2",
		},
		"another score": {
			"mail/forest  accuracy 76.10%", "mail/forest  brier 76.10%",
			"mail/forest  brier has changed, and is not in the entry above",
		},
	} {
		require.Contains(t, text, c.old, name)
		at := strings.LastIndex(text, c.old)
		require.ErrorContains(t, verify(text[:at]+c.to+text[at+len(c.old):]), c.want, name)
	}
	// A score on data that have not changed.
	two := strings.Replace(good, "c3: another seed\n    reference 3333333333333333\n",
		"c3: another seed\n    reference 3333333333333333\n    post/forest  accuracy 70.00%, the first\n",
		1)
	means := []Mean{{"mail/forest  accuracy", "76.10%", true}, {
		"post/forest  accuracy",
		"70.00%", false,
	}}
	_, err = Refreshed(two, "reference", "x", date, means)
	require.NoError(t, err)
	means[1].Score = "69.99%"
	_, err = Refreshed(two, "reference", "x", date, means)
	require.ErrorContains(t, err, "post/forest  accuracy was 70.00% and is 69.99%: that is not as before")
}
