package predictions

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A truthful is a block with the result that it is of.
type truthful struct {
	block  *Block
	result *record.Block
}

// both makes up predictions of two learners under a protocol, in further runs, too, and the result
// of them. The trial of the second learner in run 1, fold 1 fails.
func both(t testing.TB, protocol split.Protocol, classes int, probabilities string,
	further int,
) truthful {
	const n = 60
	rng := rand.New(rand.NewPCG(3, uint64(classes)))
	h := Header{
		Data: "made up", Examples: n, Protocol: protocol.String(), Probabilities: probabilities,
		DataDigest: strings.Repeat("ab", 32), Pkg: "example.com/m", Test: "TestIt",
	}
	ex := split.Examples{N: n, Group: make([]int, n)}
	var targets []float64
	for i := range n {
		ex.Group[i] = i / 3
		if classes > 0 {
			ex.Class = append(ex.Class, i%classes)
		} else {
			targets = append(targets, rng.NormFloat64())
		}
	}
	for c := range classes {
		h.Classes = append(h.Classes, string(rune('a'+c)))
	}
	plan, err := protocol.Plan(ex)
	require.NoError(t, err)
	h.SplitDigest = plan.Digest()
	b, err := NewBlock(h, ex.Class, targets)
	require.NoError(t, err)
	metrics := []metric.Metric{metric.RMSE(), metric.MAE(), metric.R2()}
	if classes > 0 {
		metrics = []metric.Metric{
			metric.Accuracy(), metric.Error(), metric.Kappa(), metric.MCC(),
			metric.MacroF1(), metric.BalancedAccuracy(),
		}
	}
	if classes > 0 && probabilities != "" {
		metrics = append(metrics, metric.LogLoss(), metric.Brier())
	}
	rh := record.Header{
		Pkg: h.Pkg, Test: h.Test, Data: h.Data, Protocol: h.Protocol, DataDigest: h.DataDigest,
		SplitDigest: h.SplitDigest,
	}
	var units []unit.Unit
	for _, m := range metrics {
		units = append(units, m.Unit)
		rh.AddFormula(m.Name, m.Fingerprint(h.Classes))
	}
	if further > 0 {
		plan, err = protocol.WithRuns(plan.Runs() + further).Plan(ex)
		require.NoError(t, err)
	}
	learners := []string{"new", "old one"}
	r, err := record.NewBlock(rh, learners, units, n)
	require.NoError(t, err)
	for run := 1; run <= plan.Runs(); run++ {
		of := make([]uint16, n)
		tests := make([][]int, plan.Folds())
		for fold := range tests {
			_, tests[fold] = plan.Trial(run, fold+1, nil, nil)
			for _, i := range tests[fold] {
				of[i] = uint16(fold) + 1
			}
		}
		require.NoError(t, b.SetFolds(run, of))
		for fold, test := range tests {
			for l, name := range learners {
				c := record.Cell{Data: h.Data, Learner: name, Run: run, Fold: fold + 1}
				trainN, testN := plan.Sizes(run, fold+1)
				trial := record.Trial{
					Data: h.Data, Learner: name, Run: run, Fold: fold + 1, TrainN: trainN,
					TestN: testN,
				}
				if l == 1 && run == 1 && fold == 0 {
					trial.Err = "boom"
					require.NoError(t, r.Add(trial))
					continue
				}
				p := madeUp(b, test, rng)
				require.NoError(t, b.Add(c, test, p))
				for _, m := range metrics {
					v, err := m.Eval(p)
					require.NoError(t, err)
					trial.Values = append(trial.Values, v)
				}
				require.NoError(t, r.Add(trial))
			}
		}
	}
	sum, err := b.Checksum()
	require.NoError(t, err)
	r.Header.AddPredictions(sum)
	return truthful{b, r}
}

