package process

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
)

// An Outcome is what a check came to.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "ok"
	Refused Outcome = "refused" // by an error, which a program may answer here
	Failed  Outcome = "FAILED"
	Allowed Outcome = "allowed" // to fail, and has
)

// Learning is the check that other labels of the training examples make other predictions. A program
// whose model was trained elsewhere is to be allowed to fail it.
const Learning = "other labels of the training examples"

// A Finding is what one check of a program came to.
type Finding struct {
	Check   string // what is checked
	Outcome Outcome
	Detail  string // what was found, if more is to be said
	Why     string // what depends on it
}

// Check checks that a program keeps to the protocol, with messages of each kind
// and errors of each, on small tables, and that it learns. A check that takes longer than limit has failed;
// [Learning] may be allowed to. The error says why there are no findings; what is wrong with the program
// is not an error.
func Check(ctx context.Context, cfg Config, limit time.Duration, allowed ...string) ([]Finding, error) {
	for _, name := range allowed {
		if name != Learning {
			return nil, fmt.Errorf("%w: check %q cannot be allowed to fail: only %q can", ErrConfig, name, Learning)
		}
	}
	cfg.Depends = []string{} // nothing that go test could cache
	l, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if l.template != nil {
		return nil, fmt.Errorf("%w: a program that reads files speaks no protocol", ErrConfig)
	}
	k := &checker{l: l, cfg: cfg}
	var findings []Finding
	for _, c := range checks() {
		f := k.run(ctx, c, limit)
		if ctx.Err() != nil {
			return nil, errors.Join(context.Cause(ctx), l.Close())
		}
		if f.Outcome == Failed && slices.Contains(allowed, c.name) {
			f.Outcome = Allowed
		}
		if f.Outcome != "" {
			findings = append(findings, f)
		}
		if c.vital && f.Outcome != Passed {
			break // all others would fail, too
		}
	}
	return findings, l.Close()
}

// A checker is a program that is checked.
type checker struct {
	l    *Learner
	cfg  Config
	says hello
}

// A check is one of the checker.
type check struct {
	name, why string
	may       bool // refuse
	vital     bool
	needs     func(h hello) bool // nil if all programs do it
	do        func(ctx context.Context, k *checker) (detail string, err error)
}

