package learntest

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A patient visits one of three clinics.
type patient struct {
	Number int
	Clinic string
	Age    int
}

// patients returns examples of clinics A, B and C, of which the last has few.
func patients(n int) *ExampleSet[patient, bool] {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	xs, ys := make([]patient, n), make([]bool, n)
	for i := range xs {
		clinic := "A"
		switch {
		case i%25 == 0:
			clinic = "C"
		case i%3 == 0:
			clinic = "B"
		}
		xs[i], ys[i] = patient{i, clinic, 20 + r.IntN(60)}, r.IntN(2) == 1
	}
	e := Examples("visits", xs, ys)
	for _, c := range []string{"A", "B", "C"} {
		e = e.WithSlice("clinic="+c, func(x patient) bool { return x.Clinic == c })
	}
	return e
}

// failing returns a learner that knows the labels of the data, and fails on a share of each clinic,
// on other examples from trial to trial.
func failing(name string, data *ExampleSet[patient, bool],
	share map[string]float64,
) Learner[patient, bool] {
	return Func(name, func(_ context.Context, _ Sample[patient, bool],
		seed uint64,
	) (func(patient) bool, error) {
		return func(x patient) bool {
			r := rand.New(rand.NewPCG(seed^uint64(len(name)), uint64(x.Number)))
			return (r.Float64() < share[x.Clinic]) != data.Label(x.Number)
		}, nil
	})
}

// TestSlicesAreScoredAsTheirMembers computes the differences on slices from the predictions
// themselves, and compares them with the verdict on them.
func TestSlicesAreScoredAsTheirMembers(t *testing.T) {
	t.Parallel()
	data := patients(300)
	now, before := failing("new", data, map[string]float64{"A": 0.1, "B": 0.4}),
		failing("old", data, map[string]float64{"A": 0.15, "B": 0.1})
	for name, p := range map[string]split.Protocol{
		"cross-validation": split.CV(4, 5),
		"subsamples":       split.Subsample(12, 0.8),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			sums, counts := make(map[string][]float64), make(map[string][]int32)
			cells := p.Runs() * p.Folds()
			for _, c := range []string{"A", "B", "C"} {
				sums[c], counts[c] = make([]float64, cells), make([]int32, cells)
			}
			cfg := Config{Protocol: p, Metrics: []metric.Metric{
				metric.Accuracy(), metric.MacroF1(),
				metric.Error(),
			}, AllowNondeterminism: true, NoClaim: true}
			cfg.Predicted = func(c record.Cell, test []int, p *metric.Predictions) {
				mu.Lock()
				defer mu.Unlock()
				for i, row := range test {
					clinic := data.Example(row).Clinic
					at := (c.Run-1)*cfg.Protocol.Folds() + c.Fold - 1
					hit := 0.0
					if p.Truth[i] == p.Predicted[i] {
						hit = 1
					}
					if c.Learner == "new" {
						sums[clinic][at] += hit
						counts[clinic][at]++
					} else {
						sums[clinic][at] -= hit
					}
				}
			}
			c := CompareWith(newRecorder(t), cfg, data, now, before)
			for _, s := range c.Records().Blocks()[0].Header.SliceList() {
				clinic := strings.TrimPrefix(s.Name, "clinic=")
				d, err := stat.Slice{Members: s.Members, Counts: counts[clinic]}.Linearise(sums[clinic],
					p.Runs(), p.Folds())
				require.NoError(t, err)
				d.Ratio = map[string]float64{"cross-validation": 0.25, "subsamples": 0.25}[name]
				test := stat.CorrectedCVTTest
				if p.Folds() == 1 {
					test = stat.CorrectedResampledTTest
				}
				want, err := test(d, stat.TwoSided)
				require.NoError(t, err)
				v := c.Judge(verdict.Claim{Metric: "accuracy{" + s.Name + "}"})
				if clinic == "C" {
					require.ErrorIs(t, v.Err, verdict.ErrTooSmall)
					assert.Equal(t, 12, v.Slice.Members)
					continue
				}
				require.NoError(t, v.Err)
				assert.InDelta(t, want.Mean, v.Estimate, 1e-12)
				assert.InDelta(t, want.Mean, v.CandidateMean-v.BaselineMean, 1e-12)
				assert.InDelta(t, want.SE, v.Difference.Result.SE, 1e-12)
				assert.InDelta(t, want.P, v.Difference.P, 1e-12)
				assert.Equal(t, want.DF, v.Difference.Result.DF)
				assert.LessOrEqual(t, want.DF, float64(cells-1))
				assert.Equal(t, s.Members, v.Tested)
				e := c.Judge(verdict.Claim{Metric: "error{" + s.Name + "}"})
				require.NoError(t, e.Err)
				assert.InDelta(t, -want.Mean, e.Estimate, 1e-12)
				f := c.Judge(verdict.Claim{Metric: "macro-f1{" + s.Name + "}"})
				require.ErrorIs(t, f.Err, record.ErrNotFound, "it is no mean over examples")
			}
		})
	}
}