func madeUp(b *Block, test []int, rng *rand.Rand) *metric.Predictions {
	p := &metric.Predictions{Classes: b.Classes}
	for _, i := range test {
		if !b.Classification() {
			p.TrueValues, p.PredictedValues = append(p.TrueValues, b.Target(i)), append(p.PredictedValues,
				rng.NormFloat64())
			continue
		}
		p.Truth, p.Predicted = append(p.Truth, b.Truth(i)), append(p.Predicted, rng.IntN(len(b.Classes)))
		if b.Probabilities != "" {
			row, sum := make([]float64, len(b.Classes)), 0.0
			for c := range row {
				row[c] = rng.Float64()
				sum += row[c]
			}
			for c := range row {
				p.Probabilities = append(p.Probabilities, row[c]/sum)
			}
		}
	}
	return p
}

var protocols = map[string]split.Protocol{
	"cv":         split.CV(2, 4),
	"loo":        split.LeaveOneOut(),
	"groups":     split.Groups(2, 3),
	"subsample":  split.Subsample(3, 0.7),
	"weka":       split.Weka(2, 4),
	"timeseries": split.TimeSeries(3, split.Window{Gap: 1}),
}

// Scores that are computed again equal the stored ones under all protocols, for all metrics of
// labels, of numbers, and of probabilities that are kept; also after writing and reading.
func TestPredictionsProveTheirResult(t *testing.T) {
	t.Parallel()
	for name, p := range protocols {
		for _, kind := range []struct {
			classes       int
			probabilities string
			proven        int
		}{{3, "", 6}, {2, OfAll, 8}, {3, OfTruth, 7}, {0, "", 3}} {
			if name == "loo" && kind.classes == 0 { // R² of one example is undefined
				continue
			}
			further := 0
			if p.IsRandom() {
				further = 1
			}
			x := both(t, p, kind.classes, kind.probabilities, further)
			read, err := Read(strings.NewReader(text(t, x.block)), "f.pred")
			require.NoError(t, err)
			b, proof, err := Of(x.result, read)
			require.NoError(t, err, name)
			require.Len(t, proof.Metrics, kind.proven, "%s %+v", name, kind)
			require.Len(t, proof.Others, len(x.result.Units)-kind.proven)
			require.Empty(t, proof.Without)
			require.Equal(t, x.result.Len()-1, proof.Trials)
			require.Equal(t, contents(x.block), contents(b))
		}
	}
}

// Predictions that do not belong to the result are found, with the place.
func TestPredictionsOfSomethingElse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(x *truthful)
		want   string
	}{
		"truth": {
			func(x *truthful) { x.block.truth[5] = (x.block.truth[5] + 1) % 3 },
			"is another one",
		},
		"truth in cv":  {func(x *truthful) { x.block.truth[5], x.block.truth[8] = 0, 0 }, "accuracy is"},
		"a prediction": {func(x *truthful) { flip(x.block, "new") }, "learner new, run 2, fold "},
		"exchanged": {
			func(x *truthful) { exchange(x.block) },
			"if truth and predictions are exchanged",
		},
		"folds": {
			func(x *truthful) { of := x.block.folds[2]; of[0] = of[0]%4 + 1 },
			"the folds of the predictions are not the partitions",
		},
		"no folds": {
			func(x *truthful) { delete(x.block.folds, 2) },
			"the folds of run 2 are missing",
		},
		"data": {
			func(x *truthful) { x.block.DataDigest = strings.Repeat("00", 32) },
			"data-sha256 differs",
		},
		"test": {
			func(x *truthful) { x.block.Test = "Other" },
			"the test differs: \"Other\" in the predictions, \"TestIt\" in the result",
		},
		"failed trial": {func(x *truthful) {
			x.block.runs[place{0, 1}].codes[first(x.block, 1,
				1)] = missing
			unfold(x.block, 0)
		}, "a trial has predictions if it did not fail"},
		"not failed": {
			func(x *truthful) { fill(x.block) },
			"a trial has predictions if it did not fail",
		},
		"other run": {
			func(x *truthful) { x.result.Header.Predictions = strings.Repeat("1", 64) },
			"the result names the predictions 111111111111, and",
		},
		"no run": {
			func(x *truthful) { x.result.Header.Predictions = "" },
			"names the predictions of no file",
		},
		"other learner": {func(x *truthful) { x.block.learners[0] = "new2" }, ""},
	} {
		x := both(t, split.CV(2, 4), 3, "", 0)
		sum := x.result.Header.Predictions
		c.change(&x)
		x.block.sum = ""
		if x.result.Header.Predictions == sum && name != "no run" {
			sum, err := x.block.Checksum()
			require.NoError(t, err)
			x.result.Header.Predictions = sum
		}
		proof, err := x.block.Verify(x.result)
		switch name {
		case "other learner": // it is not proven, and said so
			require.NoError(t, err)
			require.Equal(t, []string{"new"}, proof.Without)
		case "truth": // which changes the strata of no fold: the score tells
			require.ErrorIs(t, err, ErrMismatch)
		default:
			require.ErrorIs(t, err, ErrMismatch, name)
			require.ErrorContains(t, err, c.want, name)
			require.ErrorContains(t, err, "made up", name)
		}
	}
	x := both(t, split.CV(2, 4), 3, "", 0)
	_, _, err := Of(x.result, nil)
	require.ErrorContains(t, err, "which are in another file")
	x.result.Header.Predictions = ""
	_, _, err = Of(x.result, []*Block{x.block})
	require.ErrorContains(t, err, "no predictions were kept of it")
}

