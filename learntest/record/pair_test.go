package record

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPairOfTwoLearners(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb", "knn")
	slices.Reverse(s.Trials)
	f := fileOf(sampleSet("iris", 1, 1, "c45"), s)
	p, err := Pair(Selection{f, "vehicle", "knn"}, Selection{f, "vehicle", "c45"}, "accuracy")
	require.NoError(t, err)
	want := &Pairs{
		Data: "vehicle", Candidate: "knn", Baseline: "c45", Unit: accuracy,
		CandidateHeader: s.Header, BaselineHeader: s.Header,
		Runs: 2, Folds: 3,
		TrainN: []int{101, 102, 103, 101, 102, 103},
		TestN:  []int{49, 48, 47, 49, 48, 47},
	}
	for run := 1.0; run <= 2; run++ {
		for fold := 1.0; fold <= 3; fold++ {
			want.A = append(want.A, 1/(1+run+fold/7+0.02))
			want.B = append(want.B, 1/(1+run+fold/7))
		}
	}
	require.Equal(t, want, p)
}

func TestPairOfTwoFiles(t *testing.T) {
	t.Parallel()
	before, after := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("vehicle", 2, 3, "c45", "knn")
	after.Header.Commit = "new"
	after.Header.Pkg = "example.com/moved"
	for i := range after.Trials {
		after.Trials[i].Values[0].Value /= 2
	}
	p, err := Pair(Selection{fileOf(after), "vehicle", "c45"}, Selection{fileOf(before), "vehicle", "c45"}, "accuracy")
	require.NoError(t, err)
	require.Equal(t, "new", p.CandidateHeader.Commit)
	require.Equal(t, "3f2a9c1", p.BaselineHeader.Commit)
	for i := range p.A {
		require.Equal(t, p.B[i]/2, p.A[i])
	}
}

// What is stored, in however many shards, pairs as what was not.
func TestPairOfStoredEqualsLive(t *testing.T) {
	t.Parallel()
	full := sampleSet("vehicle", 3, 4, "c45", "n b")
	rapid.Check(t, func(t *rapid.T) {
		s := full
		s.Trials = slices.Clone(full.Trials)
		for i := range s.Trials {
			s.Trials[i].Values = []Value{{"accuracy", rapid.Float64Range(0, 1).Draw(t, "accuracy")}}
			s.Trials[i].TrainN = 100 + s.Trials[i].Fold
		}
		live, err := Pair(Selection{fileOf(s), "vehicle", "c45"}, Selection{fileOf(s), "vehicle", "n b"}, "accuracy")
		require.NoError(t, err)
		stored := read(t, fileOf(shard(t, s, 3)...))
		got, err := Pair(Selection{stored, "vehicle", "c45"}, Selection{stored, "vehicle", "n b"}, "accuracy")
		require.NoError(t, err)
		require.Equal(t, live, got)
		for i := range live.A {
			require.Equal(t, math.Float64bits(live.A[i]), math.Float64bits(got.A[i]))
		}
	})
}

func TestPairRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(s *Set)
		kind  error
		msg   string
	}{
		{"fold removed", func(s *Set) { s.Trials = slices.Delete(s.Trials, 3, 4) }, ErrIncomplete, "candidate c45: trials are missing: data set vehicle, learner c45, run 2, fold 1"},
		{"fold doubled", func(s *Set) { s.Trials = append(s.Trials, s.Trials[3]) }, ErrDouble, "candidate c45: trials occur more than once: data set vehicle, learner c45, run 2, fold 1"},
		{"fold failed", func(s *Set) { s.Trials[3].Err, s.Trials[3].Values = "panic:\nboom", nil }, ErrFailedTrial, `candidate c45: trials failed: data set vehicle, learner c45, run 2, fold 1 (panic:\nboom)`},
		{"fold made NaN", func(s *Set) { s.Trials[3].Values[0].Value = math.NaN() }, ErrValue, "candidate c45: values are out of range: data set vehicle, learner c45, run 2, fold 1 (accuracy is NaN)"},
		{"value above range", func(s *Set) { s.Trials[3].Values[0].Value = 1.5 }, ErrValue, "candidate c45: values are out of range: data set vehicle, learner c45, run 2, fold 1 (accuracy is 1.5)"},
		{"value below range", func(s *Set) { s.Trials[3].Values[0].Value = -0.5 }, ErrValue, "(accuracy is -0.5)"},
		{"other data", func(s *Set) { s.Header.DataDigest = "beef" }, ErrMismatch, `results do not belong together: data-sha256 is "beef" for candidate c45 but "9a1f" for baseline c45`},
		{"other partitions", func(s *Set) { s.Header.SplitDigest = "beef" }, ErrMismatch, `split-sha256 is "beef"`},
		{"other protocol", func(s *Set) { s.Header.Protocol = "loo" }, ErrMismatch, `protocol is "loo"`},
		{"other runs", func(s *Set) { *s = sampleSet("vehicle", 3, 3, "c45") }, ErrMismatch, `runs is "3" for candidate c45 but "2" for baseline c45`},
		{"other folds", func(s *Set) { *s = sampleSet("vehicle", 2, 2, "c45") }, ErrMismatch, `folds is "2"`},
		{"other direction", func(s *Set) { s.Units = []Unit{{"accuracy", Lower, 0, 1}} }, ErrMismatch, "unit is \"accuracy better=lower min=0 max=1\""},
		{"other range", func(s *Set) { s.Units = []Unit{{"accuracy", Higher, 0, 100}} }, ErrMismatch, "max=100"},
		{"other training size", func(s *Set) { s.Trials[3].TrainN++ }, ErrMismatch, `train-n of data set vehicle, learner c45, run 2, fold 1 is "102" for candidate c45 but "101" for baseline c45`},
		{"other test size", func(s *Set) { s.Trials[3].TestN++ }, ErrMismatch, `test-n of data set vehicle, learner c45, run 2, fold 1 is "50"`},
		{"other data set", func(s *Set) { *s = sampleSet("iris", 2, 3, "c45") }, ErrNotFound, `not found: data set vehicle of the candidate c45; there are: "iris"`},
		{"other learner", func(s *Set) { *s = sampleSet("vehicle", 2, 3, "a b") }, ErrNotFound, `not found: candidate c45 on data set vehicle; there are: "a b"`},
		{"other metric", func(s *Set) { s.Units = []Unit{{"kappa", Higher, 0, 1}} }, ErrNotFound, `metric accuracy of the candidate c45 on data set vehicle; there are: "kappa"`},
		{"no sets", func(s *Set) { *s = Set{} }, ErrNotFound, "there are: none"},
		{"run not in the plan", func(s *Set) { s.Trials[3].Run = 9 }, ErrInvalid, "run 9"},
		{"values in another order", func(s *Set) {
			s.Units = append(s.Units, Unit{"kappa", Higher, -1, 1})
			for i := range s.Trials {
				s.Trials[i].Values = append([]Value{{"kappa", 0}}, s.Trials[i].Values...)
			}
		}, ErrInvalid, "order of the units"},
		{"value missing", func(s *Set) { s.Trials[3].Values = nil }, ErrInvalid, "run 2, fold 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			good, bad := sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "c45")
			c.spoil(&bad)
			cand, base := Selection{fileOf(bad), "vehicle", "c45"}, Selection{fileOf(good), "vehicle", "c45"}
			p, err := Pair(cand, base, "accuracy")
			require.Nil(t, p)
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, c.msg)
			p, err = Pair(base, cand, "accuracy")
			require.Nil(t, p)
			require.ErrorIs(t, err, c.kind)
		})
	}
	_, err := Pair(Selection{}, Selection{}, "accuracy")
	require.ErrorIs(t, err, ErrNotFound)
}

