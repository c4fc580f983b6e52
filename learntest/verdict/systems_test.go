package verdict

import (
	"encoding/json"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/stretchr/testify/require"
)

func TestWordsOfSystems(t *testing.T) {
	t.Parallel()
	names := [2]string{"now", "before"}
	for _, c := range []struct {
		of   [2]string
		one  bool
		want string
	}{
		{[2]string{}, false, ""},
		{[2]string{}, true, "none named on either side: nothing shows whether another model answers under this name"},
		{[2]string{"m-2", "m-1"}, true, "now: m-2; before: m-1"},
		{[2]string{"m-2", ""}, true, "now: m-2; before: none named"},
		{[2]string{"", "m-2"}, true, "now: none named; before: m-2"},
		{[2]string{"m-2", "m-2"}, false, "m-2 on both sides"},
	} {
		s := systems{versions: c.of, one: c.one}
		require.Equal(t, c.want, s.named(names))
	}
	s := systems{answers: [2]int{10, 5}}
	for _, c := range []struct {
		a, b record.Replay
		want string
	}{
		{record.Replay{}, record.Replay{}, ""},
		{
			record.Replay{Answers: 10, First: "2026-10-02", Last: "2026-10-02"},
			record.Replay{},
			"all 10 answers of now rest on responses recorded 2026-10-02: they test the program around a model, not the model",
		},
		{
			record.Replay{},
			record.Replay{Answers: 5, First: "2026-10-02", Last: "2026-10-02"},
			"all 5 answers of before rest on responses recorded 2026-10-02: they",
		},
		{
			record.Replay{Answers: 5, First: "2026-10-02", Last: "2026-10-04"},
			record.Replay{
				Answers: 1,
				First:   "2026-10-02", Last: "2026-10-02",
			},
			"5 of 10 answers of now rest on responses recorded 2026-10-02 to 2026-10-04; 1 of 5 answers of before rest on",
		},
	} {
		s.replays = [2]record.Replay{c.a, c.b}
		require.Contains(t, s.recorded(names), c.want)
		require.Equal(t, c.want == "", s.recorded(names) == "")
	}
	s.some = true
	require.Contains(t, s.recorded(names), "5 answers of now rest on", "of the whole suite")
	for _, c := range []struct {
		repeats     [][]float64
		probe, want string
	}{
		{[][]float64{{1, 0}}, "", ""},
		{[][]float64{{1, 0}}, "yes", ""},
		{[][]float64{{1, 0}}, "unknown", ""},
		{[][]float64{{1, 0}}, "no", "other scores when items are asked for again, of which repeats would show the part in the variance"},
		{[][]float64{{1, 0}}, "yes/3", "equal scores when 3 items are asked for again"},
		{[][]float64{{1, 0}, {1, 0}}, "no", "equal scores in all 2 repeats, which count as one"},
		{[][]float64{{1, 0}, {1, 0}, {1, 1}}, "yes/3", ""},
	} {
		require.Equal(t, c.want, variation(c.repeats, c.probe))
	}
}

// TestFactsOfSystems sees to it that machines read what a text says of versions and recorded
// responses.
func TestFactsOfSystems(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 60, 1, nil, below(50), below(45))
	require.NotContains(t, Judge(p, Claim{}).String(), "  versions ",
		"names tell two systems of today apart")
	p.CandidateLearner, p.BaselineLearner = "agent", "agent"
	v := Judge(p, Claim{})
	require.NoError(t, v.Err)
	require.Contains(t, v.String(), "  versions       none named on either side: ")
	text, err := json.Marshal(v)
	require.NoError(t, err)
	for _, key := range []string{"version", "recorded"} {
		require.NotContains(t, string(text), key+`":`)
	}

	p.Items.Versions = [2]string{"m-2", "m-1"}
	p.Items.Replays[0] = record.Replay{Answers: 60, First: "2026-10-02", Last: "2026-10-04"}
	f := Judge(p, Claim{}).Facts().Items
	require.Equal(t, []string{"m-1", "m-2"}, []string{f.OldVersion, f.NewVersion})
	require.Equal(t, &RecordedFacts{60, "2026-10-02", "2026-10-04"}, f.NewRecorded)
	require.Nil(t, f.OldRecorded)
	p.Items.Replays[0], p.Items.Replays[1] = p.Items.Replays[1], p.Items.Replays[0]
	f = Judge(p, Claim{}).Facts().Items
	require.Equal(t, &RecordedFacts{60, "2026-10-02", "2026-10-04"}, f.OldRecorded)
	require.Nil(t, f.NewRecorded)
	p.Items.LeftOut.Baseline = 1
	require.Contains(t, Judge(p, Claim{}).String(), "  responses      60 answers of before rest on ",
		"one of which was perhaps left out")
}

// A system is one by the names that its results have, whatever texts call it; replays are counted
// against the answers of their side.
func TestSystemsOfPairs(t *testing.T) {
	t.Parallel()
	p := onItems(correct, 60, 1, nil, below(50), below(45))
	r := new(itemwise.Result)
	for _, c := range []struct {
		candidate, candidateLearner, baseline, baselineLearner string
		one                                                    bool
	}{
		{"agent", "", "agent", "", true},
		{"agent", "", "bot", "", false},
		{"agent now", "agent", "agent", "", true},
		{"agent", "", "agent at c0ffee", "agent", true},
		{"agent", "bot", "agent", "agent", false},
	} {
		p.Candidate, p.CandidateLearner, p.Baseline, p.BaselineLearner = c.candidate, c.candidateLearner,
			c.baseline, c.baselineLearner
		s := systemsOf(r, p)
		require.Equal(t, c.one, s.one, "%v", c)
		require.False(t, s.some)
	}
	p.Items.A = append(p.Items.A, p.Items.A[0])
	require.Equal(t, [2]int{120, 60}, systemsOf(r, p).answers)
	p.Slice = new(record.PairedSlice)
	s := systemsOf(r, p)
	require.True(t, s.some)
}

// TestSizesOfVerdicts names the clusters, where items share some.
func TestSizesOfVerdicts(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]Facts{
		"10×5":                    {Runs: 10, Folds: 5},
		"60 items":                {Items: &ItemFacts{Items: 60, Clusters: 60}},
		"60 items in 59 clusters": {Items: &ItemFacts{Items: 60, Clusters: 59}},
	} {
		require.Equal(t, want, f.Size())
	}
}