// edited returns a result with changed trials.
func edited(t testing.TB, b *record.Block, change func(trial *record.Trial)) *record.Block {
	e, err := record.NewBlock(b.Header, b.Learners, b.Columns, 60)
	require.NoError(t, err)
	for trial := range b.Trials() {
		change(&trial)
		require.NoError(t, e.Add(trial))
	}
	return e
}

// A score that differs in its last bit is another score, and so is a fold of another size.
func TestResultsThatDifferByLittle(t *testing.T) {
	t.Parallel()
	x := both(t, split.Groups(2, 3), 3, OfAll, 0)
	x.result = edited(t, x.result, func(trial *record.Trial) {
		if trial.Run == 2 && trial.Fold == 3 && trial.Learner == "new" {
			trial.Values[6] = math.Nextafter(trial.Values[6], 9)
		}
	})
	_, err := x.block.Verify(x.result)
	require.ErrorContains(t, err, "learner new, run 2, fold 3: logloss is ")

	x = both(t, split.Groups(2, 3), 3, "", 0)
	x.result = edited(t, x.result, func(trial *record.Trial) {
		if trial.Run == 2 && trial.Fold == 3 {
			trial.TrainN, trial.TestN = trial.TrainN-1, trial.TestN+1
		}
	})
	_, err = x.block.Verify(x.result)
	require.ErrorContains(t, err, "test examples")
}

// Nothing is predicted of an example that no fold tests.
func TestPredictionsOfUntestedExamples(t *testing.T) {
	t.Parallel()
	x := both(t, split.Subsample(2, 0.5), 3, "", 0)
	full := text(t, x.block)
	from := strings.Index(full, "P new 1 0 ")
	line, _, _ := strings.Cut(full[from:], "\n")
	_, err := Read(strings.NewReader(resealed(t, full, line, strings.ReplaceAll(line, "-", "."))),
		"f.pred")
	require.ErrorContains(t, err, "an example without a fold has none")
}

// A metric of the user, or one of another formula, is not computed again, and the proof says so.
func TestMetricsThatNobodyCanComputeAgain(t *testing.T) {
	t.Parallel()
	x := both(t, split.CV(2, 4), 2, "", 0)
	x.result.Header.Metrics = strings.Replace(x.result.Header.Metrics, "kappa=", "kappa=0", 1)
	x.result.Units[3].Name = "mine"
	proof, err := x.block.Verify(x.result)
	require.NoError(t, err)
	require.Equal(t, []string{"kappa", "mine"}, proof.Others)
}

