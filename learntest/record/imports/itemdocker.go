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

// A dockerSession is the conversation of an evaluation, which the result is a part of.
type dockerSession struct {
	Title  string `json:"title"`
	Evals  any    `json:"evals"` // expectations
	Result *struct {
		Passed bool    `json:"passed"`
		Error  string  `json:"error"`
		Cost   float64 `json:"cost"`
		Tokens float64 `json:"output_tokens"`
	} `json:"eval_result"`
	Messages []struct {
		Message struct {
			Message struct{ Role, Content string } `json:"message"`
		} `json:"message"`
	} `json:"messages"`
}

// readDockerAgent reads the results of docker-agent's evaluations, or its sessions. An item is an
// evaluation file, or the title of a session; its further results are repeats.
func readDockerAgent(c *itemCollector, in io.Reader, s Source) error {
	var run struct {
		Name     string
		Results  []dockerResult
		Sessions []dockerSession
		Summary  struct {
			Evaluations int `json:"total_evals"`
		}
	}
	if err := c.document(in, &run); err != nil {
		return err
	}
	var answers []answer
	for _, r := range run.Results {
		content := digestOf("content", r.Question, r.SizeExpected, text(r.ToolCallsExpected),
			text(r.RelevanceExpected))
		answers = append(answers, dockerAnswer(cmp.Or(r.Path, r.Title), content, r.passed(), r.Cost,
			r.Tokens, r.Error))
	}
	switch n := len(run.Sessions); {
	case n > 0 && answers != nil:
		return c.errorf(1, "there are results and sessions: one of both would be left out")
	case n > 0 && n != run.Summary.Evaluations:
		return c.errorf(1, "there are %d sessions of %d evaluations: those without a session have failed, and would be left out", n, run.Summary.Evaluations)
	}
	for i, r := range run.Sessions {
		if r.Result == nil {
			return c.errorf(1, "session %d has no eval_result", i+1)
		}
		content := []string{text(r.Evals)}
		for _, m := range r.Messages {
			if m.Message.Message.Role == "user" {
				content = append(content, m.Message.Message.Content)
			}
		}
		passed := 0.0
		if r.Result.Passed {
			passed = 1
		}
		answers = append(answers, dockerAnswer(r.Title, digestOf("content", content...), passed,
			r.Result.Cost, r.Result.Tokens, r.Result.Error))
	}
	repeats := make(map[string]int)
	for i, a := range answers {
		repeats[a.id]++
		a.repeat = repeats[a.id]
		if err := c.add(cmp.Or(s.Learner, run.Name), a, i+1); err != nil {
			return err
		}
	}
	for _, cost := range []string{"usd", "output-tokens"} {
		c.named[cost] = Measure{Column: cost, Better: unit.Lower}
	}
	return nil
}

func dockerAnswer(id, content string, passed, cost, tokens float64, failure string) answer {
	if failure != "" {
		return answer{id: id, content: content, cause: "error: " + failure}
	}
	return answer{id: id, content: content, values: map[string]float64{
		"passed": passed, "usd": cost,
		"output-tokens": tokens,
	}}
}
