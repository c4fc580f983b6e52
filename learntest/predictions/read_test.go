package predictions

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// A form says what a made-up block is like.
type form struct {
	n, classes, folds, runs int // no classes: regression
	probabilities           string
	partial                 bool // some folds of a learner are missing
}

var forms = map[string]form{
	"two classes":   {n: 40, classes: 2, folds: 4, runs: 2},
	"62 classes":    {n: 150, classes: 62, folds: 62, runs: 1},
	"63 classes":    {n: 150, classes: 63, folds: 63, runs: 2, partial: true},
	"regression":    {n: 30, folds: 3, runs: 2, partial: true},
	"p of truth":    {n: 30, classes: 3, folds: 3, runs: 2, probabilities: OfTruth, partial: true},
	"p of all":      {n: 30, classes: 3, folds: 3, runs: 1, probabilities: OfAll},
	"several lines": {n: 2*chunk + 7, classes: 2, folds: 2, runs: 1, probabilities: OfTruth},
	"long numbers":  {n: 6000, folds: 2, runs: 1},
}

// made returns a made-up block of two learners; a and the space need escapes.
func made(t testing.TB, f form) *Block {
	rng := rand.New(rand.NewPCG(uint64(f.n), uint64(f.classes)))
	h := Header{
		Pkg: "example.com/m", Test: "Test a/b", Data: "made up", Examples: f.n,
		Probabilities: f.probabilities,
		Protocol:      fmt.Sprintf("cv runs=%d folds=%d unstratified seed=1 v1", f.runs, f.folds),
		DataDigest:    strings.Repeat("0", 64), SplitDigest: strings.Repeat("1", 64),
	}
	var truth []int
	var targets []float64
	for c := range f.classes {
		h.Classes = append(h.Classes, fmt.Sprint("class ", c))
	}
	for range f.n {
		if f.classes > 0 {
			truth = append(truth, rng.IntN(f.classes))
		} else {
			targets = append(targets, rng.NormFloat64())
		}
	}
	b, err := NewBlock(h, truth, targets)
	require.NoError(t, err)
	for run := 1; run <= f.runs; run++ {
		of := make([]uint16, f.n)
		for i := range of {
			of[i] = uint16((i*(2*run-1))%f.folds) + 1
		}
		require.NoError(t, b.SetFolds(run, of))
		for l, name := range []string{"a learner", ""} {
			for fold := 1; fold <= f.folds; fold++ {
				if f.partial && l == 1 && (run+fold)%3 == 0 {
					continue
				}
				c := record.Cell{Data: h.Data, Learner: name, Run: run, Fold: fold}
				test, p := predicted(b, c, rng)
				if l == 0 {
					p.Probabilities = nil
				}
				require.NoError(t, b.Add(c, test, p))
			}
		}
	}
	return b
}

// predicted makes up the predictions of a cell.
func predicted(b *Block, c record.Cell, rng *rand.Rand) (test []int, p *metric.Predictions) {
	p = &metric.Predictions{Classes: b.Classes}
	for i := range b.Examples {
		if b.Fold(c.Run, i) != c.Fold {
			continue
		}
		test = append(test, i)
		if !b.Classification() {
			p.PredictedValues = append(p.PredictedValues, rng.NormFloat64()*math.Pow(10,
				float64(rng.IntN(600)-300)))
			continue
		}
		p.Predicted = append(p.Predicted, rng.IntN(len(b.Classes)+1)-1)
		for range b.Classes {
			p.Probabilities = append(p.Probabilities, rng.Float64())
		}
	}
	return test, p
}

// contents returns all that is known of a block.
func contents(b *Block) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%+v %v %v %v %v", b.Header, b.truth, b.targets, b.folds, b.learners)
	for l := range b.learners {
		for run := 1; run <= 20; run++ {
			if r := b.runs[place{l, run}]; r != nil {
				fmt.Fprintf(&s, "\n%d %d %v %v %v", l, run, r.codes, r.values, r.chance)
			}
		}
	}
	return s.String()
}

