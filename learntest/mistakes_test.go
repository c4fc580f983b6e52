package learntest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	claim "github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A coming is an example of a person who comes several times.
type coming struct {
	Person string
	Number int
}

// visits are eight of each person, who is ill by the toss of a coin.
func visits(persons int) *ExampleSet[coming, bool] {
	var xs []coming
	var ys []bool
	var groups []string
	for p := range persons {
		name := fmt.Sprint("p", p)
		h := fnv.New64a()
		h.Write([]byte(name))
		for n := range 8 {
			xs, ys, groups = append(xs, coming{name, n}), append(ys, h.Sum64()>>7&1 == 0), append(groups, name)
		}
	}
	return Examples("visits", xs, ys).WithGroups(groups)
}

// memory predicts what it has seen of the same person.
func memory() Learner[coming, bool] {
	return Func("memory", func(_ context.Context, train Sample[coming, bool], _ uint64) (func(coming) bool, error) {
		ill := make(map[string]bool)
		for x, y := range train.All() {
			ill[x.Person] = y
		}
		return func(x coming) bool { return ill[x.Person] }, nil
	})
}

func never() Learner[coming, bool] { return Pretrained("never", func(coming) bool { return false }) }

// firstLine returns the first line of the first error that a test has been told.
func firstLine(r *recorder) string {
	for _, said := range append([]string{r.fatal}, r.errors...) {
		if _, message, ok := strings.Cut(said, "Error:"); ok { // after the lines that say where
			said = message
		}
		if line, _, _ := strings.Cut(strings.TrimSpace(said), "\n"); line != "" {
			return line
		}
	}
	return ""
}

// Each of these passed, or failed without the reason, before it was looked for. A row is a test as somebody
// writes it, with the mistake in it, and the first line of what it says.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(t TB)
		says string
	}{
		{"groups, and the default protocol", func(t TB) {
			claim.Improves(t, Compare(t, visits(40), memory(), never()))
		}, "Claim does not hold: memory improves on never on visits in accuracy; both have the same accuracy in every fold"},
		{"groups, and a protocol that divides them", func(t TB) {
			claim.Improves(t, CompareWith(t, Config{Protocol: split.CV(2, 10)}, visits(40), memory(), never()))
		}, `learntest.Compare: invalid configuration: data set "visits" has groups, and "cv runs=2 folds=10 stratified seed=1 v1" divides them: examples of one group are in training and in test, where a learner recognises them: use split.Groups(2, 10), or set Config.IgnoreGroups if groups do not matter`},
		{"groups, and partitions of its own that divide them", func(t TB) {
			claim.Improves(t, CompareWith(t, Config{Protocol: split.LeaveOneOut()}, visits(40), memory(), never()))
		}, `learntest.Compare: invalid configuration: data set "visits" has groups, and "loo seed=1 v1" divides them: examples of one group are in training and in test, where a learner recognises them: use split.Groups(10, 10), or set Config.IgnoreGroups if groups do not matter`},
		{"three groups", func(t TB) {
			claim.Improves(t, Compare(t, visits(3), memory(), never()))
		}, `learntest.Compare: unusable data: data set "visits": it has 3 groups, and the default protocol takes 4 at least: collect examples of more groups, choose a protocol such as Config{Protocol: split.Groups(1, 3)}, or set Config.IgnoreGroups if groups do not matter`},
		{"a metric that overwrites what it is given", func(t TB) {
			m := metric.Accuracy()
			m.Name, m.Doc = "flattering", ""
			m.Eval = func(p *metric.Predictions) (float64, error) {
				score, err := metric.Accuracy().Eval(p)
				copy(p.Predicted, p.Truth)
				return score, err
			}
			c := CompareWith(t, Config{Metrics: []metric.Metric{m, metric.Accuracy()}}, numbers(60), constant("even", false), constant("odd", true))
			claim.Improves(t, c, claim.OnUnit("accuracy"))
		}, `learntest.Compare: invalid configuration: data set "numbers": metric breaks its contract: flattering changes the predicted labels that it is given: the metrics after it would score that`},
		{"a metric in the wrong direction", func(t TB) {
			c := CompareWith(t, Config{Metrics: []metric.Metric{loss(unit.Higher, 1)}}, numbers(60), constant("odd", true), parity())
			claim.Improves(t, c)
		}, `learntest.Compare: invalid configuration: data set "numbers": metric breaks its contract: loss scores shuffled predictions 50 and perfect ones 0, and higher is better: turn its direction round`},
		{"a level that lets equal learners differ", func(t TB) {
			claim.Improves(t, Compare(t, numbers(60), parity(), constant("odd", true)), claim.Alpha(0.5))
		}, "Claim does not hold: candidate improves on baseline"},
		{"two margins in one claim", func(t TB) {
			claim.NoRegression(t, Compare(t, numbers(60), parity(), constant("odd", true)), claim.Margin(0.01), claim.Margin(0.3))
		}, "Claim does not hold: candidate does not regress from baseline"},
		{"a comparison, and nothing that is claimed of it", func(t TB) {
			Compare(t, numbers(60), constant("odd", true), parity())
		}, `learntest.Compare: nothing was claimed of odd vs parity on numbers when the test ended: it passes whatever the scores are: claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant`},
		{"several candidates, and a claim of one", func(t TB) {
			claim.Improves(t, CompareAll(t, Config{}, numbers(60), constant("odd", true), parity(), constant("never", false))[0])
		}, `learntest.Compare: nothing was claimed of never vs odd on numbers when the test ended: it passes whatever the scores are: claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant`},
		{"one learner under two names", func(t TB) {
			claim.Improves(t, Compare(t, numbers(60), parity(), constant("odd", true)))
			claim.Improves(t, Compare(t, numbers(60), wrongBelow("deep", 6), wrongBelow("shallow", 6)))
		}, "Claim does not hold: deep improves on shallow on numbers in accuracy; both have the same accuracy in every fold"},
		{"a margin below what so few examples can show, and one learner under two names", func(t TB) {
			claim.NoRegression(t, Compare(t, numbers(60), wrongBelow("deep", 6), wrongBelow("shallow", 6)))
		}, "Claim does not hold: deep does not regress from shallow on numbers in accuracy; both have the same accuracy in every fold"},
		{"the label in the examples", func(t TB) {
			type payment struct {
				Amount int
				Fraud  bool
			}
			var xs []payment
			var ys []bool
			for i := range 60 {
				fraud := i*7%11 > 6
				xs, ys = append(xs, payment{i, fraud}), append(ys, fraud)
			}
			peeker := Pretrained("peeker", func(p payment) bool { return p.Fraud })
			claim.Improves(t, Compare(t, Examples("payments", xs, ys), peeker, Pretrained("honest", func(p payment) bool { return p.Amount > 30 })))
		}, `learntest.Compare: unusable data: data set "payments": field Fraud tells the label of all 60 examples, and peeker goes by it: with the value of another label, it predicts otherwise: leave it out of the examples`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRecorder(t)
			c.test(r)
			r.end()
			assert.Equal(t, c.says, firstLine(r))
		})
	}
}