func TestPairErrorsGivePositions(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	s.Trials[1].Err, s.Trials[1].Values = "boom", nil
	f := read(t, fileOf(s))
	_, err := Pair(Selection{f, "vehicle", "c45"}, Selection{f, "vehicle", "c45"}, "accuracy")
	require.EqualError(t, err, "candidate c45: trials failed: data set vehicle, learner c45, run 1, fold 2 (f.txt:17: boom)")
}

// A baseline that several candidates are compared with is in several
// experiments.
func TestPairOfALearnerInSeveralExperiments(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 2, 3, "nb", "c45"), sampleSet("vehicle", 2, 3, "nb", "knn")
	f := fileOf(a, b)
	p, err := Pair(Selection{f, "vehicle", "knn"}, Selection{f, "vehicle", "nb"}, "accuracy")
	require.NoError(t, err)
	require.Len(t, p.A, 6)

	b.Trials[4].Values[0].Value = 0.5
	f = read(t, fileOf(a, b))
	_, err = Pair(Selection{f, "vehicle", "knn"}, Selection{f, "vehicle", "nb"}, "accuracy")
	require.ErrorIs(t, err, ErrAmbiguous)
	require.EqualError(t, err, `selection is ambiguous: accuracy of data set vehicle, learner nb, run 1, fold 3 is "0.411764705882353" `+
		`for baseline nb of f.txt with c45 but "0.5" for baseline nb of f.txt with knn`)
	e := f.Experiments()[1]
	_, err = Pair(Selection{e, "vehicle", "knn"}, Selection{e, "vehicle", "nb"}, "accuracy")
	require.NoError(t, err)

	b = sampleSet("vehicle", 2, 3, "nb", "knn")
	b.Header.Protocol = "other"
	f = fileOf(a, b)
	_, err = Pair(Selection{f, "vehicle", "knn"}, Selection{f, "vehicle", "nb"}, "accuracy")
	require.ErrorIs(t, err, ErrAmbiguous)
	require.Equal(t, "protocol", requireError[*MismatchError](t, err).What)

	b = sampleSet("vehicle", 2, 3, "nb", "knn")
	b.Units = []Unit{{"kappa", Higher, -1, 1}}
	for i := range b.Trials {
		b.Trials[i].Values[0].Unit = "kappa"
	}
	f = fileOf(a, b)
	p, err = Pair(Selection{f, "vehicle", "c45"}, Selection{f, "vehicle", "nb"}, "accuracy")
	require.NoError(t, err)
	require.Equal(t, accuracy, p.Unit)
}

func TestPairDoesNotModifyTheFile(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	slices.Reverse(s.Trials)
	f := read(t, fileOf(s, sampleSet("vehicle", 2, 3, "c45")))
	before := text(t, f)
	trials := slices.Clone(f.Sets[0].Trials)
	p, err := Pair(Selection{f, "vehicle", "c45"}, Selection{f, "vehicle", "nb"}, "accuracy")
	require.NoError(t, err)
	clear(p.A)
	clear(p.TrainN)
	require.NoError(t, f.Check())
	require.Equal(t, trials, f.Sets[0].Trials)
	require.Equal(t, before, text(t, f))
}

func BenchmarkPair(b *testing.B) {
	f := fileOf(sampleSet("vehicle", 10, 10, "c45", "nb"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Pair(Selection{f, "vehicle", "c45"}, Selection{f, "vehicle", "nb"}, "accuracy"); err != nil {
			b.Fatal(err)
		}
	}
}