// TestSlicesDoNotChangeTheRest compares results with slices and without: scores, seeds and digests
// are equal, and the whole pairs.
func TestSlicesDoNotChangeTheRest(t *testing.T) {
	t.Parallel()
	with := patients(100)
	without := Examples("visits", with.xs, with.ys)
	cfg := Config{Protocol: split.CV(2, 5), NoClaim: true}
	l, k := failing("new", with, map[string]float64{"A": 0.1, "B": 0.4}), failing("old", with, nil)
	a, b := CompareWith(newRecorder(t), cfg, with, l, k).Records(), CompareWith(newRecorder(t), cfg,
		without, l, k).Records()
	assert.Equal(t, b.Blocks()[0].Header.DataDigest, a.Blocks()[0].Header.DataDigest)
	p, err := record.Pair(a.Of("visits", "new"), b.Of("visits", "new"), "accuracy")
	require.NoError(t, err)
	assert.Equal(t, p.A, p.B)
	_, err = record.Pair(a.Of("visits", "new"), b.Of("visits", "new"), "accuracy{clinic=A}")
	require.ErrorIs(t, err, record.ErrNotFound)
	assert.Contains(t, err.Error(), "slice clinic=A on data set visits is on one side only")
	other := without.WithSlice("clinic=A", func(x patient) bool { return x.Number < 61 })
	c := CompareWith(newRecorder(t), cfg, other, l, k).Records()
	_, err = record.Pair(a.Of("visits", "new"), c.Of("visits", "new"), "accuracy{clinic=A}")
	require.ErrorIs(t, err, record.ErrMismatch, "as many members, but other ones")
	assert.Contains(t, err.Error(), "is of other examples on one side")
}

// TestSlicesOfFiles reads slices from a column of a table and from a tag of a struct.
func TestSlicesOfFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "visits.csv")
	var text strings.Builder
	text.WriteString("age,clinic,ill\n")
	for i := range 40 {
		text.WriteString(strconv.Itoa(20+i) + "," + []string{"A", "B", "", "A"}[i%4] + "," +
			strconv.FormatBool(i%3 == 0) + "\n")
	}
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	want := map[string]int{"clinic=?": 10, "clinic=A": 20, "clinic=B": 10}
	check := func(of []dataset.Slice) {
		t.Helper()
		got := make(map[string]int)
		for _, s := range of {
			got[s.Name] = len(s.Rows)
		}
		assert.Equal(t, want, got)
	}
	table, err := dataset.Open(path, dataset.ReadOptions{Slices: []string{"clinic"}})
	require.NoError(t, err)
	check(table.Slices())
	assert.Equal(t, 3, table.NumAttributes(), "the column stays")
	table, err = dataset.Open(path, dataset.ReadOptions{Group: "age", Slices: []string{"clinic"}})
	require.NoError(t, err)
	check(table.Slices())
	type visit struct {
		Age    int    `csv:"age"`
		Clinic string `csv:"clinic,text,slice"`
		Ill    bool   `csv:"ill,label"`
	}
	visits, err := CSV[visit, bool](path)
	require.NoError(t, err)
	check(visits.Slices())
	assert.Equal(t, "B", visits.Example(1).Clinic)

	for _, c := range []struct {
		options dataset.ReadOptions
		says    string
	}{
		{
			dataset.ReadOptions{Slices: []string{"clinik"}},
			`there is no column "clinik" whose values could be slices`,
		},
		{dataset.ReadOptions{Slices: []string{"age"}}, `column "age" has numbers, which are no slices`},
		{dataset.ReadOptions{Slices: []string{"clinic", "clinic"}}, "are slices already"},
		{dataset.ReadOptions{
			Slices: []string{"age"},
			Kinds:  map[string]dataset.Kind{"age": dataset.Nominal},
		}, "has more than 20 values"},
	} {
		_, err := dataset.Open(path, c.options)
		require.ErrorContains(t, err, c.says)
	}
	type byAge struct {
		Age int  `csv:"age,slice"`
		Ill bool `csv:"ill,label"`
	}
	_, err = CSV[byAge, bool](path)
	require.ErrorIs(t, err, dataset.ErrUnusable)
	require.ErrorContains(t, err, "has more than 20 values")
}

func TestSlicesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	data := Examples("visits", patients(60).xs, patients(60).ys)
	all := func(patient) bool { return true }
	l, k := failing("new", data, nil), failing("old", data, nil)
	for says, d := range map[string]*ExampleSet[patient, bool]{
		"it needs a name without braces": data.WithSlice("a{b}", all),
		`slice "none" has no examples`: data.WithSlice("none",
			func(patient) bool { return false }),
		`two slices are called "all"`:              data.WithSlice("all", all).WithSlice("all", all),
		"which is the name of the slice of copies": data.WithSlice(record.CopiesSlice, all),
		`a slice is called "": it needs a name`:    data.WithSlice("", all),
	} {
		r := newRecorder(t)
		CompareWith(r, Config{Protocol: split.CV(1, 5)}, d, l, k)
		assert.Contains(t, r.fatal, says)
	}
	r := newRecorder(t)
	braces := metric.Accuracy()
	braces.Name = "accuracy{all}"
	CompareWith(r, Config{Protocol: split.CV(1, 5), Metrics: []metric.Metric{braces}}, data, l, k)
	assert.Contains(t, r.fatal, "has braces in its name")
}