// A group is in training or in test, whatever asks for further runs and other seeds.
func TestGroupsWithoutAProtocol(t *testing.T) {
	for persons, want := range map[int]string{
		4: "groups runs=10 folds=2 unstratified seed=1 v1", 13: "groups runs=10 folds=6 unstratified seed=1 v1", 20: "groups runs=10 folds=10 unstratified seed=1 v1", 40: "groups runs=10 folds=10 unstratified seed=1 v1",
	} {
		b := mustRun(t, visits(persons), Config{}, never())
		assert.Equal(t, want, b.Header.Protocol, "%d persons", persons)
	}
	assert.Equal(t, "cv runs=10 folds=10 stratified seed=1 v1", mustRun(t, visits(40), Config{IgnoreGroups: true}, never()).Header.Protocol)
	single := visits(40)
	single = single.WithGroups(ownGroups(single.Len()))
	assert.Equal(t, "cv runs=2 folds=5 stratified seed=1 v1", mustRun(t, single, Config{Protocol: split.CV(2, 5)}, never()).Header.Protocol, "no group of two is divided")

	t.Setenv(envSeed, "7")
	t.Setenv(envRuns, "2")
	c := Compare(newRecorder(t), visits(40), memory(), never())
	assert.Equal(t, "groups runs=2 folds=10 unstratified seed=7 v1", c.Records().Blocks()[0].Header.Protocol)
	assert.False(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)

	_, err := Run(t.Context(), []Data[coming, bool]{visits(40), visits(40).WithGroups(nil)}, []Learner[coming, bool]{never()}, Config{})
	require.Error(t, err)
	assert.True(t, errors.Is(err, ErrConfig) || errors.Is(err, split.ErrExamples))
}

// ownGroups are names of groups of one example each.
func ownGroups(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("g", i)
	}
	return names
}

// A level from outside cannot turn red into green.
func TestLevelsFromOutsideAreNotLooser(t *testing.T) {
	t.Setenv(envAlpha, "0.5")
	r := newRecorder(t)
	claim.Improves(r, Compare(r, numbers(60), guesser("guess"), constant("odd", true)))
	r.end()
	assert.Equal(t, "learntest.Compare: invalid configuration: environment variable LEARNTEST_ALPHA=0.5: it is looser than the 0.05 of claims that give no level: what a test claims may be made stricter from outside only", r.fatal)
	assert.Len(t, r.errors, 1, "nor does the claim hold")
}

// loss is a number that counts errors.
func loss(better unit.Direction, each float64) metric.Metric {
	return metric.Metric{Unit: unit.Unit{Name: "loss", Better: better, Min: 0, Max: 1000}, Eval: func(p *metric.Predictions) (float64, error) {
		sum := 0.0
		for i, c := range p.Predicted {
			if c != p.Truth[i] {
				sum += each
			}
		}
		return 100 * sum / float64(p.Len()), nil
	}}
}