func TestBlocksReadBackUnchanged(t *testing.T) {
	t.Parallel()
	for name, f := range forms {
		b := made(t, f)
		full := text(t, b)
		for line := range strings.Lines(full) {
			require.Less(t, len(line), maxLine, name)
		}
		read, err := Read(strings.NewReader(full), name)
		require.NoError(t, err, name)
		require.Len(t, read, 1, name)
		require.True(t, contents(b) == contents(read[0]), name)
		require.True(t, full == text(t, read[0]), name)
		require.Equal(t, b.Identity(), read[0].Identity())
	}
}

// Predictions that a reader would take for others are refused when they are added.
func TestPredictionsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	cell := record.Cell{Data: "made up", Learner: "new", Run: 1, Fold: 1}
	classes := func(p ...int) *metric.Predictions { return &metric.Predictions{Predicted: p} }
	for want, add := range map[string]func(b *Block) error{
		"class 2 of 2 is predicted": func(b *Block) error {
			return b.Add(cell, []int{0},
				classes(2))
		},
		"class -2 of 2 is predicted": func(b *Block) error {
			return b.Add(cell, []int{0},
				classes(-2))
		},
		"example 1 is not tested there": func(b *Block) error {
			return b.Add(cell, []int{1},
				classes(1))
		},
		"example 40 is not tested there": func(b *Block) error {
			return b.Add(cell, []int{40},
				classes(1))
		},
		"example 0 is predicted twice": func(b *Block) error {
			return b.Add(cell, []int{0, 0},
				classes(1, 1))
		},
		"2 classes and 0 numbers are": func(b *Block) error {
			return b.Add(cell, []int{0},
				classes(1, 1))
		},
		"the folds of the run are not": func(b *Block) error {
			c := cell
			c.Run = 3
			return b.Add(c,
				[]int{0}, classes(1))
		},
		"the block is of data set made": func(b *Block) error {
			c := cell
			c.Data = "x"
			return b.Add(c,
				[]int{0}, classes(1))
		},
		"a name of 9001 bytes": func(b *Block) error {
			c := cell
			c.Learner = strings.Repeat("x", 9001)
			return b.Add(c, []int{0}, classes(1))
		},
		"folds of 3 examples": func(b *Block) error {
			return b.SetFolds(1,
				make([]uint16, 3))
		},
		"example 0 is tested in no fold": func(b *Block) error {
			return b.SetFolds(1,
				make([]uint16, 40))
		},
		"example 0 is in fold 5 of 4": func(b *Block) error { return b.SetFolds(1, bytesOf(5, 40)) },
		"the class of example 0 is": func(b *Block) error {
			_, err := NewBlock(b.Header, make([]int, 40, 41)[:40:40], nil)
			return other(err, b, -1)
		},
		"40 classes and 40 targets": func(b *Block) error {
			_, err := NewBlock(b.Header,
				make([]int, 40), make([]float64, 40))
			return err
		},
		"39 classes and 0 targets": func(b *Block) error {
			_, err := NewBlock(b.Header,
				make([]int, 39), nil)
			return err
		},
		"the target of example 0 is NaN": func(b *Block) error {
			h := b.Header
			h.Classes = nil
			_,
				err := NewBlock(h, nil, nans(40))
			return err
		},
		"two classes have the name": func(b *Block) error {
			h := b.Header
			h.Classes = []string{"a", "a"}
			_, err := NewBlock(h, make([]int, 40), nil)
			return err
		},
		"1 classes: there must be from 2": func(b *Block) error {
			h := b.Header
			h.Classes = []string{"a"}
			_, err := NewBlock(h, make([]int, 40), nil)
			return err
		},
		"second opinions apart": func(b *Block) error {
			h := b.Header
			h.Protocol = "halves m=20 folds=5 seed=1 v1"
			_, err := NewBlock(h, make([]int, 40), nil)
			return err
		},
		"probabilities \"some\"": func(b *Block) error {
			h := b.Header
			h.Probabilities = "some"
			_, err := NewBlock(h, make([]int, 40), nil)
			return err
		},
	} {
		err := add(made(t, forms["two classes"]))
		require.ErrorIs(t, err, ErrInvalid, want)
		require.ErrorContains(t, err, want)
	}
	b := made(t, forms["regression"])
	require.ErrorContains(t, b.Add(record.Cell{Data: b.Data, Learner: "new", Run: 1, Fold: 1},
		[]int{0}, &metric.Predictions{PredictedValues: []float64{math.Inf(1)}}),
		"+Inf is predicted of example 0")
}

