package imports

import (
	"cmp"
	"io"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A dockerResult is an evaluation of docker-agent. A check counts only where something is expected.
type dockerResult struct {
	Path              string  `json:"input_path"`
	Title             string  `json:"title"`
	Question          string  `json:"question"`
	Cost              float64 `json:"cost"`
	Tokens            float64 `json:"output_tokens"`
	Size              string  `json:"size"`
	SizeExpected      string  `json:"size_expected"`
	ToolCalls         float64 `json:"tool_calls_score"`
	ToolCallsExpected float64 `json:"tool_calls_score_expected"`
	Handoffs          *bool   `json:"handoffs"` // in files of older versions
	Relevance         float64 `json:"relevance"`
	RelevanceExpected float64 `json:"relevance_expected"`
	Error             string  `json:"error"`
}

// passed returns 1 if all checks passed. The file does not say it.
func (r *dockerResult) passed() float64 {
	switch {
	case r.SizeExpected != "" && r.Size != r.SizeExpected,
		r.ToolCallsExpected > 0 && r.ToolCalls < 1,
		r.Handoffs != nil && !*r.Handoffs,
		r.RelevanceExpected > 0 && r.Relevance < r.RelevanceExpected:
		return 0
	}
	return 1
}

// readDockerAgent reads the results of docker-agent's evaluations. An item is an evaluation file; its further results are repeats.
func readDockerAgent(c *itemCollector, in io.Reader, s Source) error {
	var run struct {
		Name     string
		Results  []dockerResult
		Sessions []any
	}
	if err := c.document(in, &run); err != nil {
		return err
	}
	if len(run.Sessions) > 0 {
		return c.errorf(1, "there are sessions in place of results, a form that is not read: write each session as a line of JSON, and import the lines as items")
	}
	learner := cmp.Or(s.Learner, run.Name)
	repeats := make(map[string]int)
	for i, r := range run.Results {
		id := cmp.Or(r.Path, r.Title)
		repeats[id]++
		a := answer{
			id: id, repeat: repeats[id], content: digestOf("content", r.Question, r.SizeExpected, text(r.ToolCallsExpected), text(r.RelevanceExpected)),
			values: map[string]float64{"passed": r.passed(), "usd": r.Cost, "output-tokens": r.Tokens},
		}
		if r.Error != "" {
			a.values, a.cause = nil, "error: "+r.Error
		}
		if err := c.add(learner, a, i+1); err != nil {
			return err
		}
	}
	for _, cost := range []string{"usd", "output-tokens"} {
		c.named[cost] = Measure{Column: cost, Better: unit.Lower}
	}
	return nil
}