// A formula that has changed under one name is not compared with what it was.
func TestFormulasThatHaveChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	t.Setenv(envUpdate, "1")
	t.Setenv("CI", "")
	r := newRecorder(t)
	AgainstWith(r, Config{Metrics: []metric.Metric{loss(unit.Lower, 1)}}, numbers(60), mostly("m", 0.9), path)
	require.Empty(t, r.fatal)
	t.Setenv(envUpdate, "")
	r = newRecorder(t)
	AgainstWith(r, Config{Metrics: []metric.Metric{loss(unit.Lower, 0.5)}}, numbers(60), mostly("m", 0.6), path)
	assert.Regexp(t, `^learntest.Against: invalid configuration: baseline .*: metric loss is not what it was: it is another formula now; its fingerprint is [0-9a-f]{12} and was [0-9a-f]{12}; `+
		`with the learner as it was before any change to it, LEARNTEST_UPDATE=1 go test .* writes it anew: what a changed learner writes is compared with nothing$`, r.fatal)
	r = newRecorder(t)
	v := AgainstWith(r, Config{Metrics: []metric.Metric{loss(unit.Lower, 1)}}, numbers(60), mostly("m", 0.9), path).Judge(verdict.Claim{})
	require.NoError(t, v.Err)
	assert.Equal(t, verdict.Same, v.Outcome)
	r.end()
	assert.Empty(t, r.fatal)
	assert.Empty(t, r.errors)

	// So it is of two files, and files from before there were fingerprints are compared as they were.
	now, was := mustRun(t, numbers(60), Config{Metrics: []metric.Metric{loss(unit.Lower, 0.5)}}, mostly("m", 0.6)), mustRun(t, numbers(60), Config{Metrics: []metric.Metric{loss(unit.Lower, 1)}}, mostly("m", 0.9))
	pair := func() error {
		_, err := record.Pair(record.Selection{File: record.NewFile(now), Data: "numbers", Learner: "m"}, record.Selection{File: record.NewFile(was), Data: "numbers", Learner: "m"}, "loss")
		return err
	}
	require.ErrorIs(t, pair(), record.ErrMismatch)
	assert.Regexp(t, `metric loss is another formula now: its fingerprint is "[0-9a-f]{12}" for candidate m but "[0-9a-f]{12}" for baseline m$`, pair().Error())
	was.Header.Metrics = ""
	assert.NoError(t, pair())
}

// Metrics that tell nothing apart may be meant so, and metrics that panic without probabilities are metrics.
func TestMetricsThatAreNoted(t *testing.T) {
	rate := metric.Metric{Unit: unit.Unit{Name: "rate", Better: unit.Lower, Min: 0, Max: 1}, Eval: func(p *metric.Predictions) (float64, error) {
		n := 0.0
		for _, c := range p.Predicted {
			n += float64(c)
		}
		return n / float64(p.Len()), nil
	}}
	r := newRecorder(t)
	CompareWith(r, Config{Metrics: []metric.Metric{rate}}, numbers(60), constant("even", false), constant("odd", true)).Judge(verdict.Claim{})
	assert.Empty(t, r.errors)
	require.NotEmpty(t, r.logs)
	assert.Equal(t, "note: data set numbers: metric does not tell perfect predictions from shuffled ones: rate scores both 0.5: is it the metric that is meant?", r.logs[0])

	s, err := newSource(numbers(60))
	require.NoError(t, err)
	rate.Eval = func(p *metric.Predictions) (float64, error) { return p.Probabilities[1], nil }
	_, err = s.scoring([]metric.Metric{rate}).check()
	require.NoError(t, err)
	h := record.Header{Metrics: s.scoring([]metric.Metric{rate, metric.Accuracy()}).fingerprints()}
	assert.Len(t, h.FormulaOf("rate"), 12)
	rate.Eval = func(p *metric.Predictions) (float64, error) { return rand.Float64(), nil }
	assert.Empty(t, s.scoring([]metric.Metric{rate}).fingerprints())
}

// A baseline from before groups were kept together is not compared with, and the error says how it is written anew.
func TestBaselineOfDividedGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	t.Setenv(envUpdate, "1")
	t.Setenv("CI", "")
	r := newRecorder(t)
	AgainstWith(r, Config{IgnoreGroups: true}, visits(40), memory(), path)
	require.Empty(t, r.fatal)
	t.Setenv(envUpdate, "")
	r = newRecorder(t)
	Against(r, visits(40), memory(), path)
	assert.Equal(t, `learntest.Against: invalid configuration: baseline `+path+`: it has memory on data set visits under "cv runs=10 folds=10 stratified seed=1 v1", not under "groups runs=10 folds=10 unstratified seed=1 v1"; `+
		`LEARNTEST_UPDATE=1 go test -count=1 -run '^TestModel$/^case \(1\)$' github.com/learnbench/learnbench/learntest writes it anew`, r.fatal)
}