// TestSlicesSayWhatTheyMayNotMean checks the notes on slices of one label, and on metrics without
// scores on slices.
func TestSlicesSayWhatTheyMayNotMean(t *testing.T) {
	t.Parallel()
	data := Examples("visits", patients(100).xs, patients(100).ys)
	byLabel := data.WithSlice("ill", func(x patient) bool { return data.Label(x.Number) })
	l, k := failing("new", data, nil), failing("old", data, nil)
	r := newRecorder(t)
	CompareWith(r, Config{Protocol: split.CV(1, 5), NoClaim: true}, byLabel, l, k)
	assert.Contains(t, strings.Join(r.logs, "\n"),
		"all examples of slice ill have the label true: it is defined by the label, and accuracy there is a recall")
	r = newRecorder(t)
	c := CompareWith(r, Config{
		Protocol: split.CV(1, 5), NoClaim: true,
		Metrics: []metric.Metric{metric.Kappa()},
	}, byLabel, l, k)
	assert.Contains(t, strings.Join(r.logs, "\n"),
		`there are no scores on slices of it: "kappa" is no mean over examples`)
	vs := c.Verdicts(verdict.Claim{Slices: &verdict.Slices{}})
	require.Len(t, vs, 1)
	assert.ErrorContains(t, vs[0].Err, "the data have no slices")
}

// TestCopiesAreASlice compares the slice of copies in training with a count of its own.
func TestCopiesAreASlice(t *testing.T) {
	t.Parallel()
	var xs []int
	var ys []bool
	for i := range 120 {
		xs, ys = append(xs, i-i%2*(i%4/2)), append(ys, i%3 == 0) // of four examples, the last equals the third
	}
	data := Examples("twice", xs, ys)
	cfg := Config{Protocol: split.CV(3, 5), CopySlice: true, NoClaim: true}
	found, err := FindCopies(data, cfg.Protocol)
	require.NoError(t, err)
	plan := found.Plan
	c := CompareWith(newRecorder(t), cfg, data, constant("yes", true), constant("no", false))
	records := c.Records()
	s := records.Blocks()[0].Header.SliceList()
	require.Len(t, s, 1)
	assert.Equal(t, record.CopiesSlice, s[0].Name)
	assert.Equal(t, 60, s[0].Members)
	p, err := record.Pair(records.Of("twice", "yes"),
		records.Of("twice", "no"), "accuracy{copy in training}")
	require.NoError(t, err)
	ill, members := 0, 0
	for i := range p.Slice.Counts {
		train, test := plan.Trial(i/5+1, i%5+1, nil, nil)
		there := make(map[int]bool)
		for _, row := range train {
			there[xs[row]] = true
		}
		want, wanted := int32(0), 0
		for _, row := range test {
			if there[xs[row]] {
				want++
				if ys[row] {
					wanted++
				}
			}
		}
		require.Equal(t, want, p.Slice.Counts[i])
		ill, members = ill+wanted, members+int(want)
	}
	require.Less(t, members, 3*60, "some copies are tested together")
	v := c.Judge(verdict.Claim{Metric: "accuracy{copy in training}"})
	require.NoError(t, v.Err)
	assert.InDelta(t, float64(ill)/float64(members), v.CandidateMean, 0.01)
	assert.InDelta(t, 1, v.CandidateMean+v.BaselineMean, 1e-12)

	r := newRecorder(t)
	CompareWith(r, cfg, numbers(60), constant("yes", true), constant("no", false))
	assert.Contains(t, strings.Join(r.logs, "\n"),
		`no two examples are equal, so that there is no slice "copy in training"`)
}

// TestMetricsThatHaveSlices lists which metrics of the module are means over examples.
func TestMetricsThatHaveSlices(t *testing.T) {
	t.Parallel()
	means := map[string]bool{
		"accuracy": true, "error": true, "logloss": true, "brier": true,
		"mae": true,
	}
	seen := 0
	for _, m := range metric.Metrics() {
		classes := []string{"a", "b", "c"}
		if m.Name == "rmse" || m.Name == "mae" || m.Name == "r2" {
			classes = nil
		}
		assert.Equal(t, means[m.Name], m.IsMeanOfParts(classes), m.Name)
		if means[m.Name] {
			seen++
		}
	}
	assert.Equal(t, len(means), seen)
	assert.False(t, metric.Metric{Eval: func(*metric.Predictions) (float64, error) {
		return math.NaN(),
			nil
	}}.IsMeanOfParts(nil))
}
