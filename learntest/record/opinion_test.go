package record

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// halvesSet is the second opinion on a sample set, from m halvings of two folds in each half.
func halvesSet(t require.TestingT, of set, m int) set {
	b := of.block(t)
	s := sampleSet(of.Header.Data, 0, 2, of.Learners...)
	s.Header = of.Header
	s.Header.Protocol = fmt.Sprintf("halves m=%d folds=2 seed=1 v1", m)
	s.Header.SplitDigest = digest("halves " + of.Header.Data)
	for _, name := range of.Learners {
		s.Header.Of(name).SetOpinionOn(b.Fingerprint(name))
	}
	s.Examples = of.Examples
	for run := 1; run <= m; run++ {
		for fold := 1; fold <= 4; fold++ {
			testN := (of.Examples + 4 - fold) / 4
			for i, learner := range of.Learners {
				s.Trials = append(s.Trials, Trial{
					Data: of.Header.Data, Learner: learner, Run: run, Fold: fold, TrainN: 7, TestN: testN,
					Values: []float64{1 / (2 + float64(run) + float64(fold)/9 + float64(i)/50)},
				})
			}
		}
	}
	return s
}

// pairSecond pairs the second opinion on two learners of one file.
func pairSecond(f *File, m int) (*Pairs, error) {
	return PairSecond(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy", m)
}

func TestSecondOpinionsArePairedApart(t *testing.T) {
	t.Parallel()
	own := sampleSet("vehicle", 2, 3, "c45", "nb")
	second := halvesSet(t, own, 5)
	var text bytes.Buffer
	require.NoError(t, Write(&text, own.block(t), second.block(t)))
	f, err := Read(&text, "results.txt")
	require.NoError(t, err)
	require.NoError(t, f.Check())

	// The results themselves do not change with it.
	p, err := Pair(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "accuracy")
	require.NoError(t, err)
	require.Equal(t, []int{2, 3}, []int{p.Runs, p.Folds})
	require.False(t, p.CandidateHeader.IsSecondOpinion())

	for _, m := range []int{0, 5} {
		s, err := pairSecond(f, m)
		require.NoError(t, err)
		require.Equal(t, []int{5, 4}, []int{s.Runs, s.Folds})
		require.True(t, s.CandidateHeader.IsSecondOpinion())
		require.Equal(t, second.Trials[0].Values[0], s.A[0])
		require.Equal(t, second.Trials[1].Values[0], s.B[0])
	}
	_, err = pairSecond(f, 6)
	require.ErrorIs(t, err, ErrNotFound)
	require.EqualError(t, err, "not found: second opinion on the candidate c45 on data set vehicle")

	// A selection of experiments leaves out all experiments of other tests.
	_, err = PairSecond(
		Selection{
			File: f, Data: "vehicle", Learner: "c45",
			Only: func(h *Header) bool { return !h.IsSecondOpinion() },
		},
		f.Of("vehicle", "nb"), "accuracy", 5)
	require.ErrorIs(t, err, ErrNotFound)
	_, err = PairSecond(f.Of("vehicle", "c45"), f.Of("vehicle", "nb"), "kappa", 5)
	require.ErrorIs(t, err, ErrNotFound)
}

// The most halvings that both have are taken, if it is not said how many.
func TestSecondOpinionsWithMostHalvings(t *testing.T) {
	t.Parallel()
	own := sampleSet("vehicle", 2, 3, "c45", "nb")
	few, many, most := halvesSet(t, own, 3), halvesSet(t, own, 7), halvesSet(t, own, 9)
	alone := most.block(t)
	one, err := NewBlock(alone.Header, []string{"c45"}, alone.Units, 0)
	require.NoError(t, err)
	for tr := range alone.Trials() {
		if tr.Learner == "c45" {
			require.NoError(t, one.Add(tr))
		}
	}
	s, err := pairSecond(NewFile(own.block(t), few.block(t), many.block(t), one), 0)
	require.NoError(t, err)
	require.Equal(t, 7, s.Runs)
	_, err = pairSecond(NewFile(own.block(t), one), 0)
	require.ErrorContains(t, err, "second opinion on the baseline nb on data set vehicle")
	_, err = pairSecond(NewFile(own.block(t), one, onlyNB(t, few)), 0)
	require.ErrorContains(t, err, "the second opinions on c45 and nb have no protocol in common")
}

func onlyNB(t *testing.T, s set) *Block {
	b := s.block(t)
	one, err := NewBlock(b.Header, []string{"nb"}, b.Units, 0)
	require.NoError(t, err)
	for tr := range b.Trials() {
		if tr.Learner == "nb" {
			require.NoError(t, one.Add(tr))
		}
	}
	return one
}

// An opinion on other results, or of another protocol, is no opinion on these.
func TestForeignSecondOpinionsAreRefused(t *testing.T) {
	t.Parallel()
	own := sampleSet("vehicle", 2, 3, "c45", "nb")
	for _, c := range []struct {
		name  string
		spoil func(own, second *set)
		is    error
		text  string
	}{
		{
			"a score of the candidate has changed", func(own, _ *set) { own.Trials[4].Values[0] = 0.5 },
			ErrMismatch, "the second opinion on the candidate c45 under \"halves m=5 folds=2 seed=1 v1\"",
		},
		{
			"a score of the baseline has changed", func(own, _ *set) { own.Trials[5].Values[0] = 0.5 },
			ErrMismatch, "is on other results of it than these: run it again",
		},
		{
			"it names no results", func(_, second *set) { second.Header.OpinionOn = "" }, ErrMismatch,
			"is on other results",
		},
		{"it is on the results of the other learner", func(_, second *set) {
			was := second.Header
			second.Header.OpinionOn = ""
			second.Header.Of("c45").SetOpinionOn(was.Of("nb").OpinionOn())
			second.Header.Of("nb").SetOpinionOn(was.Of("c45").OpinionOn())
		}, ErrMismatch, "is on other results"},
		{"another formula of the metric", func(own, second *set) {
			own.Header.AddFormula("accuracy", "a1")
			second.Header.AddFormula("accuracy", "b2")
		}, ErrMismatch, "is on other results"},
		{
			"another seed", func(_, second *set) { second.Header.Protocol = "halves m=5 folds=2 seed=2 v1" },
			ErrNotFound, "second opinion on the candidate",
		},
		{"another stratification", func(_,
			second *set,
		) {
			second.Header.Protocol = "halves m=5 folds=2 unstratified seed=1 v1"
		}, ErrNotFound, "second opinion on the candidate"},
		{
			"results of other partitions", func(own, _ *set) { own.Header.SplitDigest = digest("other") },
			ErrMismatch, "is on other results",
		},
		{
			"a trial of it failed", func(_, second *set) { second.fail(3, "boom") }, ErrFailedTrial,
			"second opinion on the baseline nb: trials failed: data set vehicle, learner nb, run 1, fold 2",
		},
		{"a trial of it is missing", func(_,
			second *set,
		) {
			second.Trials = second.Trials[:len(second.Trials)-1]
		}, ErrIncomplete, "second opinion on the baseline nb"},
		{"results that have none", func(own, second *set) {
			own.Header.Protocol = "predefined runs=2 folds=3 sha256=5f seed=1 v1"
		}, ErrNotFound, "second opinion on the candidate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			own, second := own.clone(), halvesSet(t, own, 5)
			c.spoil(&own, &second)
			_, err := pairSecond(NewFile(own.block(t), second.block(t)), 5)
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.text)
		})
	}
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	own := sampleSet("vehicle", 2, 3, "c45", "nb")
	b := own.block(t)
	require.Regexp(t, "^[0-9a-f]{16}$", b.Fingerprint("c45"))
	require.NotEqual(t, b.Fingerprint("c45"), b.Fingerprint("nb"))
	require.Empty(t, b.Fingerprint("forest"))

	// Further runs, times and other learners do not matter, a bit of a score does.
	more := own.clone()
	more.Trials = append(more.Trials, sampleRun(&more, 3, 3)...)
	for i := range more.Trials {
		more.Trials[i].FitSeconds++
		if more.Trials[i].Learner == "nb" {
			more.Trials[i].Values[0] /= 2
		}
	}
	require.Equal(t, b.Fingerprint("c45"), more.block(t).Fingerprint("c45"))
	require.NotEqual(t, b.Fingerprint("nb"), more.block(t).Fingerprint("nb"))
	less := own.clone()
	less.Trials = less.Trials[:len(less.Trials)-2]
	require.Empty(t, less.block(t).Fingerprint("c45"))
}

// Shards of an opinion agree on its results; else its results are unknown.
func TestUnionOfSecondOpinions(t *testing.T) {
	t.Parallel()
	own := sampleSet("vehicle", 2, 3, "c45", "nb")
	half := func(from, to int) set {
		s := halvesSet(t, own, 5)
		s.Trials = s.Trials[from:to]
		return s
	}
	a, b := half(0, 20), half(20, 40)
	u, err := Union(a.block(t), b.block(t))
	require.NoError(t, err)
	require.Equal(t, a.Header.OpinionOn, u.Header.OpinionOn)
	_, err = pairSecond(NewFile(own.block(t), a.block(t), b.block(t)), 5)
	require.NoError(t, err)
	b.Header.OpinionOn = ""
	b.Header.Of("c45").SetOpinionOn("0123456789abcdef")
	_, err = pairSecond(NewFile(own.block(t), a.block(t), b.block(t)), 5)
	require.ErrorIs(t, err, ErrMismatch)
}