// run runs a check. The outcome is empty if it is not for the program.
func (k *checker) run(ctx context.Context, c check, limit time.Duration) Finding {
	f := Finding{Check: c.name, Why: c.why}
	if c.needs != nil && !c.needs(k.says) {
		return f
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no end within %v", limit))
	defer cancel()
	detail, err := c.do(ctx, k)
	f.Outcome, f.Detail = Passed, detail
	if err != nil {
		f.Outcome, f.Detail = Failed, err.Error()
		if c.may && errors.Is(err, ErrProgram) {
			f.Outcome = Refused
		}
	}
	return f
}

// checks returns all checks in their order.
func checks() []check {
	classes := func(h hello) bool { return h.classes }
	return []check{
		{name: "hello", why: "it says what the program can, and repeats numbers, so that no digit gets lost", vital: true, do: checkHello},
		{name: "a line that is no JSON is an error without id", why: "the program tells what is wrong rather than end", do: checkNoJSON},
		{name: "an unknown op is an error", why: "the program tells what is wrong rather than end", do: checkUnknown},
		{name: "to predict before fit is an error", why: "the program tells what is wrong rather than end", do: checkEarly},
		{name: "fit and predict", why: "each example has one prediction, in the order asked for", vital: true, do: checkTrial},
		{name: "one example", why: "lists of one are lists", do: checkOne},
		{name: "the same again", why: "a model depends on nothing but the examples and the seed, so not on what was learned before", do: checkAgain},
		{name: "the same from another process", why: "any of several processes may serve a trial", do: checkOther},
		{name: "the same in another order", why: "the prediction for an example is not due to its neighbours", do: checkOrder},
		{name: Learning, why: "what predicts the same whatever it was trained on has learned nothing, so that no change shows in its scores", do: checkLearning},
		{name: "the largest seed", why: "it has 64 bits: JSON readers may round it, so that it is a text", do: checkSeed},
		{name: "several tables", why: "a table takes the place of the one with its number", needs: func(h hello) bool { return h.tables }, do: checkTables},
		{name: "names of all kinds", why: "names have spaces, quotes and letters of all languages", do: checkNames},
		{name: "numbers as target", why: "it says that it predicts numbers", needs: func(h hello) bool { return h.classes && h.numbers }, may: true, do: checkNumbers},
		{name: "a class without training examples", why: "folds may lack a rare class: it has probability 0, or little", needs: classes, may: true, do: checkAbsent},
		{name: "a single class", why: "folds may have one class only", needs: classes, may: true, do: checkSingle},
		{name: "nominal attributes", why: "they come as indices of values", may: true, do: checkNominal},
		{name: "missing values", why: "they come as null", may: true, do: checkMissing},
		{name: "weights", why: "it says that it uses weights", needs: func(h hello) bool { return h.weights }, may: true, do: checkWeights},
		{name: "end of input", why: "a program that does not end with its standard input may stay behind", do: checkEnd},
	}
}

func checkHello(ctx context.Context, k *checker) (string, error) {
	return k.with(ctx, func(c *child) (string, error) {
		k.says = c.says
		var says []string
		for _, s := range []struct {
			is   bool
			text string
		}{{c.says.classes, "predicts classes"}, {c.says.numbers, "predicts numbers"}, {c.says.tables, "keeps tables"}, {c.says.weights, "uses weights"}} {
			if s.is {
				says = append(says, s.text)
			}
		}
		return strings.TrimPrefix(c.says.name+": ", ": ") + strings.Join(says, ", "), nil
	})
}

// with calls f with a process that nobody else uses.
func (k *checker) with(ctx context.Context, f func(c *child) (string, error)) (string, error) {
	c, err := k.l.take(ctx)
	if err != nil {
		return "", err
	}
	defer k.l.give(c)
	return f(c)
}

// wantError returns an error unless a message is answered by one, whose id is that of the
// message, or null if the message has none.
func wantError(ctx context.Context, c *child, message []byte, anonymous bool) (string, error) {
	line, err := c.exchange(ctx, append(message, '\n'), lineLimit)
	if err != nil {
		return "", err
	}
	want := ErrProgram
	if anonymous {
		want = errUnread
	}
	if _, err = readAnswer(line, int64(c.asked)); errors.Is(err, want) {
		return "", nil
	}
	c.kill()
	id := fmt.Sprint(c.asked)
	if anonymous {
		id = "null"
	}
	return "", fmt.Errorf("%w: %s is no error with the id %s", ErrProtocol, quote(line), id)
}

func checkNoJSON(ctx context.Context, k *checker) (string, error) {
	return k.with(ctx, func(c *child) (string, error) { return wantError(ctx, c, []byte("hello?"), true) })
}

func checkUnknown(ctx context.Context, k *checker) (string, error) {
	return k.with(ctx, func(c *child) (string, error) {
		return wantError(ctx, c, append(c.begin("dance"), '}'), false)
	})
}

func checkEarly(ctx context.Context, k *checker) (string, error) {
	return k.with(ctx, func(c *child) (string, error) {
		b, err := c.message(ctx, "predict", k.plain("trial", 30), []int{0})
		if err != nil {
			return "", err
		}
		return wantError(ctx, c, append(b, '}'), false)
	})
}

// predict returns what a model of some rows of a table predicts for all of them, or for the
// ones named.
func (k *checker) predict(ctx context.Context, l *Learner, t *dataset.Table, train []int, seed uint64, rows ...int) (*Predictions, Kind, error) {
	m, err := l.Fit(ctx, t, train, seed)
	if err != nil {
		return nil, 0, err
	}
	defer m.Close()
	if len(rows) == 0 {
		rows = upTo(t.Len())
	}
	examples := make([]dataset.Row, len(rows))
	for i, r := range rows {
		examples[i] = t.Example(r)
	}
	p, err := m.Predict(ctx, examples)
	if err != nil {
		return nil, 0, err
	}
	return p, m.Kind(), checkSums(p, t.NumClasses())
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// checkSums returns an error unless class probabilities are distributions.
func checkSums(p *Predictions, classes int) error {
	for i := 0; i < len(p.Probabilities); i += classes {
		sum := 0.0
		for _, q := range p.Probabilities[i : i+classes] {
			if !(q >= 0) {
				return fmt.Errorf("%w: %v is no probability", ErrProtocol, q)
			}
			sum += q
		}
		if math.Abs(sum-1) > 1e-6 {
			return fmt.Errorf("%w: the probabilities of example %d sum to %v, not 1", ErrProtocol, i/classes, sum)
		}
	}
	return nil
}

const checkSeed1 = 1234567890123456789

func checkTrial(ctx context.Context, k *checker) (string, error) {
	_, kind, err := k.predict(ctx, k.l, k.plain("trial", 30), upTo(24), checkSeed1)
	return "gives " + kind.String(), err
}

func checkOne(ctx context.Context, k *checker) (string, error) {
	return "", k.sameRows(ctx, 7)
}

func checkOrder(ctx context.Context, k *checker) (string, error) {
	rows := upTo(30)
	slices.Reverse(rows)
	return "", k.sameRows(ctx, append(rows, 3, 3)...)
}

// sameRows returns an error unless predictions for some rows are those that the
// rows have among all.
func (k *checker) sameRows(ctx context.Context, rows ...int) error {
	t := k.plain("trial", 30)
	all, _, err := k.predict(ctx, k.l, t, upTo(24), checkSeed1)
	if err != nil {
		return err
	}
	some, kind, err := k.predict(ctx, k.l, t, upTo(24), checkSeed1, rows...)
	if err != nil {
		return err
	}
	for i, r := range rows {
		var same bool
		switch kind {
		case Labels:
			same = some.Labels[i] == all.Labels[r]
		case Values:
			same = near(some.Values[i:i+1], all.Values[r:r+1])
		default:
			n := t.NumClasses()
			same = near(some.Probabilities[i*n:(i+1)*n], all.Probabilities[r*n:(r+1)*n])
		}
		if !same {
			return fmt.Errorf("example %d is predicted otherwise among others", r)
		}
	}
	return nil
}

// near leaves room for sums in another order.
func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x)) })
}

