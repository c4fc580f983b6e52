package verdict

import (
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// onSlice are the pairs of onItems, on the items for which in is true.
func onSlice(t *testing.T, u unit.Unit, n, repeats int, in func(int) bool, cluster func(int) string,
	candidate, baseline func(item, repeat int) float64,
) *record.Pairs {
	t.Helper()
	h := record.Header{Data: "faq", Protocol: record.ItemsProtocol(repeats)}
	var items []record.Item
	for i := range n {
		it := record.Item{ID: fmt.Sprintf("q%04d", i), Content: "01234567"}
		if cluster != nil {
			it.Cluster = cluster(i)
		}
		if in(i) {
			it.Slices = []string{"lang=de"}
		}
		items = append(items, it)
	}
	require.NoError(t, h.SetItems(items))
	b, err := record.NewBlock(h, []string{"now", "before"}, []unit.Unit{u}, 0)
	require.NoError(t, err)
	for i := range n {
		for repeat := 1; repeat <= repeats; repeat++ {
			for l, score := range []func(int, int) float64{candidate, baseline} {
				require.NoError(t, b.Add(record.Trial{
					Data: "faq", Learner: b.Learners[l], Run: repeat,
					Fold: i + 1, TestN: 1, Values: []float64{score(i, repeat)},
				}))
			}
		}
	}
	f := record.NewFile(b)
	p, err := record.Pair(f.Of("faq", "now"),
		f.Of("faq", "before"), unit.OfSlice(u.Name, "lang=de"))
	require.NoError(t, err)
	return p
}

// A slice is judged as a suite of its items alone is.
func TestSlicesOfItemsAreSuites(t *testing.T) {
	t.Parallel()
	cluster := func(i int) string { return fmt.Sprint(i % 7) }
	candidate := func(i, repeat int) float64 { return float64((i*13 + repeat*5) % 7 / 4) }
	baseline := func(i, repeat int) float64 { return float64((i*11 + repeat) % 5 / 2 % 2) }
	for _, u := range []unit.Unit{correct, usd} {
		for _, c := range []Claim{
			{},
			{Kind: NoRegression, Margin: 0.2},
			{Kind: Improves},
			{Kind: Equivalent, Margin: 0.3},
		} {
			got := Judge(onSlice(t, u, 90, 2, func(i int) bool { return i >= 40 }, cluster, candidate,
				baseline), c)
			want := Judge(onItems(u, 50, 2, func(i int) string { return cluster(i + 40) },
				func(i, repeat int) float64 { return candidate(i+40, repeat) },
				func(i, repeat int) float64 { return baseline(i+40, repeat) }), c)
			require.NoError(t, got.Err)
			require.NoError(t, want.Err)
			require.Equal(t, fmt.Sprintf("%+v", want.Findings), fmt.Sprintf("%+v", got.Findings)) // which have NaN
			require.Equal(t, want.Outcome, got.Outcome)
			require.Equal(t, want.Holds, got.Holds)
			require.Equal(t, fmt.Sprint(want.Detectable), fmt.Sprint(got.Detectable))
			require.Equal(t, want.Help, got.Help)
			require.Equal(t, []float64{want.CandidateMean, want.BaselineMean}, []float64{
				got.CandidateMean,
				got.BaselineMean,
			})
			require.Equal(t, []int{50, 7, want.Items.Better, want.Items.Worse},
				[]int{got.Items.N, got.Items.Clusters, got.Items.Better, got.Items.Worse})
			requireShifted(t, want.Items.Flips, got.Items.Flips)
			require.Equal(t, record.Slice{Name: "lang=de", Members: 50, Digest: got.Slice.Digest},
				*got.Slice)
			require.Contains(t, got.String(), "  slice          lang=de, 50 items\n")
			require.NotContains(t, want.String(), "slice")
			require.Equal(t, "lang=de", got.Subject().Slice)
		}
	}
}

// requireShifted checks that the same items have changed, whose ids are 40 places apart.
func requireShifted(t *testing.T, want, got []Flip) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		var a, b int
		_, err := fmt.Sscanf(got[i].ID+" "+want[i].ID, "q%04d q%04d", &a, &b)
		require.NoError(t, err)
		require.Equal(t, b+40, a)
	}
}

// TestSlicesOfTooFewItems has slices of 29 items, or of four clusters, which no verdict judges.
func TestSlicesOfTooFewItems(t *testing.T) {
	t.Parallel()
	first := func(n int) func(int) bool { return func(i int) bool { return i < n } }
	for _, c := range []struct {
		members, clusters int
		want              string
	}{
		{30, 5, ""},
		{30, 0, ""},
		{29, 0, "too small to be judged: slice lang=de has 29 items, fewer than 30"},
		{30, 4, "too small to be judged: slice lang=de has 30 items in 4 clusters, fewer than 5"},
	} {
		var cluster func(int) string
		if c.clusters > 0 {
			cluster = func(i int) string { return fmt.Sprint(i % c.clusters) }
		}
		p := onSlice(t, correct, 60, 1, first(c.members), cluster, below(10), below(20))
		v := Judge(p, Claim{Kind: NoRegression, Margin: 0.3})
		_, err := Claim{Kind: NoRegression, Margin: 0.3}.ForItems(p.CandidateHeader, p.Unit,
			p.Items.Items)
		if c.want == "" {
			require.NoError(t, v.Err)
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, v.Err, ErrTooSmall)
		require.EqualError(t, v.Err, c.want)
		require.EqualError(t, err, c.want, "known before anything is asked")
		require.False(t, v.Holds)
		require.InDelta(t, 10./float64(c.members), v.CandidateMean, 1e-12)
	}
	p := onSlice(t, correct, 60, 1, first(40), nil, below(10), below(20))
	for _, c := range []Claim{
		{Kind: AtLeast, Threshold: 0.1},
		{Kind: Unbeaten},
		{Kind: NoRegression, Margin: 0.3, Replicability: 0.9},
	} {
		require.ErrorIs(t, Judge(p, c).Err, ErrClaim)
	}
	require.ErrorContains(t, Judge(onItems(correct, 60, 1, nil, below(10), below(20)),
		Claim{Slices: &Slices{}}).Err, "the scores of all items")
	// A slice on which nothing differs shows no more than its own items can.
	p = onSlice(t, correct, 400, 1, first(40), nil, constant(1), constant(1))
	require.False(t, Judge(p, Claim{Kind: NoRegression, Margin: 0.05}).Holds)
	require.True(t, Judge(p, Claim{Kind: NoRegression, Margin: 0.08}).Holds)
}
