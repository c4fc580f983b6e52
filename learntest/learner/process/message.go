package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// protocolVersion is the version of docs/process.md.
const protocolVersion = 1

const (
	lineLimit   = 1 << 16 // bytes of an answer without predictions
	numberLimit = 64      // bytes of a number in an answer
)

// TableSlots is how many tables a program keeps.
const TableSlots = 4

// slots are the digests of the tables that a program keeps, the first under number 1.
type slots struct {
	digests [TableSlots]string
	used    [TableSlots]int // when each was used last
	clock   int
}

// number returns the number of a table, and whether the program has it. If not, it
// takes the number of the one that was not used for the longest time.
func (s *slots) number(digest string) (n int, known bool) {
	s.clock++
	i := slices.Index(s.digests[:], digest)
	known = i >= 0
	if !known {
		i = slices.Index(s.used[:], slices.Min(s.used[:]))
		s.digests[i] = digest
	}
	s.used[i] = s.clock
	return i + 1, known
}

// A hello is the first answer of a program, about itself.
type hello struct {
	name             string
	classes, numbers bool // kinds of predictions
	answers          bool // to items
	tables, weights  bool // whether it keeps tables, and uses weights
}

// proofNumbers are echoed by programs that lose no digits.
func proofNumbers() []float64 {
	return []float64{
		0.1, -1.0 / 3, 123456789.12345679, 9007199254740991, 1e22,
		2.2250738585072014e-308, math.MaxFloat64, math.NaN(),
	}
}

// An answer is any line that a program prints.
type answer struct {
	ID    *int64  `json:"id"`
	Error *string `json:"error"`

	Protocol *int       `json:"protocol"`
	Name     string     `json:"name"`
	Predicts []string   `json:"predicts"`
	Tables   bool       `json:"tables"`
	Weights  bool       `json:"weights"`
	Numbers  []*float64 `json:"numbers"`

	Gives         *string      `json:"gives"`
	Labels        []*int       `json:"labels"`
	Probabilities [][]*float64 `json:"probabilities"`
	Values        []*float64   `json:"values"`

	Answer json.RawMessage `json:"answer"`
}

// begin starts a message in the memory of the last one.
func (c *child) begin(op string) []byte {
	c.asked++
	b := append(c.request[:0], `{"id":`...)
	b = strconv.AppendInt(b, int64(c.asked), 10)
	b = append(b, `,"op":"`...)
	return append(append(b, op...), '"')
}

// ask sends the message b without its end, and returns the answer. The error names the op
// unless it is what the caller was asked for.
func (c *child) ask(ctx context.Context, op string, b []byte, numbers int) (*answer, error) {
	a, err := c.send(ctx, append(b, "}\n"...), lineLimit+numberLimit*numbers)
	if err != nil && (op == "hello" || op == "table") {
		err = fmt.Errorf("%s: %w", op, err)
	}
	return a, err
}

// send sends a message and reads the answer.
func (c *child) send(ctx context.Context, message []byte, limit int) (*answer, error) {
	c.request = message
	line, err := c.exchange(ctx, message, limit)
	if err != nil {
		return nil, err
	}
	a, err := readAnswer(line, int64(c.asked))
	if err != nil && !errors.Is(err, ErrProgram) {
		c.kill()
	}
	return a, err
}

var errUnread = errors.New("it could not read message")

// readAnswer reads the answer to the message with a number.
func readAnswer(line []byte, id int64) (*answer, error) {
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		hint := "print on standard error: standard output is for answers"
		if start := strings.TrimSpace(string(line[:min(len(line), 8)])); strings.HasPrefix(start, "{") {
			hint = "JSON has no NaN, no Infinity and no trailing commas"
		}
		return nil, fmt.Errorf("%w: %s is no answer: %w (%s)", ErrProtocol, quote(line), err, hint)
	}
	if err := checkKeys(line); err != nil {
		return nil, fmt.Errorf("%w: %s is no answer: %w", ErrProtocol, quote(line), err)
	}
	switch {
	case a.ID == nil && a.Error != nil:
		return nil, fmt.Errorf("%w: %w %d: %s", ErrProtocol, errUnread, id, *a.Error)
	case a.ID == nil:
		return nil, fmt.Errorf("%w: %s is no answer: it has no id", ErrProtocol, quote(line))
	case *a.ID != id:
		return nil, fmt.Errorf("%w: %s answers message %d, not %d: each message has one answer",
			ErrProtocol, quote(line), *a.ID, id)
	case a.Error != nil:
		return nil, fmt.Errorf("%w: %s", ErrProgram, *a.Error)
	}
	return &a, nil
}

