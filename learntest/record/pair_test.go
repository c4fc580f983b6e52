package record

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPairOfTwoLearners(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb", "knn")
	slices.Reverse(s.Trials)
	b := s.block(t)
	f := NewFile(sampleBlock(t, "iris", 1, 1, "c45"), b)
	p, err := Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "c45"), "accuracy")
	require.NoError(t, err)
	want := &Pairs{
		Data: "vehicle", Candidate: "knn", Baseline: "c45", Unit: accuracy,
		CandidateHeader: &b.Header, BaselineHeader: &b.Header,
		CandidateLearner: "knn", BaselineLearner: "c45",
		Runs: 2, Folds: 3,
		TrainN: []int32{20, 21, 21, 20, 21, 21},
		TestN:  []int32{11, 10, 10, 11, 10, 10},
	}
	for run := 1.0; run <= 2; run++ {
		for fold := 1.0; fold <= 3; fold++ {
			want.A = append(want.A, 1/(1+run+fold/7+0.02))
			want.B = append(want.B, 1/(1+run+fold/7))
		}
	}
	require.Equal(t, want, p)
	// Appending to the shared scores does not write into the file.
	inOrder := fileOf(t, sampleSet("vehicle", 2, 3, "c45", "nb"))
	p, err = Pair(inOrder.Of("vehicle", "c45"), inOrder.Of("vehicle", "nb"), "accuracy")
	require.NoError(t, err)
	require.Equal(t, []int{6, 6, 6, 6}, []int{cap(p.A), cap(p.B), cap(p.TrainN), cap(p.TestN)})
}

func TestPairOfTwoFiles(t *testing.T) {
	t.Parallel()
	before, after := sampleSet("vehicle", 2, 3, "c45", "nb"), sampleSet("vehicle", 2, 3, "c45",
		"knn").clone()
	after.Header.Commit = "new"
	after.Header.Pkg = "example.com/moved"
	for i := range after.Trials {
		after.Trials[i].Values[0] /= 2
	}
	p, err := Pair(Selection{File: fileOf(t, after), Data: "vehicle", Learner: "c45"},
		Selection{File: fileOf(t, before), Data: "vehicle", Learner: "c45"}, "accuracy")
	require.NoError(t, err)
	require.Equal(t, "new", p.CandidateHeader.Commit)
	require.Equal(t, "3f2a9c1", p.BaselineHeader.Commit)
	for i := range p.A {
		require.Equal(t, p.B[i]/2, p.A[i])
	}
}

// Stored trials, in any number of shards and any order, pair like trials in
// memory: the protocol's own runs and further ones.
func TestPairOfStoredEqualsLive(t *testing.T) {
	t.Parallel()
	full := sampleSet("vehicle", 3, 4, "c45", "n b")
	full.Trials = append(full.Trials, sampleRun(&full, 4, 4)...)
	rapid.Check(t, func(t *rapid.T) {
		s := full.clone()
		for i := range s.Trials {
			s.Trials[i].Values[0] = rapid.Float64Range(0, 1).Draw(t, "accuracy")
		}
		f := fileOf(t, s)
		live, err := Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "n b"), "accuracy")
		require.NoError(t, err)
		require.Equal(t, 1, live.More)
		stored := readText(t, textOf(t, shard(t, s, 3)...))
		got, err := Pair(stored.Of("vehicle", "c45"), stored.Of("vehicle", "n b"), "accuracy")
		require.NoError(t, err)
		require.Len(t, got.A, 16)
		for i := range live.A {
			require.Equal(t, math.Float64bits(live.A[i]), math.Float64bits(got.A[i]))
			require.Equal(t, math.Float64bits(live.B[i]), math.Float64bits(got.B[i]))
		}
		live.A, live.B, got.A, got.B = nil, nil, nil, nil
		live.CandidateHeader, live.BaselineHeader = got.CandidateHeader, got.BaselineHeader
		require.Equal(t, live, got)
	})
}

func TestPairRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(s *set)
		kind  error
		msg   string
	}{
		{
			"fold removed", func(s *set) { s.Trials = slices.Delete(s.Trials, 3, 4) }, ErrIncomplete,
			"candidate c45: trials are missing: data set vehicle, learner c45, run 2, fold 1",
		},
		{
			"run removed", func(s *set) { s.Trials = s.Trials[3:] }, ErrIncomplete,
			"candidate c45: trials are missing: data set vehicle, learner c45, run 1, fold 1; data set vehicle, learner c45, run 1, fold 2; data set vehicle, learner c45, run 1, fold 3",
		},
		{
			"fold failed", func(s *set) { s.fail(3, "panic:\nboom") }, ErrFailedTrial,
			`candidate c45: trials failed: data set vehicle, learner c45, run 2, fold 1 (panic:\nboom)`,
		},
		{
			"failed and out of range", func(s *set) { s.fail(3, "boom"); s.Trials[4].Values[0] = 2 },
			ErrFailedTrial, "candidate c45: trials failed: data set vehicle, learner c45, run 2, fold 1 (boom)\nvalues are out of range: data set vehicle, learner c45, run 2, fold 2 (accuracy is 2)",
		},
		{
			"value above range", func(s *set) { s.Trials[3].Values[0] = 1.5 }, ErrValue,
			"candidate c45: values are out of range: data set vehicle, learner c45, run 2, fold 1 (accuracy is 1.5)",
		},
		{
			"value below range", func(s *set) { s.Trials[3].Values[0] = -0.5 }, ErrValue,
			"(accuracy is -0.5)",
		},
		{
			"other data", func(s *set) { s.Header.DataDigest = digest("x") }, ErrMismatch,
			`results do not belong together: the data differ: data-sha256 is ` + digest("x")[:12] +
				` for candidate c45 but ` + digest("vehicle")[:12] + ` for baseline c45`,
		},
		{"other data that begin alike", func(s *set) {
			s.Header.DataDigest = digest("vehicle")[:60] +
				"0000"
		}, ErrMismatch, `the data differ: data-sha256 is "` + digest("vehicle")[:60] +
			`0000" for candidate c45 but "` + digest("vehicle") + `" for`},
		{
			"other partitions", func(s *set) { s.Header.SplitDigest = digest("x") }, ErrMismatch,
			`: the partitions differ: split-sha256 is ` + digest("x")[:12] + ` for`,
		},
		{
			"other protocol", func(s *set) { s.Header.Protocol = "cv runs=2 folds=3 stratified seed=2 v1" },
			ErrMismatch, `protocol is "cv runs=2 folds=3 stratified seed=2 v1" for candidate c45 but`,
		},
		{
			"other runs", func(s *set) { *s = sampleSet("vehicle", 3, 3, "c45") }, ErrMismatch,
			`protocol is "cv runs=3 folds=3`,
		},
		{
			"other direction", func(s *set) { s.Units[0].Better = unit.Lower }, ErrMismatch,
			"unit is \"accuracy better=lower min=0 max=1\"",
		},
		{"other range", func(s *set) { s.Units[0].Max = 100 }, ErrMismatch, "max=100"},
		{"more examples", func(s *set) {
			s.Examples++
			for i := range s.Trials {
				if s.Trials[i].TestN == 10 && s.Trials[i].Fold == 2 {
					s.Trials[i].TestN++
				} else {
					s.Trials[i].TrainN++
				}
			}
		}, ErrMismatch, `train-n of data set vehicle, learner c45, run 1, fold 1 is "21" for candidate c45 but "20" for baseline c45`},
		{
			"other data set", func(s *set) { *s = sampleSet("iris", 2, 3, "c45") }, ErrNotFound,
			`not found: data set vehicle of the candidate c45; there are: "iris"`,
		},
		{
			"other learner", func(s *set) { *s = sampleSet("vehicle", 2, 3, "a b", "x") }, ErrNotFound,
			`not found: candidate c45 on data set vehicle; there are: "a b", "x"`,
		},
		{"other metric", func(s *set) {
			s.Units = []unit.Unit{{
				Name: "kappa", Better: unit.Higher, Min: 0,
				Max: 1,
			}}
		}, ErrNotFound, `metric accuracy of the candidate c45 on data set vehicle; there are: "kappa"`},
		{"no trials", func(s *set) { s.Trials = nil }, ErrIncomplete, "and 3 more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			good, bad := sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "c45").clone()
			c.spoil(&bad)
			cand, base := Selection{File: fileOf(t, bad), Data: "vehicle", Learner: "c45"},
				Selection{File: fileOf(t, good), Data: "vehicle", Learner: "c45"}
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
	_, err = Pair(NewFile().Of("vehicle", "c45"), Selection{}, "accuracy")
	require.EqualError(t, err, "not found: data set vehicle of the candidate c45; there are: none")
	b := sampleBlock(t, "vehicle", 1, 1, "x")
	for _, missing := range [][2]string{{"y", "accuracy"}, {"x", "kappa"}} {
		_, err = newScores(b, missing[0], missing[1], 0, false)
		require.ErrorIs(t, err, ErrNotFound)
	}
}

// Where the protocol leaves the sizes open, they must be equal in each cell.
func TestPairOfOtherSizes(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45")
	s.Header.Protocol = "predefined runs=2 folds=3 sha256=5f seed=1 v1"
	for what, change := range map[string]func(tr *Trial){
		"train-n": func(tr *Trial) { tr.TrainN++ },
		"test-n":  func(tr *Trial) { tr.TestN++ },
	} {
		o := s.clone()
		change(&o.Trials[3])
		_, err := Pair(Selection{File: fileOf(t, o), Data: "vehicle", Learner: "c45"},
			Selection{File: fileOf(t, s), Data: "vehicle", Learner: "c45"}, "accuracy")
		require.ErrorIs(t, err, ErrMismatch)
		e := requireError[*MismatchError](t, err)
		require.Equal(t, what, e.What)
		require.Equal(t, &Cell{Data: "vehicle", Learner: "c45", Run: 2, Fold: 1}, e.Cell)
		require.NotEqual(t, e.A, e.B)
	}
}

// Leave-one-out on data sets of different sizes has other folds.
func TestPairOfOtherFolds(t *testing.T) {
	t.Parallel()
	loo := func(n int) *File {
		s := sampleSet("vehicle", 1, 1, "c45")
		s.Header.Protocol, s.Examples, s.Trials = "loo seed=1 v1", n, nil
		for fold := 1; fold <= n; fold++ {
			s.Trials = append(s.Trials, Trial{
				Data: "vehicle", Learner: "c45", Run: 1, Fold: fold,
				TrainN: n - 1, TestN: 1, Values: []float64{1},
			})
		}
		return readText(t, textOf(t, s))
	}
	p, err := Pair(loo(4).Of("vehicle", "c45"), loo(4).Of("vehicle", "c45"), "accuracy")
	require.NoError(t, err)
	require.Equal(t, []int{1, 4}, []int{p.Runs, p.Folds})
	_, err = Pair(loo(4).Of("vehicle", "c45"), loo(5).Of("vehicle", "c45"), "accuracy")
	require.ErrorContains(t, err, `number of folds is "4" for candidate c45 of f.txt but "5" for baseline c45 of f.txt`)
}

func TestPairErrorsGivePositions(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45").clone()
	s.fail(1, "boom")
	s.Trials[2].Values[0] = 7
	f := readText(t, textOf(t, s))
	_, err := Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "c45"), "accuracy")
	require.EqualError(t, err, "candidate c45: trials failed: data set vehicle, learner c45, run 1, fold 2 (f.txt:18: boom)\n"+
		"values are out of range: data set vehicle, learner c45, run 1, fold 3 (f.txt:20: accuracy is 7)")
}

