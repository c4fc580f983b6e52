package process

import (
	"context"
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A Talk is a conversation with a running program, for checks of programs that are to speak the
// protocol: it says what no comparison says. It is used by one goroutine at a time.
type Talk struct {
	l *Learner
	c *child
}

// Abilities are what a program says of itself.
type Abilities struct {
	Name             string // "" if it does not say
	Classes, Numbers bool   // kinds of predictions
	Answers          bool   // whether it answers items
	Tables, Weights  bool   // whether it keeps tables, and uses weights
}

// Speaks reports whether the program speaks the protocol, rather than reads files.
func (l *Learner) Speaks() bool { return l.template == nil }

// Talk returns a conversation with a program that has said hello. It must be closed.
func (l *Learner) Talk(ctx context.Context) (*Talk, error) {
	c, err := l.take(ctx)
	if err != nil {
		return nil, err
	}
	return &Talk{l, c}, nil
}

// Close has the program serve models again, if it can.
func (t *Talk) Close() { t.l.give(t.c) }

// Abilities returns what the program has said of itself.
func (t *Talk) Abilities() Abilities {
	s := t.c.says
	return Abilities{
		Name: s.name, Classes: s.classes, Numbers: s.numbers, Answers: s.answers,
		Tables: s.tables, Weights: s.weights,
	}
}

// SayNoJSON sends a line that is no JSON, and returns an error unless the answer is one without id.
func (t *Talk) SayNoJSON(ctx context.Context) error {
	return t.wantError(ctx, []byte("hello?"), errUnread, "null")
}

// SayUnknown sends an op that does not exist, and returns an error unless the answer is one.
func (t *Talk) SayUnknown(ctx context.Context) error {
	return t.wantError(ctx, append(t.c.begin("dance"), '}'), ErrProgram, "")
}

// SayPredict asks for a prediction for the first row of a table. Before a model is trained the
// answer must be an error; any other answer makes SayPredict return one.
func (t *Talk) SayPredict(ctx context.Context, table *dataset.Table) error {
	b, err := t.c.message(ctx, "predict", table, []int{0})
	if err != nil {
		return err
	}
	return t.wantError(ctx, append(b, '}'), ErrProgram, "")
}

// wantError returns an error unless the answer to a message is an error of the given kind. The
// id of the answer must be id, or the message's own id if id is empty.
func (t *Talk) wantError(ctx context.Context, message []byte, want error, id string) error {
	line, err := t.c.exchange(ctx, append(message, '\n'), lineLimit)
	if err != nil {
		return err
	}
	if _, err = readAnswer(line, int64(t.c.asked)); errors.Is(err, want) {
		return nil
	}
	t.c.kill()
	if id == "" {
		id = fmt.Sprint(t.c.asked)
	}
	return fmt.Errorf("%w: %s is no error with the id %s", ErrProtocol, quote(line), id)
}

// End ends the standard input of the program, and returns an error unless the program ends then.
func (t *Talk) End(ctx context.Context) error {
	t.c.stdin.Close()
	select {
	case <-t.c.exited:
	case <-ctx.Done():
		t.c.kill()
		return fmt.Errorf("%w: it has not ended with its standard input: %w", ErrProtocol,
			context.Cause(ctx))
	}
	if t.c.state != nil {
		return fmt.Errorf("%w: it ended with %w: want exit status 0", ErrProtocol, t.c.state)
	}
	return nil
}