// hello greets a program and returns its description.
func (c *child) hello(ctx context.Context) error {
	b := c.begin("hello")
	b = append(b, `,"protocol":`...)
	b = strconv.AppendInt(b, protocolVersion, 10)
	b = appendList(append(b, `,"numbers":`...), proofNumbers(), appendNumber)
	a, err := c.ask(ctx, "hello", b, 0)
	if err != nil {
		return err
	}
	if err := c.take(a); err != nil {
		c.kill()
		return fmt.Errorf("hello: %w: %w", ErrProtocol, err)
	}
	return nil
}

// take checks the answer to hello.
func (c *child) take(a *answer) error {
	if a.Protocol == nil || *a.Protocol != protocolVersion {
		return fmt.Errorf("its answer has not the protocol %d", protocolVersion)
	}
	c.says = hello{name: a.Name, tables: a.Tables, weights: a.Weights}
	for _, p := range a.Predicts {
		switch p {
		case "classes":
			c.says.classes = true
		case "numbers":
			c.says.numbers = true
		case "answers":
			c.says.answers = true
		default:
			return fmt.Errorf("it predicts %q, which is neither classes nor numbers nor answers", p)
		}
	}
	if !c.says.classes && !c.says.numbers && !c.says.answers {
		return errors.New("it does not say whether it predicts classes, numbers or answers")
	}
	want := proofNumbers()
	if len(a.Numbers) != len(want) {
		return fmt.Errorf("its answer repeats %d of %d numbers", len(a.Numbers), len(want))
	}
	for i, x := range a.Numbers {
		switch {
		case x == nil && math.IsNaN(want[i]):
		case x == nil || math.IsNaN(want[i]):
			return errors.New("it does not repeat null, which is a missing value, as null")
		case *x != want[i]:
			return fmt.Errorf("it repeats %v as %v: write numbers with 17 digits", want[i], *x)
		}
	}
	return nil
}

// appendList appends a JSON array.
func appendList[T any](b []byte, xs []T, app func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, x := range xs {
		if i > 0 {
			b = append(b, ',')
		}
		b = app(b, x)
	}
	return append(b, ']')
}

// appendNumber appends a number, null if it is missing.
func appendNumber(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, "null"...)
	case x == math.Trunc(x) && math.Abs(x) < 1e15 && (x != 0 || !math.Signbit(x)):
		return strconv.AppendInt(b, int64(x), 10)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// appendCode appends the index of a nominal value, null if it is missing.
func appendCode(b []byte, code int32) []byte {
	if code < 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(code), 10)
}

func appendInt(b []byte, i int) []byte { return strconv.AppendInt(b, int64(i), 10) }

// appendText appends a text, in which only what must be is escaped: programs without a
// library for JSON can read it, too.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

func appendAttribute(b []byte, a dataset.Attribute) []byte {
	b = appendText(append(b, `{"name":`...), a.Name)
	if a.Kind == dataset.Nominal {
		b = appendList(append(b, `,"values":`...), a.Values, appendText)
	}
	return append(b, '}')
}

// appendExamples appends the given rows, or all if rows is nil: the attributes with their
// values column by column, and the attribute to be predicted without values.
func appendExamples(b []byte, t *dataset.Table, rows []int) []byte {
	var attributes []int
	for j := range t.NumAttributes() {
		if j != t.ClassIndex() {
			attributes = append(attributes, j)
		}
	}
	b = appendText(append(b, `,"name":`...), t.Name())
	b = appendAttribute(append(b, `,"target":`...), t.Attribute(t.ClassIndex()))
	b = appendList(append(b, `,"attributes":`...), attributes,
		func(b []byte, j int) []byte { return appendAttribute(b, t.Attribute(j)) })
	return appendList(append(b, `,"columns":`...), attributes, func(b []byte, j int) []byte {
		if t.Attribute(j).Kind == dataset.Nominal {
			return appendSome(b, t.Codes(j), rows, appendCode)
		}
		return appendSome(b, t.Numbers(j), rows, appendNumber)
	})
}

// appendSome appends some values of a column, all if rows is nil.
func appendSome[T any](b []byte, xs []T, rows []int, app func([]byte, T) []byte) []byte {
	if rows == nil {
		return appendList(b, xs, app)
	}
	return appendList(b, rows, func(b []byte, r int) []byte { return app(b, xs[r]) })
}