// Each metric has its own scores and its own range.
func TestPairInEachMetric(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb", "knn").clone()
	s.Units = append(s.Units, unit.Unit{Name: "logloss", Better: unit.Lower, Min: 0, Max: math.Inf(1)},
		unit.Unit{Name: "kappa", Better: unit.Higher, Min: -1, Max: 1})
	want := make(map[string][]float64)
	for i := range s.Trials {
		tr := &s.Trials[i]
		tr.Values = append(tr.Values, 2+float64(i), -float64(i)/100)
		for u, x := range tr.Values {
			name := tr.Learner + s.Units[u].Name
			want[name] = append(want[name], x)
		}
	}
	f := readText(t, textOf(t, s))
	for _, u := range s.Units {
		p, err := Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "nb"), u.Name)
		require.NoError(t, err)
		require.Equal(t, u, p.Unit)
		require.Equal(t, want["knn"+u.Name], p.A)
		require.Equal(t, want["nb"+u.Name], p.B)
	}
	s.Trials[8].Values[1], s.Trials[5].Values[2] = -1, 2 // of knn
	f = fileOf(t, s)
	for metric, msg := range map[string]string{
		"logloss": "run 1, fold 3 (logloss is -1)",
		"kappa":   "run 1, fold 2 (kappa is 2)",
	} {
		_, err := Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "nb"), metric)
		require.EqualError(t, err, "candidate knn: values are out of range: data set vehicle, learner knn, "+msg)
	}
	_, err := Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "nb"), "accuracy")
	require.NoError(t, err)
}