func checkAgain(ctx context.Context, k *checker) (string, error) {
	t := k.plain("trial", 30)
	first, _, err := k.predict(ctx, k.l, t, upTo(24), checkSeed1)
	if err != nil {
		return "", err
	}
	if _, _, err := k.predict(ctx, k.l, t, upTo(15), 2); err != nil {
		return "", err
	}
	second, _, err := k.predict(ctx, k.l, t, upTo(24), checkSeed1)
	return "", differ(first, second, err)
}

func checkOther(ctx context.Context, k *checker) (string, error) {
	return "", k.sameElsewhere(ctx, k.plain("trial", 30))
}

// sameElsewhere returns an error unless another process predicts the same on tables
// that it gets in the opposite order.
func (k *checker) sameElsewhere(ctx context.Context, tables ...*dataset.Table) error {
	other, err := New(k.cfg)
	if err != nil {
		return err
	}
	defer other.Close() // that it ends is another check
	here := make([]*Predictions, len(tables))
	for i, t := range tables {
		if here[i], _, err = k.predict(ctx, k.l, t, upTo(20), checkSeed1); err != nil {
			return err
		}
	}
	for i, t := range slices.Backward(tables) {
		there, _, err := k.predict(ctx, other, t, upTo(20), checkSeed1)
		if err = differ(here[i], there, err); err != nil {
			return fmt.Errorf("table %d: %w", i+1, err)
		}
	}
	return nil
}

var errDiffer = errors.New("the predictions differ although the seed does not: draw all random numbers from it")

func differ(a, b *Predictions, err error) error {
	if err != nil {
		return err
	}
	if !slices.Equal(a.Labels, b.Labels) || !slices.Equal(a.Probabilities, b.Probabilities) || !slices.Equal(a.Values, b.Values) {
		return errDiffer
	}
	return nil
}

// checkLearning changes the labels of the training examples, which must change a prediction of any example.
// A program that fails has looked at them, too.
func checkLearning(ctx context.Context, k *checker) (string, error) {
	t, train := k.plain("trial", 30), upTo(24)
	own, _, err := k.predict(ctx, k.l, t, train, checkSeed1)
	if err != nil {
		return "", err
	}
	changes := otherlabels.Classes(t.NumClasses())
	if t.NumClasses() == 0 {
		changes = otherlabels.Values(t.Numbers(t.ClassIndex())[:len(train)])
	}
	for _, c := range changes {
		other, ok := c.Table(t, train)
		if !ok {
			return "", errors.New("no other labels can be given to the table")
		}
		switch p, _, err := k.predict(ctx, k.l, other, train, checkSeed1); {
		case errors.Is(err, ErrProgram):
			return "", nil
		case err != nil:
			return "", err
		case differ(own, p, nil) != nil:
			return "", nil
		}
	}
	return "", otherlabels.Unlearned(len(train), len(changes), t.Len())
}

func checkSeed(ctx context.Context, k *checker) (string, error) {
	_, _, err := k.predict(ctx, k.l, k.plain("trial", 30), upTo(24), math.MaxUint64)
	return "", err
}

// checkTables uses more tables than a program keeps.
func checkTables(ctx context.Context, k *checker) (string, error) {
	var tables []*dataset.Table
	for i := range tableSlots + 1 {
		tables = append(tables, k.turned(fmt.Sprintf("table %d", i+1), 30, i))
	}
	return "", k.sameElsewhere(ctx, tables...)
}
