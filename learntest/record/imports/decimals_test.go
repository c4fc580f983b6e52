package imports

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where semicolons or tabs separate columns, decimals may have a comma.
func TestDecimalsMayHaveCommas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(testdata("table", "semicolons.csv"))
	require.NoError(t, err)
	o := tableOptions(t, "semicolons.csv")
	want, err := readText(t, "table", o, "", string(text))
	require.NoError(t, err)
	require.NotContains(t, want.Assumed, "decimals have a comma")
	for _, text := range []string{
		strings.ReplaceAll(string(text), ".", ","),
		strings.ReplaceAll(strings.ReplaceAll(string(text), ".", ","), "\n", "\r\n"),
		"\ufeff" + strings.ReplaceAll(strings.ReplaceAll(string(text), "0.9;", "\"9,0e-1\";"), ".", ","),
		strings.ReplaceAll(strings.ReplaceAll(string(text), ".", ","), ";", "\t"),
	} {
		res, err := readText(t, "table", o, "", text)
		require.NoError(t, err)
		require.Contains(t, res.Assumed, "decimals have a comma")
		for _, l := range []string{"tree", "bayes"} {
			require.Equal(t, scoresOf(want.Blocks[0], l, 0), scoresOf(res.Blocks[0], l, 0))
		}
	}
}

// Nothing is taken for a decimal comma that may be another: of thousands, or of columns.
func TestCommasThatAreNoDecimals(t *testing.T) {
	t.Parallel()
	const head = "dataset;model;repeat;fold;score\niris;tree;0;0;"
	for _, c := range []struct{ text, want string }{
		{head + "1.234,5\n", `:2: column "score": "1.234,5" is not a finite number`},
		{head + "1,234,5\n", `:2: column "score": "1,234,5" is not a finite number`},
		{
			head + "0,5\niris;tree;0;1;1.5\n",
			`:3: column "score": "1.5" has a decimal point, but a number in line 2 has a comma: write all of them alike`,
		},
		{
			head + "0.5\niris;tree;0;1;1,5\n",
			`:3: column "score": "1,5" has a decimal comma, but a number in line 2 has a point: write all of them alike`,
		},
		{
			strings.ReplaceAll(head, ";", ",") + "\"0,5\"\n",
			`:2: column "score": "0,5" is not a finite number: write decimals with a point`,
		},
	} {
		_, err := readText(t, "table", tableOptions(t, "semicolons.csv"), "", c.text)
		require.ErrorContains(t, err, c.want)
	}
}

// Scores that were rounded are still held against the sizes of test sets.
func TestRoundedDecimalsWithCommas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(testdata("table", "semicolons.csv"))
	require.NoError(t, err)
	wrong := strings.Replace(strings.ReplaceAll(string(text), ".", ","), "tree;0;0;0,9",
		"tree;0;0;0,95", 1)
	_, err = readText(t, "table", tableOptions(t, "semicolons.csv"), "", wrong)
	require.ErrorContains(t, err, "accuracy 0.95 is not a multiple of 1/30")
}
