package learnbench_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/items"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/stretchr/testify/require"
)

// TestAgentInPython runs the program of the page on programs as a system that answers items.
func TestAgentInPython(t *testing.T) {
	citest.Need(t, citest.Slow)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("docs/process.md")
	require.NoError(t, err)
	var source string
	for _, m := range block.FindAllStringSubmatch(string(text), -1) {
		if m[1] == "python" && strings.HasPrefix(m[2], "# agent.py\n") {
			source = m[2]
		}
	}
	require.NotEmpty(t, source)
	cfg := process.Config{
		Args: []string{"python3", "-c", source}, Name: "agent.py",
		Depends: []string{},
	}
	findings, err := learnercheck.Inspect(t.Context(), learnercheck.Program(cfg, time.Minute))
	require.NoError(t, err)
	for _, f := range findings {
		require.NotEqual(t, learnercheck.Failed, f.Outcome, "%s: %s", f.Rule, f.Detail)
	}

	type question struct{ ID, Country, Want string }
	var questions []question
	for i := range 40 {
		q := question{fmt.Sprint("q", i), "France", "Paris"}
		if i%2 == 1 {
			q = question{q.ID, "Japan", "Tokyo"}
		}
		questions = append(questions, q)
	}
	suite := items.New("capitals", questions,
		func(q question) items.Item { return items.Item{ID: q.ID} })
	program := process.ForTest(t, cfg)
	system := func(name string, ask func(ctx context.Context, q question, repeat int) (string,
		error),
	) items.System[question] {
		return items.NewSystem(name, func(ctx context.Context, q question, repeat int) (items.Scores,
			error,
		) {
			answer, err := ask(ctx, q, repeat)
			if answer == q.Want {
				return items.Scores{"correct": 1}, err
			}
			return items.Scores{"correct": 0}, err
		})
	}
	agent := system("agent", func(ctx context.Context, q question, repeat int) (string, error) {
		var a struct{ Text string }
		err := program.Answer(ctx, q.Country, repeat, &a)
		return a.Text, err
	})
	guess := system("guess", func(context.Context, question, int) (string, error) {
		return "London",
			nil
	})
	c := items.Compare(t, items.Config{Parallel: 3}, suite, agent, guess)
	assert.Improves(t, c, assert.Gain(0.25))
}
