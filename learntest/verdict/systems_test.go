package verdict

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

func TestWordsOfSystems(t *testing.T) {
	t.Parallel()
	names := [2]string{"now", "before"}
	for _, c := range []struct {
		of   [2]string
		want string
	}{
		{[2]string{}, ""},
		{[2]string{"m-2", "m-1"}, "now: m-2; before: m-1"},
		{[2]string{"m-2", ""}, "now: m-2; before: none named"},
		{[2]string{"", "m-2"}, "now: none named; before: m-2"},
		{[2]string{"m-2", "m-2"}, "m-2 on both sides"},
	} {
		require.Equal(t, c.want, versions(names, c.of))
	}
	p := &record.Pairs{Items: &record.ItemPairs{Items: make([]record.Item, 5), A: make([][]float64, 2), B: make([][]float64, 1)}}
	for _, c := range []struct {
		a, b record.Replay
		want string
	}{
		{record.Replay{}, record.Replay{}, ""},
		{record.Replay{Answers: 10, First: "2026-10-02", Last: "2026-10-02"}, record.Replay{}, "all 10 answers of now rest on responses recorded 2026-10-02: they test the program around a model, not the model"},
		{record.Replay{}, record.Replay{Answers: 5, First: "2026-10-02", Last: "2026-10-02"}, "all 5 answers of before rest on responses recorded 2026-10-02: they"},
		{record.Replay{Answers: 5, First: "2026-10-02", Last: "2026-10-04"}, record.Replay{Answers: 1, First: "2026-10-02", Last: "2026-10-02"}, "5 of 10 answers of now rest on responses recorded 2026-10-02 to 2026-10-04; 1 of 5 answers of before rest on"},
	} {
		p.Items.Replays = [2]record.Replay{c.a, c.b}
		require.Contains(t, replays(names, p), c.want)
		require.Equal(t, c.want == "", replays(names, p) == "")
	}
	p.Slice = new(record.PairedSlice)
	require.Contains(t, replays(names, p), "5 answers of now rest on", "of the whole suite")
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