// flip changes the prediction of an example in run 2.
func flip(b *Block, learner string) {
	r := b.Run(learner, 2)
	for i := range r.codes {
		if r.Class(i) == b.Truth(i) {
			r.codes[i] = firstClass + (r.codes[i]-firstClass+1)%3
			return
		}
	}
}

// exchange makes a block of which truth and predictions were exchanged, of the second learner in no
// fold.
func exchange(b *Block) {
	r := b.runs[place{0, 1}]
	for i := range r.codes {
		r.codes[i], b.truth[i] = b.truth[i]+firstClass, r.codes[i]-firstClass
	}
}

func first(b *Block, run, fold int) int {
	for i, f := range b.folds[run] {
		if int(f) == fold {
			return i
		}
	}
	return -1
}

// unfold takes the predictions of a learner in run 1, fold 1 away.
func unfold(b *Block, learner int) {
	for i, f := range b.folds[1] {
		if f == 1 {
			b.runs[place{learner, 1}].codes[i] = missing
		}
	}
}

// fill makes up predictions of the trial that failed.
func fill(b *Block) {
	for i, c := range b.runs[place{1, 1}].codes {
		if c == missing {
			b.runs[place{1, 1}].codes[i] = firstClass
		}
	}
}

// Shards give the whole.
func TestUnionOfShards(t *testing.T) {
	t.Parallel()
	x := both(t, split.CV(2, 4), 3, OfTruth, 0)
	p, err := x.block.Partition()
	require.NoError(t, err)
	var shards []*Block
	x.result.Header.Predictions = ""
	for shard := range 2 {
		truth := make([]int, x.block.Examples)
		for i := range truth {
			truth[i] = x.block.Truth(i)
		}
		b, err := NewBlock(x.block.Header, truth, nil)
		require.NoError(t, err)
		for _, run := range x.block.Runs() {
			require.NoError(t, b.SetFolds(run, x.block.folds[run]))
			for fold, test := range p.Tests(run) {
				for _, name := range x.block.Learners() {
					r := x.block.Run(name, run)
					if fold%2 != shard || !r.Has(test[0]) {
						continue
					}
					to := b.room(record.Cell{Learner: name, Run: run})
					for _, i := range test {
						to.take(i, r)
					}
				}
			}
		}
		sum, err := b.Checksum()
		require.NoError(t, err)
		x.result.Header.AddPredictions(sum)
		shards = append(shards, b)
	}
	read, err := Read(strings.NewReader(text(t, shards...)), "shards.pred")
	require.NoError(t, err)
	b, proof, err := Of(x.result, read)
	require.NoError(t, err)
	require.Equal(t, x.result.Len()-1, proof.Trials)
	require.True(t, text(t, x.block) == text(t, b))

	_, _, err = Of(x.result, read[:1])
	require.ErrorContains(t, err, "which are in another file")
	_, err = Union(shards[0], shards[0])
	require.ErrorContains(t, err, "both have predictions of learner new in run 1, fold 1")
	other := *shards[1]
	other.Test = "Other"
	_, err = Union(shards[0], &other)
	require.ErrorContains(t, err, "their heads differ")
	other = *shards[1]
	other.truth = append([]uint16{2}, other.truth[1:]...)
	_, err = Union(shards[0], &other)
	require.ErrorContains(t, err, "the truth differs")
	_, err = Union()
	require.ErrorIs(t, err, ErrMismatch)
}

func TestAccessors(t *testing.T) {
	t.Parallel()
	x := both(t, split.CV(1, 4), 0, "", 0)
	r := x.block.Run("old one", 1)
	i := first(x.block, 1, 1)
	require.False(t, r.Has(i))
	require.True(t, math.IsNaN(r.Value(i)))
	require.Nil(t, r.Probabilities(i))
	require.Nil(t, x.block.Run("nobody", 1))
	require.Equal(t, 1, x.block.Fold(1, i))
	x = both(t, split.CV(1, 4), 2, "", 0)
	require.Equal(t, Missing, x.block.Run("old one", 1).Class(first(x.block, 1, 1)))
}
