package record_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

const groups3x2 = "groups runs=3 folds=2 unstratified seed=1 v1"

// repeating returns a complete block of three runs of two folds, of which two are
// different.
func repeating(t *testing.T, learners ...string) *record.Block {
	t.Helper()
	h := record.Header{
		Data: "d", Protocol: groups3x2, DataDigest: strings.Repeat("a", 64),
		SplitDigest: strings.Repeat("b", 64),
	}
	h.SetDistinct(2)
	b, err := record.NewBlock(h, learners, []unit.Unit{{
		Name: "accuracy", Better: unit.Higher,
		Min: 0, Max: 1,
	}}, 10)
	require.NoError(t, err)
	for _, c := range slices.Collect(b.Missing(3)) {
		require.NoError(t, b.Add(record.Trial{
			Data: "d", Learner: c.Learner, Run: c.Run, Fold: c.Fold,
			TrainN: 5, TestN: 5, Values: []float64{0.5},
		}))
	}
	return b
}

func text(t *testing.T, b *record.Block) string {
	t.Helper()
	var w bytes.Buffer
	require.NoError(t, record.Write(&w, b))
	return w.String()
}

func TestDistinctRunsOfAHeader(t *testing.T) {
	t.Parallel()
	h := record.Header{Protocol: groups3x2}
	require.Equal(t, 3, h.Distinct())
	h.SetDistinct(2)
	require.Equal(t, "2", h.DistinctRuns)
	require.Equal(t, 2, h.Distinct())
	h.SetDistinct(3)
	require.Empty(t, h.DistinctRuns, "all of them")
	require.Equal(t, 3, h.Distinct())
	h.Protocol = "loo seed=1 v1"
	require.Equal(t, 1, h.Distinct())
	h.SetDistinct(1)
	require.Empty(t, h.DistinctRuns)
	h.Protocol = "guess"
	require.Zero(t, h.Distinct())
}

func TestDistinctRunsAreStored(t *testing.T) {
	t.Parallel()
	b := repeating(t, "a", "b")
	written := text(t, b)
	require.Contains(t, written, "\nsplit-sha256: "+strings.Repeat("b",
		64)+"\nDistinct-Runs: 2\nData: d\n")
	f, err := record.Read(strings.NewReader(written), "r.txt")
	require.NoError(t, err)
	require.Equal(t, 2, f.Blocks()[0].Header.Distinct())
	require.Equal(t, written, text(t, f.Blocks()[0]))

	all := repeating(t, "a", "b")
	all.Header.SetDistinct(3)
	require.NotContains(t, text(t, all), "Distinct")

	// It belongs to what the checksum covers.
	require.NotEqual(t, b.Checksum(), all.Checksum())
	_, err = record.Read(strings.NewReader(strings.Replace(written, "Distinct-Runs: 2\n", "", 1)),
		"r.txt")
	require.ErrorIs(t, err, record.ErrChecksum)
}

func TestShardsAgreeOnDistinctRuns(t *testing.T) {
	t.Parallel()
	a, b := repeating(t, "a"), repeating(t, "b")
	b.Header.SetDistinct(1)
	_, err := record.Pair(
		record.Selection{File: record.NewFile(a, b), Data: "d", Learner: "a"},
		record.Selection{File: record.NewFile(a, b), Data: "d", Learner: "b"}, "accuracy")
	require.ErrorIs(t, err, record.ErrMismatch)
	require.ErrorContains(t, err, "Distinct-Runs")
}

func TestDistinctRunsThatAreNone(t *testing.T) {
	t.Parallel()
	head := "learnbench-format: 2\npkg:\ntest:\ncommit:\nprotocol: " + groups3x2 + "\ndata-sha256: " +
		strings.Repeat("a", 64) + "\nsplit-sha256: " + strings.Repeat("b", 64) +
		"\nDistinct-Runs: VALUE\nData: d\nLearners: a\nUnit accuracy better=higher min=0 max=1\n"
	for value, want := range map[string]string{
		"0":        `r.txt:8: key Distinct-Runs: "0" is not a whole number from 1 to 16777216`,
		"02":       `r.txt:8: key Distinct-Runs: "02" is not a whole number from 1 to 16777216`,
		"-1":       `r.txt:8: key Distinct-Runs: "-1" is not a whole number from 1 to 16777216`,
		"two":      `r.txt:8: key Distinct-Runs: "two" is not a whole number from 1 to 16777216`,
		"16777217": `r.txt:8: key Distinct-Runs: "16777217" is not a whole number from 1 to 16777216`,
		"3":        `r.txt:1: Distinct-Runs: 3 are not fewer than the 3 of "groups runs=3 folds=2 unstratified seed=1 v1": leave the key out if all runs differ`,
		"4":        `r.txt:1: Distinct-Runs: 4 are not fewer than the 3 of "groups runs=3 folds=2 unstratified seed=1 v1": leave the key out if all runs differ`,
	} {
		_, err := record.Read(strings.NewReader(strings.Replace(head, "VALUE", value, 1)), "r.txt")
		require.EqualError(t, err, want)
	}
	_, err := record.Read(strings.NewReader(strings.Replace(head, "VALUE", "2", 1)), "r.txt")
	require.NoError(t, err)

	_, err = record.NewBlock(record.Header{
		Data: "d", Protocol: "loo seed=1 v1", DataDigest: strings.Repeat("a", 64),
		SplitDigest: strings.Repeat("b", 64), DistinctRuns: "1",
	}, []string{"a"}, []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}}, 5)
	require.ErrorIs(t, err, record.ErrInvalid)
	require.ErrorContains(t, err, `1 are not fewer than the 1 of "loo seed=1 v1"`)
}