// A learner that lacks trials does not keep others from being paired.
func TestPairNeedsTheTrialsOfItsLearnersOnly(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb", "knn").clone()
	s.fail(2, "boom") // of knn
	s.Trials = slices.Delete(s.Trials, 8, 9)
	f := fileOf(t, s)
	_, err := Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy")
	require.NoError(t, err)
	_, err = Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "knn"), "accuracy")
	require.EqualError(t, err, "baseline knn: trials are missing: data set vehicle, learner knn, run 1, fold 3")
}

func TestPairOfFurtherRuns(t *testing.T) {
	t.Parallel()
	// with returns a file with further runs of c45, changed by spoil.
	with := func(spoil func(trials []Trial) []Trial, runs ...int) *File {
		s := sampleSet("vehicle", 2, 3, "c45").clone()
		for _, run := range runs {
			s.Trials = append(s.Trials, sampleRun(&s, run, 3)...)
		}
		s.Trials = spoil(s.Trials)
		return fileOf(t, s)
	}
	as := func(trials []Trial) []Trial { return trials }
	fail := func(i int) func([]Trial) []Trial {
		return func(trials []Trial) []Trial {
			trials[i].Values, trials[i].Err = nil, "boom"
			return trials
		}
	}
	const failed = "trials failed: data set vehicle, learner c45, run 4, fold 1 (boom)"
	for _, c := range []struct {
		name string
		a, b *File
		more int
		err  string
	}{
		{"none", with(as), with(as), 0, ""},
		{"as many", with(as, 3, 4), with(as, 3, 4), 2, ""},
		{"fewer on one side", with(as, 3, 4, 5), with(as, 3), 1, ""},
		{"none on one side", with(as, 3, 4, 5), with(as), 0, ""},
		{"shuffled", with(func(trials []Trial) []Trial { slices.Reverse(trials); return trials }, 5, 3,
			4), with(as, 4, 3, 5), 3, ""},
		{"a gap", with(as, 3, 5), with(as, 3, 4, 5), 1, ""},
		{
			"begun", with(func(trials []Trial) []Trial { return trials[:len(trials)-1] }, 3, 4),
			with(as, 3, 4), 1, "",
		},
		{"failed", with(fail(9), 3, 4, 5), with(as, 3, 4, 5), 1, failed},
		{"failed on both sides", with(fail(9), 3, 4, 5), with(fail(9), 3, 4), 1, failed + "\n" + failed},
		{"failed where the other side has none", with(fail(9), 3, 4, 5), with(as), 0, ""},
		{"failed where the other side has one", with(as, 3), with(fail(9), 3, 4), 1, failed},
		{"out of range", with(func(trials []Trial) []Trial { trials[6].Values[0] = 2; return trials }, 3,
			4), with(as, 3, 4), 0, "values are out of range: data set vehicle, learner c45, run 3, fold 1 (accuracy is 2)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for range 2 {
				p, err := Pair(c.a.Of("vehicle", "c45"), c.b.Of("vehicle", "c45"), "accuracy")
				require.NoError(t, err)
				require.Equal(t, c.more, p.More)
				require.Equal(t, 2, p.Runs)
				if c.err == "" {
					require.NoError(t, p.MoreErr)
				} else {
					require.EqualError(t, p.MoreErr, c.err)
				}
				require.Len(t, p.A, 3*(2+c.more))
				require.Equal(t, p.A, p.B)
				require.Len(t, p.TestN, len(p.A))
				for i, x := range p.A {
					require.Equal(t, 1/(1+float64(i/3+1)+float64(i%3+1)/7), x)
				}
				c.a, c.b = c.b, c.a
			}
		})
	}
}

// Other learners of the file may have more runs, or fewer.
func TestPairOfLearnersWithDifferentRuns(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 2, "a", "b", "c")
	further := func(run int, names string) []Trial {
		return slices.DeleteFunc(sampleRun(&s, run, 2),
			func(tr Trial) bool { return !strings.Contains(names, tr.Learner) })
	}
	s.Trials = slices.Concat(s.Trials, further(3, "abc"), further(4, "ab"), further(5, "a"))
	f := readText(t, textOf(t, s))
	require.NoError(t, f.Check())
	for pair, more := range map[string]int{"ab": 2, "bc": 1, "ac": 1, "aa": 3} {
		p, err := Pair(f.Of("vehicle", pair[:1]), f.Of("vehicle", pair[1:]), "accuracy")
		require.NoError(t, err)
		require.Equal(t, more, p.More, pair)
	}
}