func bytesOf(fold uint16, n int) []uint16 {
	of := make([]uint16, n)
	for i := range of {
		of[i] = fold
	}
	return of
}

// other returns the error of a block whose first example is of a class that there is not.
func other(err error, b *Block, class int) error {
	if err != nil {
		return err
	}
	truth := make([]int, b.Examples)
	truth[0] = class
	_, err = NewBlock(b.Header, truth, nil)
	return err
}

// Every byte that is changed, added or left out is noticed.
func TestEveryChangedByteIsNoticed(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		full := []byte(v.Expected.Text + "Checksum: " + v.Expected.Checksum + "\n")
		for i := range full {
			others := []byte{full[i] ^ 1, '\n', full[i] ^ 0x20, '.', 'A', ' '}
			if !citest.Has(citest.Slow) {
				others = others[:2]
			}
			for _, c := range others {
				changed := bytes.Clone(full)
				changed[i] = c
				if c == full[i] {
					continue
				}
				_, err := Read(bytes.NewReader(changed), "v.pred")
				require.Error(t, err, "%s: byte %d is %q", v.ID, i, c)
			}
			_, err := Read(bytes.NewReader(append(bytes.Clone(full[:i]), full[i+1:]...)), "v.pred")
			require.Error(t, err, "%s: without byte %d", v.ID, i)
			_, err = Read(bytes.NewReader(full[:i]), "v.pred")
			require.Error(t, err, "%s: %d bytes", v.ID, i)
			if i > 0 {
				require.NotErrorIs(t, err, record.ErrChecksum)
			}
		}
	}
}

// resealed returns a changed text with the checksum that fits it.
func resealed(t testing.TB, full, old, new string) string {
	body, _, ok := strings.Cut(full, "Checksum: ")
	require.True(t, ok)
	require.Contains(t, body, old)
	body = strings.Replace(body, old, new, 1)
	sum := sumOf(body)
	return body + "Checksum: " + sum + "\n"
}

