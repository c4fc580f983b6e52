package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// answerLimit is how many bytes the answer to an item may have.
const answerLimit = 1 << 20

// Answer has the program answer an item, and stores the answer in the value that response points
// to: a system of package items calls it, and grades the answer. Item and response are JSON, as
// package json has it. An answer with fields that the response has not is an error; fields that it
// leaves out keep their values.
//
// Errors are as for [Learner.Fit]. The program is killed when the context ends before it has
// answered.
func (l *Learner) Answer(ctx context.Context, item any, repeat int, response any) error {
	if err := l.opened(); err != nil {
		return err
	}
	if l.template != nil {
		return fmt.Errorf("%w: a program that reads files answers no items", ErrConfig)
	}
	text, err := json.Marshal(item)
	if err != nil {
		return fmt.Errorf("%w: the item is no JSON: %w", ErrConfig, err)
	}
	c, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer l.give(c)
	if !c.says.answers {
		return fmt.Errorf("%w: it learns, and answers no items", ErrProgram)
	}
	answer, err := c.answer(ctx, text, repeat)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(response); err != nil {
		return fmt.Errorf("%w: %s is no answer of this type: %w", ErrProtocol, quote(answer), err)
	}
	return nil
}

// answer asks for the answer to an item.
func (c *child) answer(ctx context.Context, item []byte, repeat int) (json.RawMessage, error) {
	b := append(c.begin("answer"), `,"item":`...)
	b = append(append(b, item...), `,"repeat":`...)
	a, err := c.send(ctx, append(strconv.AppendInt(b, int64(repeat), 10), "}\n"...), answerLimit)
	if err != nil {
		return nil, err
	}
	if len(a.Answer) == 0 || string(a.Answer) == "null" {
		c.kill()
		return nil, fmt.Errorf(`%w: its answer has no "answer"`, ErrProtocol)
	}
	return a.Answer, nil
}

// SayAnswer asks for the answer to an item, null, and returns an error unless there is one, or an
// error of the program.
func (t *Talk) SayAnswer(ctx context.Context) error {
	_, err := t.c.answer(ctx, []byte("null"), 1)
	if t.c.broken() {
		return err
	}
	return nil
}
