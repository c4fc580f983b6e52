package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// plain returns a table of two numbers that say something of the target: three
// classes, or a number if the program predicts no classes.
func (p *program) plain(name string, rows int) *dataset.Table {
	if p.can.Classes {
		return classTable(name, rows, []string{"low", "middle", "high"})
	}
	return numberTable(name, rows)
}

// turned returns the plain table with the values of its numbers moved by some rows a
// turn.
func (p *program) turned(name string, rows, turn int) *dataset.Table {
	t := p.plain(name, rows)
	var cols []dataset.Column
	for j := range t.NumAttributes() {
		c := dataset.Column{Attribute: t.Attribute(j), Numbers: slices.Clone(t.Numbers(j)), Codes: t.Codes(j)}
		for i := range c.Numbers {
			c.Numbers[i] = t.Numbers(j)[(i+7*turn)%rows]
		}
		cols = append(cols, c)
	}
	return made(name, t.ClassIndex(), nil, cols...)
}

// made returns a table, which cannot but be.
func made(name string, target int, weights []float64, cols ...dataset.Column) *dataset.Table {
	t, err := dataset.New(name, cols, target, weights)
	if err != nil {
		panic(err)
	}
	return t
}

func numberColumn(name string, rows int, f func(i int) float64) dataset.Column {
	c := dataset.Column{Attribute: dataset.Attribute{Name: name}}
	for i := range rows {
		c.Numbers = append(c.Numbers, f(i))
	}
	return c
}

func nominalColumn(name string, values []string, rows int, f func(i int) int) dataset.Column {
	c := dataset.Column{Attribute: dataset.Attribute{Name: name, Kind: dataset.Nominal, Values: values}}
	for i := range rows {
		c.Codes = append(c.Codes, int32(f(i)))
	}
	return c
}

// first and second are numbers with many digits and without ties.
func first(i int) float64  { return float64(i%3) + math.Sqrt(float64(i+2))/10 }
func second(i int) float64 { return float64(i*i%17) / 3 }

func classTable(name string, rows int, classes []string) *dataset.Table {
	return made(name, 2, nil, numberColumn("first", rows, first), numberColumn("second", rows, second),
		nominalColumn("class", classes, rows, func(i int) int { return i % 3 }))
}

func numberTable(name string, rows int) *dataset.Table {
	return made(name, 1, nil, numberColumn("first", rows, first), numberColumn("target", rows, func(i int) float64 { return 2*first(i) + second(i)/10 }),
		numberColumn("second", rows, second))
}

// withColumn returns a table with a column more in front.
func withColumn(t *dataset.Table, c dataset.Column) *dataset.Table {
	cols := []dataset.Column{c}
	for j := range t.NumAttributes() {
		cols = append(cols, dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)})
	}
	return made(t.Name(), t.ClassIndex()+1, t.Weights(), cols...)
}

func checkNames(ctx context.Context, b *bench) error {
	odd := []string{"it's", "a \"b\" \\ c", "naïve 数 ½"}
	t := withColumn(b.program.plain("a table: {\"odd\"} [names], 100%\n", 30), numberColumn("λ, \"x\"\t\\n", 30, second))
	if b.program.can.Classes {
		t = withColumn(classTable("odd", 30, odd), numberColumn("if (a) b$c", 30, second))
	}
	return b.ofTable(ctx, t, upTo(24))
}

func checkNumbers(ctx context.Context, b *bench) error {
	if can := b.program.can; !can.Classes || !can.Numbers { // else its plain table has them
		b.skipped = "the program does not predict both"
		return nil
	}
	p, _, err := b.predict(ctx, b.program.l, numberTable("numbers", 30), upTo(24), programSeed)
	if err != nil {
		return err
	}
	for _, y := range p.Values {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return fmt.Errorf("%w: %v is predicted", process.ErrProtocol, y)
		}
	}
	return nil
}

// noClasses is why rules on classes were not checked.
const noClasses = "the program predicts no classes"

func checkAbsent(ctx context.Context, b *bench) error {
	if !b.program.can.Classes {
		b.skipped = noClasses
		return nil
	}
	var train []int
	for i := range 24 {
		if i%3 != 1 { // the middle one, so that the others would take its place
			train = append(train, i)
		}
	}
	t := classTable("absent", 30, []string{"low", "middle", "high"})
	p, kind, err := b.predict(ctx, b.program.l, t, train, programSeed)
	if err != nil {
		return err
	}
	// The last class is the second one that the program has seen.
	taken := 0
	for i := 2; i < 24; i += 3 {
		if kind == process.Labels && p.Labels[i] == 1 || kind == process.Probabilities && p.Probabilities[3*i+1] > p.Probabilities[3*i+2] {
			taken++
		}
	}
	if taken >= 4 {
		return errors.New("most examples of the class behind it are taken for it: are the probabilities and labels those of other classes?")
	}
	return nil
}

func checkSingle(ctx context.Context, b *bench) error {
	if !b.program.can.Classes {
		b.skipped = noClasses
		return nil
	}
	return b.ofTable(ctx, classTable("single", 30, []string{"low", "middle", "high"}), []int{2, 5, 8, 11, 14, 17})
}

func checkNominal(ctx context.Context, b *bench) error {
	colour := nominalColumn("colour", []string{"red", "green", "blue", "never"}, 30, func(i int) int { return i % 3 })
	return b.ofTable(ctx, withColumn(b.program.plain("nominal", 30), colour), upTo(24))
}

func checkMissing(ctx context.Context, b *bench) error {
	gaps := numberColumn("gaps", 30, func(i int) float64 {
		if i%5 == 0 {
			return math.NaN()
		}
		return second(i)
	})
	return b.ofTable(ctx, withColumn(b.program.plain("missing", 30), gaps), upTo(24))
}

func checkWeights(ctx context.Context, b *bench) error {
	if !b.program.can.Weights {
		b.skipped = "the program uses no weights"
		return nil
	}
	t := b.program.plain("weights", 30)
	var cols []dataset.Column
	for j := range t.NumAttributes() {
		cols = append(cols, dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)})
	}
	weights := make([]float64, 30)
	for i := range weights {
		weights[i] = 0.5 + float64(i%4)
	}
	return b.ofTable(ctx, made("weights", t.ClassIndex(), weights, cols...), upTo(24))
}