// Files that somebody else has written wrongly, with the right checksum, are refused with the line.
func TestFilesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ form, old, new, want string }{
		{
			"two classes", "learnbench-predictions: 1", "learnbench-predictions: 2",
			"f.pred:1: the predictions are of version \"2\"",
		},
		{
			"two classes", "learnbench-predictions: 1", "learnbench-format: 2",
			"f.pred:1: a block of predictions begins with",
		},
		{
			"two classes", "Examples: 40", "Examples: 41",
			"f.pred:13: line P: the truth of all examples must come before it",
		},
		{
			"two classes", "Examples: 40", "Examples: 39",
			"f.pred:10: line T: there are values for more than 39",
		},
		{
			"two classes", "Examples: 40", "Examples: 040",
			"f.pred:8: Examples: \"040\" is not a number from 1",
		},
		{"two classes", "Examples: 40\n", "", "f.pred:9: 0 examples are not a number"},
		{
			"two classes", "Examples: 40\n", "Examples: 40\nExamples: 40\n",
			"f.pred:9: the key Examples is there twice",
		},
		{"two classes", "Data: made%20up\n", "", "f.pred:9: the data set has no name"},
		{
			"two classes", "pkg: example.com/m\ntest: Test%20a/b", "test: b\npkg: m",
			"f.pred:3: the key pkg is there twice, or not in the order",
		},
		{"two classes", "folds=4", "folds=x", "invalid word \"folds=x\""},
		{"two classes", "cv runs=2 folds=4 unstratified", "items repeats=3", "second opinions apart"},
		{"two classes", "sha256: 00", "sha256: 0", "data-sha256 is"},
		{
			"two classes", "T 0 ", "T 1 ",
			"f.pred:10: line T: it begins with example \"1\", and example 0 comes next",
		},
		{"two classes", "T 0 ", "TN 0 ", "f.pred:10: line TN: the truth is in lines T"},
		{"two classes", "T 0 A", "T 0 C", "example 0: 'C' stands for nothing here"},
		{"two classes", "T 0 A", "T 0 .", "example 0: '.' stands for nothing here"},
		{
			"two classes", "F 1 0 A", "F 1 0 E",
			"f.pred:11: line F: example 0: 'E' stands for nothing here",
		},
		{"two classes", "F 1 0 A", "F 1 0 -", "run 1: example 0 is tested in no fold"},
		{"two classes", "F 1 0 A", "F 0 0 A", "\"0\" is not a number from 1"},
		{"two classes", "F 1 0 A", "F 1048577 0 A", "1048577 runs are more than"},
		{"two classes", "F 1 0 A", "F 1 0 ", "run 1: the folds of 39 of 40 examples are there"},
		{"two classes", "F 1 0 A", "F 3 0 A", "run 1: the folds of the run are missing"},
		{"two classes", "P a%20learner 1 0 ", "P a%2learner 1 0 ", "two hexadecimal digits"},
		{"two classes", "P a%20learner 1 0 ", "P a%20learner 1 0 .", "there are values for more than 40"},
		{"two classes", "P a%20learner 1 0 B", "P a%20learner 1 0  ", "' ' stands for nothing here"},
		{
			"two classes", "P a%20learner 1 0 BA.", "P a%20learner 1 0 BAA",
			"example 2: the true class is written as .",
		},
		{
			"two classes", "P a%20learner 2 0 ", "P a%20learner 1 0 ",
			"it begins with example \"0\", and example 40 comes next",
		},
		{"two classes", "P a%20learner 1 0 ", "Q a%20learner 1 0 ", "the predictions are in lines P"},
		{"two classes", "P a%20learner 1 0 ", "R a%20learner 1 0 ", "is no line of predictions"},
		{"two classes", "\nT 0", "\n\nT 0", "is no line of predictions"},
		{
			"63 classes", "PN a%20learner 1 0 ", "PN a%20learner 1 0 63 ",
			"example 0: \"63\" stands for nothing here",
		},
		{
			"63 classes", "PN a%20learner 1 0 ", "PN a%20learner 1 0 01 ",
			"example 0: \"01\" stands for nothing here",
		},
		{"63 classes", "FN 1 0 ", "FN 1 0 ! ", "example 0: \"!\" stands for nothing here"},
		{"63 classes", "TN 0 ", "TN 0 - ", "example 0: \"-\" stands for nothing here"},
		{
			"regression", "V a%20learner 1 0 ", "V a%20learner 1 0 NaN ",
			"example 0: \"NaN\" is no finite number",
		},
		{"regression", "TV 0 ", "TV 0 - ", "example 0: \"-\" is no finite number"},
		{"regression", "TV 0 ", "TV 0 1 ", "there are values for more than 30"},
		{"p of truth", "Probabilities: truth", "Probabilities: all", "probabilities \"all\""},
		{"p of truth", "Q % 1 0 ", "Q % 1 0 AAAA", "bytes of probabilities: 8 are an example"},
		{"p of truth", "Q % 1 0 ", "Q % 1 0 ?", "illegal base64"},
		{
			"p of truth", "Probabilities: truth", "Probabilities: full",
			"30 probabilities are there, not 90",
		},
	} {
		_, err := Read(strings.NewReader(resealed(t, text(t, made(t, forms[c.form])), c.old, c.new)),
			"f.pred")
		require.Error(t, err, c.new)
		require.ErrorContains(t, err, c.want, c.new)
		var at *record.SyntaxError
		require.True(t, errors.As(err, &at))
	}
	_, err := Read(strings.NewReader(""), "f.pred")
	require.ErrorContains(t, err, "f.pred:1: there are no predictions in it")
	_, err = Read(strings.NewReader("learnbench-predictions: 1\n"+strings.Repeat("x", maxLine+1)),
		"f.pred")
	require.ErrorIs(t, err, record.ErrLimit)
	full := text(t, made(t, forms["two classes"]))
	_, err = Read(strings.NewReader(full[:len(full)-74]), "f.pred")
	require.ErrorIs(t, err, record.ErrUnfinished)
	_, err = Read(strings.NewReader(strings.Replace(full, "P a%20learner 1 0 ", "P b 1 0 ", 1)),
		"f.pred")
	require.ErrorIs(t, err, record.ErrChecksum)
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
