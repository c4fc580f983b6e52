package process

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/stretchr/testify/require"
)

type echo struct {
	Text   string
	Repeat int
	PID    int
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	l := served(t, "answers")
	text := "two\nlines, <b> & \u2028 \"quotes\" ü"
	var got echo
	require.NoError(t, l.Answer(t.Context(), text, 3, &got))
	require.Equal(t, echo{text, 3, got.PID}, got)
	var again echo
	require.NoError(t, l.Answer(t.Context(), text, 1, &again))
	require.Equal(t, got.PID, again.PID, "one process answers one after the other")

	err := l.Answer(t.Context(), nil, 1, &got)
	require.ErrorIs(t, err, ErrProgram)
	require.EqualError(t, err, "the program says: no item")
	require.NoError(t, l.Answer(t.Context(), text, 1, &again))
	require.Equal(t, got.PID, again.PID, "it lives on")

	require.ErrorIs(t, l.Answer(t.Context(), math.NaN(), 1, &got), ErrConfig)
	_, err = trial(t.Context(), l, uci.Iris(), 1)
	require.ErrorContains(t, err, "the program says: it answers items, and does not learn")
	err = served(t).Answer(t.Context(), text, 1, &got)
	require.EqualError(t, err, "the program says: it learns, and answers no items")
	files, err := New(Config{Args: []string{"x", "{train}", "{test}", "{pred}"}, Depends: []string{}})
	require.NoError(t, err)
	require.ErrorIs(t, files.Answer(t.Context(), text, 1, &got), ErrConfig)

	// Several at a time have several processes.
	var wg sync.WaitGroup
	var errs [8]error
	var many [8]echo
	for i := range many {
		wg.Go(func() { errs[i] = l.Answer(t.Context(), text, i, &many[i]) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs[:]...))
	for i := range many {
		require.Equal(t, i, many[i].Repeat)
	}
}

// TestAnswersThatAreNone counts each fault of a program as one failed answer.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
		is   error
	}{
		{
			[]string{"crash=answer"},
			"the program ended: exit status 7: its last words: about to crash",
			ErrEnded,
		},
		{[]string{"garbage=answer"}, `"Training 100%" is no answer`, ErrProtocol},
		{[]string{"id=answer"}, "answers message 7, not 2", ErrProtocol},
		{[]string{"endless=answer"}, "longer than any answer could be", ErrProtocol},
		{[]string{"raw=answer", `text={"id":ID}`}, `its answer has no "answer"`, ErrProtocol},
		{
			[]string{"raw=answer", `text={"id":ID,"answer":null}`},
			`its answer has no "answer"`,
			ErrProtocol,
		},
		{
			[]string{"raw=answer", `text={"id":ID,"answer":{"words":"x"}}`},
			`"{\"words\":\"x\"}" is no answer of this type: json: unknown field "words"`, ErrProtocol,
		},
		{
			[]string{"raw=answer", `text={"id":ID,"answer":{"text":7}}`},
			"is no answer of this type",
			ErrProtocol,
		},
		{
			[]string{"raw=answer", `text={"id":ID,"answer":{"text":"a"},"answer":{"text":"b"}}`},
			`it has "answer" twice`, ErrProtocol,
		},
		{
			[]string{"raw=answer", `text={"id":ID,"Answer":{"text":"a"}}`},
			`it has "Answer", and the key is "answer"`, ErrProtocol,
		},
		{
			[]string{"raw=answer", `text={"id":ID,"answer":{"text":"a"},"labels":[1]}`},
			"it has both answer and labels", ErrProtocol,
		},
	} {
		l := served(t, append([]string{"answers"}, c.args...)...)
		var got echo
		err := l.Answer(t.Context(), "x", 1, &got)
		require.ErrorIs(t, err, c.is, c.want)
		require.ErrorContains(t, err, c.want)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	l := served(t, "answers", "hang=answer")
	var got echo
	require.ErrorIs(t, l.Answer(ctx, "x", 1, &got), context.DeadlineExceeded)
	require.Eventually(t, func() bool { return len(processes(l)) == 0 }, 20*time.Second,
		time.Millisecond, "it is killed")

	// A long answer is none of the mistakes.
	l = served(t, "answers")
	long := strings.Repeat("word ", 100_000)
	require.NoError(t, l.Answer(t.Context(), long, 1, &got))
	require.Equal(t, long, got.Text)
}
