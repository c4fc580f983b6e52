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

// Program returns the subject that a program is which speaks the protocol of learners. It is sent
// messages of each kind, and errors of each, on small tables. A rule whose check takes longer than
// limit is broken.
func Program(cfg process.Config, limit time.Duration) Subject {
	return Subject{shape: programs, limit: limit, open: func() ([]*bench, func() error, error) {
		cfg.Depends = []string{} // nothing that go test could cache
		l, err := process.New(cfg)
		if err != nil {
			return nil, nil, err
		}
		if !l.Speaks() {
			return nil, nil, fmt.Errorf("%w: a program that reads files speaks no protocol",
				process.ErrConfig)
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
func ruleOfProtocol(name Rule, check func(ctx context.Context, b *bench, t *process.Talk) error,
	harm string,
) rule {
	r := rule{
		name: name, harm: harm, remedy: readManual, on: programs, needs: []Rule{hello},
		answers: true,
	}
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

const tellsWrong = "the program answers with an error rather than end"

// protocolRules returns the rules for programs that come before all others.
func protocolRules() []rule {
	return []rule{
		ruleOfProtocol(hello, checkHello,
			"it says what the program can, and repeats numbers, so that no digit gets lost"),
		ruleOfProtocol("a line that is no JSON", func(ctx context.Context, _ *bench,
			t *process.Talk,
		) error {
			return t.SayNoJSON(ctx)
		}, tellsWrong),
		ruleOfProtocol("an unknown op", func(ctx context.Context, _ *bench,
			t *process.Talk,
		) error {
			return t.SayUnknown(ctx)
		}, tellsWrong),
		ruleOfProtocol("predict before fit", func(ctx context.Context, b *bench, t *process.Talk) error {
			return t.SayPredict(ctx, b.program.plain("trial"))
		}, tellsWrong),
		answering(),
	}
}

// answering is the rule for programs that answer items. Nobody knows which items a program has
// answers to: an error will do.
func answering() rule {
	r := ruleOfProtocol("an item", func(ctx context.Context, _ *bench, t *process.Talk) error {
		for range 2 {
			if err := t.SayAnswer(ctx); err != nil {
				return err
			}
		}
		return nil
	}, "an item that the program cannot answer is one failed answer, and the next one is asked for")
	r.can = func(can process.Abilities) bool { return can.Answers }
	return r
}

// onlyAnswers reports whether the program has said that it answers items and does not learn.
func (p *program) onlyAnswers() bool { return p.can.Answers && !p.can.Classes && !p.can.Numbers }

// programRules returns the rules for programs that come after all others.
func programRules() []rule {
	classes := func(can process.Abilities) bool { return can.Classes }
	rules := []rule{
		{
			name: "another process", harm: "any of several processes may serve a trial", check: checkOther,
			needs: []Rule{Determinism},
		},
		{name: "the largest seed", harm: "it has 64 bits: JSON readers may round it, so that it is a text", check: checkSeed},
		{
			name: "several tables", harm: "a table takes the place of the one with its number",
			check: checkSeveral,
			needs: []Rule{Determinism, "another process"},
			can:   func(can process.Abilities) bool { return can.Tables },
		},
		{
			name: "names of all kinds", harm: "names have spaces, quotes and letters of all languages",
			check: ofTable((*program).named),
		},
		{
			name: "numbers as target", harm: "it says that it predicts numbers", may: true,
			check: ofTable((*program).numeric),
			can:   func(can process.Abilities) bool { return can.Classes && can.Numbers },
		},
		{
			name: "a class without training examples",
			harm: "folds may lack a rare class: it has probability 0, or little",
			may:  true, can: classes, check: checkAbsent,
		},
		{
			name: "a single class", harm: "folds may have one class only", may: true, can: classes,
			check: checkSingle,
		},
		{
			name: "nominal attributes", harm: "they come as indices of values", may: true,
			check: ofTable((*program).nominal),
		},
		{
			name: "missing values", harm: "they come as null", may: true,
			check: ofTable((*program).missing),
		},
		{
			name: "weights", harm: "it says that it uses weights", may: true,
			check: ofTable((*program).weighted),
			can:   func(can process.Abilities) bool { return can.Weights },
		},
	}
	for i := range rules {
		r := &rules[i]
		r.remedy, r.on = readManual, programs
		r.needs = append(r.needs, hello, Trial, Predictions, Probabilities)
	}
	return append(rules, ruleOfProtocol("end of input", func(ctx context.Context, _ *bench,
		t *process.Talk,
	) error {
		return t.End(ctx)
	},
		"a program that does not end with its standard input may stay behind"))
}

func checkSeed(ctx context.Context, b *bench) error {
	_, err := b.predict(ctx, b.program.l, b.program.plain("trial"), upTo(24), math.MaxUint64)
	return err
}

func checkSingle(ctx context.Context, b *bench) error {
	_, err := b.predict(ctx, b.program.l, classTable("single"), []int{2, 5, 8, 11, 14, 17},
		programSeed)
	return err
}

// checkHello also puts the program on its bench.
func checkHello(_ context.Context, b *bench, t *process.Talk) error {
	p := b.program
	p.can = t.Abilities()
	var says []string
	for _, s := range []struct {
		is   bool
		text string
	}{
		{p.can.Classes, "predicts classes"},
		{p.can.Numbers, "predicts numbers"},
		{p.can.Answers, "answers items"},
		{p.can.Tables, "keeps tables"},
		{p.can.Weights, "uses weights"},
	} {
		if s.is {
			says = append(says, s.text)
		}
	}
	b.said = strings.TrimPrefix(p.can.Name+": ", ": ") + strings.Join(says, ", ")
	if p.onlyAnswers() {
		return nil
	}
	var err error
	if table := p.plain("trial"); p.can.Classes {
		err = prepare(b, learntest.Data[dataset.Row, int](table), learntest.FromProcess[int](p.l))
	} else {
		err = prepare(b, learntest.Data[dataset.Row, float64](dataset.Regression{Table: table}),
			learntest.FromProcess[float64](p.l))
	}
	for i := range b.folds {
		b.folds[i].asked = upTo(programRows)
	}
	// Other labels of these are of all classes, too.
	b.folds[0].train, b.folds[0].test = upTo(24), []int{24, 25, 26, 27, 28, 29}
	b.parallel, b.mute = 1, false
	return err
}

const programSeed = 1234567890123456789

// predict returns what a program predicts for all rows of a table, trained on some of them.
func (b *bench) predict(ctx context.Context, l *process.Learner, t *dataset.Table, train []int,
	seed uint64,
) (*outcome, error) {
	var m material
	var err error
	if t.NumClasses() > 0 {
		m, err = newTyped(learntest.Data[dataset.Row, int](t), learntest.FromProcess[int](l))
	} else {
		m, err = newTyped(learntest.Data[dataset.Row, float64](dataset.Regression{Table: t}),
			learntest.FromProcess[float64](l))
	}
	if err != nil {
		return nil, err
	}
	o, err := b.run(ctx, m, fold{train: train, asked: upTo(t.Len()), seed: seed})
	if err != nil {
		return nil, err
	}
	return o, b.checkSums(o.p.Probabilities, len(o.p.Classes))
}

// ofTable returns a check that the program learns and predicts a table.
func ofTable(table func(p *program) *dataset.Table) func(ctx context.Context, b *bench) error {
	return func(ctx context.Context, b *bench) error {
		_, err := b.predict(ctx, b.program.l, table(b.program), upTo(24), programSeed)
		return err
	}
}

func checkOther(ctx context.Context, b *bench) error {
	return b.sameElsewhere(ctx, b.program.plain("trial"))
}

// checkSeveral uses more tables than a program keeps.
func checkSeveral(ctx context.Context, b *bench) error {
	var tables []*dataset.Table
	for i := range process.TableSlots + 1 {
		tables = append(tables, b.program.turned(fmt.Sprintf("table %d", i+1), i))
	}
	return b.sameElsewhere(ctx, tables...)
}

// sameElsewhere returns an error unless the predictions of another process agree, on
// tables that it gets in the opposite order.
func (b *bench) sameElsewhere(ctx context.Context, tables ...*dataset.Table) error {
	other, err := process.New(b.program.cfg)
	if err != nil {
		return err
	}
	defer other.Close() // that it ends is another check
	here := make([]*outcome, len(tables))
	for i, t := range tables {
		if here[i], err = b.predict(ctx, b.program.l, t, upTo(20), programSeed); err != nil {
			return err
		}
	}
	for i, t := range slices.Backward(tables) {
		there, err := b.predict(ctx, other, t, upTo(20), programSeed)
		if err == nil {
			err = difference(here[i], there, 0)
		}
		if err != nil {
			return fmt.Errorf("table %d: although the seed is equal, another process %w", i+1, err)
		}
	}
	return nil
}

// checkAbsent leaves out the middle class, so that the others would take its place.
func checkAbsent(ctx context.Context, b *bench) error {
	train := slices.DeleteFunc(upTo(24), func(i int) bool { return i%3 == 1 })
	o, err := b.predict(ctx, b.program.l, classTable("absent"), train, programSeed)
	if err != nil {
		return err
	}
	// The last class is the second one that the program has seen.
	taken := 0
	for i := 2; i < 24; i += 3 {
		if p := o.p.Probabilities; p == nil && o.p.Predicted[i] == 1 || p != nil && p[3*i+1] > p[3*i+2] {
			taken++
		}
	}
	if taken >= 4 {
		return errors.New("most examples of the class behind it are taken for it: do the probabilities and labels belong to other classes?")
	}
	return nil
}
