package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// Program returns the subject that a program is which speaks the protocol of learners. It is sent messages
// of each kind, and errors of each, on small tables. A rule whose check takes longer than limit is broken.
func Program(cfg process.Config, limit time.Duration) Subject {
	return Subject{shape: programs, limit: limit, open: func() ([]*bench, func() error, error) {
		cfg.Depends = []string{} // nothing that go test could cache
		l, err := process.New(cfg)
		if err != nil {
			return nil, nil, err
		}
		if !l.Speaks() {
			return nil, nil, fmt.Errorf("%w: a program that reads files speaks no protocol", process.ErrConfig)
		}
		b := &bench{learner: l.Name(), found: make(map[Rule]bool), program: &program{l: l, cfg: cfg}}
		return []*bench{b}, l.Close, nil
	}}
}

// A program is one that is checked.
type program struct {
	l   *process.Learner
	cfg process.Config
	can process.Abilities
}

// refused reports whether a program has refused to do something, by an error.
func refused(err error) bool { return errors.Is(err, process.ErrProgram) }

// hello is the first rule for programs, without which there are no others.
const hello Rule = "hello"

// readManual is the remedy for programs that break the protocol.
const readManual = "docs/process.md says what a program must do"

// ruleOfProtocol returns a rule for programs that looks at messages.
func ruleOfProtocol(name Rule, check func(ctx context.Context, b *bench, t *process.Talk) error, harm string) rule {
	r := rule{name: name, harm: harm, remedy: readManual, on: programs, needs: []Rule{hello}}
	if name == hello {
		r.needs = nil
	}
	r.check = func(ctx context.Context, b *bench) error {
		t, err := b.program.l.Talk(ctx)
		if err != nil {
			return err
		}
		defer t.Close()
		return check(ctx, b, t)
	}
	return r
}

const tellsWrong = "the program tells what is wrong rather than end"

// protocolRules returns the rules for programs that come before all others.
func protocolRules() []rule {
	return []rule{
		ruleOfProtocol(hello, checkHello, "it says what the program can, and repeats numbers, so that no digit gets lost"),
		ruleOfProtocol("a line that is no JSON", func(ctx context.Context, _ *bench, t *process.Talk) error { return t.SayNoJSON(ctx) }, tellsWrong),
		ruleOfProtocol("an unknown op", func(ctx context.Context, _ *bench, t *process.Talk) error { return t.SayUnknown(ctx) }, tellsWrong),
		ruleOfProtocol("predict before fit", func(ctx context.Context, b *bench, t *process.Talk) error {
			return t.SayPredict(ctx, b.program.plain("trial", 30))
		}, tellsWrong),
	}
}

// programRules returns the rules for programs that come after all others.
func programRules() []rule {
	on := func(name Rule, check func(ctx context.Context, b *bench) error, harm string, may bool, needs ...Rule) rule {
		return rule{
			name: name, check: check, harm: harm, remedy: readManual, on: programs, may: may,
			needs: append([]Rule{hello, Trial, Predictions, Probabilities}, needs...),
		}
	}
	return []rule{
		on("another process", checkOther, "any of several processes may serve a trial", false, Determinism),
		on("the largest seed", checkSeed, "it has 64 bits: JSON readers may round it, so that it is a text", false),
		on("several tables", checkSeveral, "a table takes the place of the one with its number", false, Determinism, "another process"),
		on("names of all kinds", checkNames, "names have spaces, quotes and letters of all languages", false),
		on("numbers as target", checkNumbers, "it says that it predicts numbers", true),
		on("a class without training examples", checkAbsent, "folds may lack a rare class: it has probability 0, or little", true),
		on("a single class", checkSingle, "folds may have one class only", true),
		on("nominal attributes", checkNominal, "they come as indices of values", true),
		on("missing values", checkMissing, "they come as null", true),
		on("weights", checkWeights, "it says that it uses weights", true),
		ruleOfProtocol("end of input", func(ctx context.Context, _ *bench, t *process.Talk) error { return t.End(ctx) },
			"a program that does not end with its standard input may stay behind"),
	}
}