// Learners that were run one after another are in blocks of their own.
func TestPairOfBlocksOfDifferentLearners(t *testing.T) {
	t.Parallel()
	f := fileOf(t, sampleSet("vehicle", 2, 3, "c45"), sampleSet("vehicle", 2, 3, "nb"))
	p, err := Pair(f.Of("vehicle", "nb"), f.Of("vehicle", "c45"), "accuracy")
	require.NoError(t, err)
	require.Len(t, p.A, 6)
	require.Len(t, f.Experiments(), 1)
}

// A baseline that several candidates are compared with is in several
// experiments.
func TestPairOfALearnerInSeveralExperiments(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("vehicle", 2, 3, "nb", "c45"), sampleSet("vehicle", 2, 3, "nb", "knn").clone()
	b.Header.Test = "TestOther"
	f := fileOf(t, a, b)
	p, err := Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "nb"), "accuracy")
	require.NoError(t, err)
	require.Len(t, p.A, 6)

	odd := b.clone()
	odd.Trials[4].Values[0] = 0.5
	f = readText(t, textOf(t, a, odd))
	_, err = Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "nb"), "accuracy")
	require.EqualError(t, err, `selection is ambiguous: accuracy of data set vehicle, learner nb, run 1, fold 3 is "0.411764705882353" `+
		`for baseline nb of f.txt under "cv runs=2 folds=3 stratified seed=1 v1", test TestForest of example.com/model `+
		`but "0.5" for baseline nb of f.txt under "cv runs=2 folds=3 stratified seed=1 v1", test TestOther of example.com/model`)
	require.ErrorIs(t, err, ErrAmbiguous)
	one := NewFile(f.Experiments()[1])
	_, err = Pair(one.Of("vehicle", "knn"), one.Of("vehicle", "nb"), "accuracy")
	require.NoError(t, err)

	protocol := b.clone()
	protocol.Header.Protocol = "cv runs=2 folds=3 stratified seed=2 v1"
	f = fileOf(t, a, protocol)
	_, err = Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "nb"), "accuracy")
	require.ErrorIs(t, err, ErrAmbiguous)
	require.Equal(t, "protocol", requireError[*MismatchError](t, err).What)

	incomplete := b.clone()
	incomplete.Trials = incomplete.Trials[1:]
	f = fileOf(t, a, incomplete)
	_, err = Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy")
	require.ErrorIs(t, err, ErrIncomplete)

	further := b.clone()
	further.Trials = append(further.Trials, sampleRun(&b, 3, 3)...)
	f = fileOf(t, a, further)
	_, err = Pair(f.Of("vehicle", "nb"), f.Of("vehicle", "c45"), "accuracy")
	require.NoError(t, err, "one may have more runs")

	sizes, other := a.clone(), b.clone()
	for _, s := range []*set{&sizes, &other} {
		s.Header.Protocol = "predefined runs=2 folds=3 sha256=5f seed=1 v1"
	}
	for i := range other.Trials {
		if tr := &other.Trials[i]; tr.Run == 2 && tr.Fold == 3 {
			tr.TestN++
		}
	}
	f = fileOf(t, sizes, other)
	_, err = Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy")
	require.ErrorIs(t, err, ErrAmbiguous)
	require.ErrorContains(t, err, `test-n of data set vehicle, learner nb, run 2, fold 3 is "10" for baseline nb under`)

	metric := b.clone()
	metric.Units = []unit.Unit{{Name: "kappa", Better: unit.Higher, Min: -1, Max: 1}}
	f = fileOf(t, a, metric)
	p, err = Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy")
	require.NoError(t, err)
	require.Equal(t, accuracy, p.Unit)
	_, err = Pair(f.Of("vehicle", "knn"), f.Of("vehicle", "nb"), "accuracy")
	require.EqualError(t, err, `not found: metric accuracy of the candidate knn on data set vehicle; there are: "kappa"`)
	_, err = Pair(f.Of("vehicle", "nb"), f.Of("vehicle", "nb"), "f1")
	require.ErrorContains(t, err, `there are: "accuracy", "kappa"`)
}