// checkHello also puts the program on its bench.
func checkHello(_ context.Context, b *bench, t *process.Talk) error {
	p := b.program
	p.can = t.Abilities()
	var says []string
	for _, s := range []struct {
		is   bool
		text string
	}{{p.can.Classes, "predicts classes"}, {p.can.Numbers, "predicts numbers"}, {p.can.Tables, "keeps tables"}, {p.can.Weights, "uses weights"}} {
		if s.is {
			says = append(says, s.text)
		}
	}
	b.said = strings.TrimPrefix(p.can.Name+": ", ": ") + strings.Join(says, ", ")
	var err error
	if table := p.plain("trial", 30); p.can.Classes {
		err = prepare(b, learntest.Data[dataset.Row, int](table), learntest.Process(p.l))
	} else {
		err = prepare(b, learntest.Data[dataset.Row, float64](dataset.Regression{Table: table}), learntest.ProcessRegressor(p.l))
	}
	for i := range b.folds {
		b.folds[i].asked = upTo(30)
	}
	// Other labels of these are of all classes, too.
	b.folds[0].train, b.folds[0].test = upTo(24), []int{24, 25, 26, 27, 28, 29}
	b.parallel, b.mute = 1, false
	return err
}

// predict returns what a model of some rows of a table predicts for all of them.
func (b *bench) predict(ctx context.Context, l *process.Learner, t *dataset.Table, train []int, seed uint64) (*process.Predictions, process.Kind, error) {
	m, err := l.Fit(ctx, t, train, seed)
	if err != nil {
		return nil, 0, err
	}
	defer m.Close()
	examples := make([]dataset.Row, t.Len())
	for i := range examples {
		examples[i] = t.Example(i)
	}
	p, err := m.Predict(ctx, examples)
	if err != nil {
		return nil, 0, err
	}
	return p, m.Kind(), b.checkSums(p.Probabilities, t.NumClasses())
}

const programSeed = 1234567890123456789

// ofTable returns an error unless the program learns and predicts a table.
func (b *bench) ofTable(ctx context.Context, t *dataset.Table, train []int) error {
	_, _, err := b.predict(ctx, b.program.l, t, train, programSeed)
	return err
}

func checkOther(ctx context.Context, b *bench) error {
	return b.sameElsewhere(ctx, b.program.plain("trial", 30))
}

// checkSeveral uses more tables than a program keeps.
func checkSeveral(ctx context.Context, b *bench) error {
	if !b.program.can.Tables {
		b.skipped = "the program keeps no tables"
		return nil
	}
	var tables []*dataset.Table
	for i := range process.TableSlots + 1 {
		tables = append(tables, b.program.turned(fmt.Sprintf("table %d", i+1), 30, i))
	}
	return b.sameElsewhere(ctx, tables...)
}

// sameElsewhere returns an error unless another process predicts the same on tables
// that it gets in the opposite order.
func (b *bench) sameElsewhere(ctx context.Context, tables ...*dataset.Table) error {
	other, err := process.New(b.program.cfg)
	if err != nil {
		return err
	}
	defer other.Close() // that it ends is another check
	here := make([]*process.Predictions, len(tables))
	for i, t := range tables {
		if here[i], _, err = b.predict(ctx, b.program.l, t, upTo(20), programSeed); err != nil {
			return err
		}
	}
	for i, t := range slices.Backward(tables) {
		there, _, err := b.predict(ctx, other, t, upTo(20), programSeed)
		if err == nil && (!slices.Equal(here[i].Labels, there.Labels) || !slices.Equal(here[i].Probabilities, there.Probabilities) || !slices.Equal(here[i].Values, there.Values)) {
			err = errors.New("the predictions differ although the seed does not: draw all random numbers from it")
		}
		if err != nil {
			return fmt.Errorf("table %d: %w", i+1, err)
		}
	}
	return nil
}

func checkSeed(ctx context.Context, b *bench) error {
	_, _, err := b.predict(ctx, b.program.l, b.program.plain("trial", 30), upTo(24), math.MaxUint64)
	return err
}
