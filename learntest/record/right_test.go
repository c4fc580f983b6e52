package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// hitsOf returns a set of complete runs with the scores of learners that are right on example i in
// a run just if the function says so, and the counts. In each run the folds test other examples.
func hitsOf(data string, runs, folds, n int, u unit.Unit, right func(learner, run, i int) bool,
	learners ...string,
) (set, map[string][]int) {
	s := set{
		Header: sampleHeader(data, runs, folds), Learners: learners, Units: []unit.Unit{u},
		Examples: n,
	}
	s.Header.Determinism = ""
	counts := make(map[string][]int)
	for l, name := range learners {
		counts[name] = make([]int, n)
		for run := 1; run <= runs; run++ {
			hits, tested := make([]int, folds), make([]int, folds)
			for i := range n {
				fold := (i + run*(i/folds)) % folds
				tested[fold]++
				if right(l, run, i) {
					hits[fold]++
					counts[name][i]++
				}
			}
			for fold := range folds {
				score := float64(hits[fold]) / float64(tested[fold])
				if u.Better == unit.Lower {
					score = float64(tested[fold]-hits[fold]) / float64(tested[fold])
				}
				s.Trials = append(s.Trials, Trial{
					Data: data, Learner: name, Run: run, Fold: fold + 1, TrainN: n - tested[fold],
					TestN: tested[fold], Values: []float64{score},
				})
			}
		}
	}
	return s, counts
}

// some is right on an example or not, for no reason.
func some(l, run, i int) bool { return (i*7+run*3+l*l)%5 > 0 }

var wrong = unit.Unit{Name: "error", Better: unit.Lower, Min: 0, Max: 1}

// counted returns the block of a set with counts.
func counted(t require.TestingT, s set, counts map[string][]int) *Block {
	b := s.block(t)
	SetRight(b, func(name string) []int { return counts[name] })
	return b
}

// Counts of right predictions are written and read back, on as many lines as they take, and pairs
// have them, of accuracy and of error.
func TestRightPredictionsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, u := range []unit.Unit{accuracy, wrong} {
		for _, n := range []int{41, rightChunk + 3} {
			s, counts := hitsOf("mails", 3, 4, n, u, some, "for est", "a/b")
			b := counted(t, s, counts)
			written := text(t, b)
			require.Contains(t, written, "\nRight: for%20est 0 ")
			require.Equal(t, n > rightChunk, strings.Contains(written, "\nRight: a%2fb 50000 "))
			again := readText(t, written)
			require.Equal(t, written, text(t, again.Blocks()...))
			for name, c := range counts {
				require.Equal(t, c, again.Blocks()[0].Header.Of(name).Right())
			}
			p, err := Pair(again.Of("mails", "for est"), again.Of("mails", "a/b"), u.Name)
			require.NoError(t, err)
			require.Equal(t, counts["for est"], p.RightA)
			require.Equal(t, counts["a/b"], p.RightB)
			require.Equal(t, p.RightA, p.First(3).RightA)
			require.Nil(t, p.First(2).RightA)
			require.Nil(t, p.First(2).RightB)
			first := Selection{File: again, Data: "mails", Learner: "a/b", First: 2}
			p, err = Pair(first, first, u.Name)
			require.NoError(t, err)
			require.Nil(t, p.RightA)
			require.Nil(t, again.Blocks()[0].Header.Of("c").Right())
		}
	}
}

// Counts that do not agree with the scores, or that no result can have, are an error, with a
// checksum or without.
func TestRightPredictionsThatCannotBe(t *testing.T) {
	t.Parallel()
	s, counts := hitsOf("mails", 2, 2, 6, accuracy, some, "a", "b")
	good := withoutChecksum(text(t, counted(t, s, counts)))
	line := regexpRight(t, good, "a")
	_, letters, _ := strings.Cut(strings.TrimPrefix(line, "Right: "), " 0 ")
	require.Len(t, letters, 6)
	more := strings.Replace(letters, "1", "2", 1)
	require.NotEqual(t, letters, more)
	for _, c := range []struct{ name, line, err string }{
		{"another count", "Right: a 0 " + more, "key Right says that a is right"},
		{"more runs than there are", "Right: a 0 3" + letters[1:], "in 3 of 2 runs"},
		{"an example more", "Right: a 0 " + letters + "0", "has 7 examples of a, and the data set 6"},
		{"an example less", "Right: a 0 " + letters[:5], "has 5 examples of a, and the data set 6"},
		{"not a letter", "Right: a 0 " + letters[:5] + "!", "are not from 0 to z"},
		{"no letters", "Right: a 0 ", "are not from 0 to z"},
		{"no number", "Right: a " + letters, "is not a learner, a number of an example and letters"},
		{"a gap", "Right: a 0 " + letters[:3] + "\nRight: a 4 " + letters[4:], "does not follow"},
		{"twice", line + "\n" + line, "does not follow"},
		{"from another example", "Right: a 1 " + letters, "does not follow"},
		{"a number in another spelling", "Right: a 00 " + letters, "does not follow"},
		{"a learner that is not there", "Right: c 0 " + letters, `learner "c" is not one of those`},
		{"a name in another spelling", "Right: %61 0 " + letters, "is not a learner"},
	} {
		_, err := Read(strings.NewReader(strings.Replace(good, line, c.line, 1)), "f.txt")
		require.ErrorContains(t, err, c.err, c.name)
		require.ErrorContains(t, err, "f.txt:", c.name)
	}
	halves := strings.Replace(good, line, "Right: a 0 "+letters[:3]+"\nRight: a 3 "+letters[3:], 1)
	f, err := Read(strings.NewReader(halves), "f.txt")
	require.NoError(t, err)
	require.Equal(t, counts["a"], f.Blocks()[0].Header.Of("a").Right())

	// A line that was removed is noticed by the checksum. Other lines do not depend on it.
	whole := text(t, counted(t, s, counts))
	_, err = Read(strings.NewReader(strings.Replace(whole, line+"\n", "", 1)), "f.txt")
	require.ErrorIs(t, err, ErrChecksum)
	f, err = Read(strings.NewReader(strings.Replace(good, line+"\n", "", 1)), "f.txt")
	require.NoError(t, err)
	require.Nil(t, f.Blocks()[0].Header.Of("a").Right())
	require.Equal(t, counts["b"], f.Blocks()[0].Header.Of("b").Right())

	// An edited score is noticed by the counts.
	_, err = Read(strings.NewReader(strings.Replace(good, "1 0.6666666666666666 accuracy",
		"1 1 accuracy", 1)), "f.txt")
	require.ErrorContains(t, err, "one of them was edited")
	_, err = Read(strings.NewReader(strings.Replace(good, "1 0.6666666666666666 accuracy",
		"1 0.6 accuracy", 1)), "f.txt")
	require.ErrorContains(t, err, "is no share of 3 test examples")
}

// regexpRight returns the line of a learner.
func regexpRight(t *testing.T, text, learner string) string {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "Right: "+learner+" ") {
			return line
		}
	}
	require.Fail(t, "no line of "+learner)
	return ""
}

// Nothing is noted of scores that are no shares of right predictions, of protocols that do not test
// each example once in each run, of examples in groups, and of more runs than there are letters.
func TestRightPredictionsAreNotNoted(t *testing.T) {
	t.Parallel()
	s, counts := hitsOf("mails", 2, 2, 6, accuracy, some, "a", "b")
	noted := func(s set, counts map[string][]int) string { return counted(t, s, counts).Header.Right }
	require.NotEmpty(t, noted(s, counts))
	require.NotContains(t, noted(s, map[string][]int{"b": counts["b"]}), "a ")

	other := s.clone()
	other.Trials[0].Values[0] = 0.5
	require.NotContains(t, noted(other, counts), "a ")
	require.Contains(t, noted(other, counts), "b ")
	other.fail(0, "boom")
	require.NotContains(t, noted(other, counts), "a ")
	less := slices.Clone(counts["a"])
	less[slices.Index(less, 2)]--
	require.NotContains(t, noted(s, map[string][]int{"a": less, "b": counts["b"]}), "a ")

	for _, u := range []unit.Unit{
		{Name: "recall", Better: unit.Higher, Min: 0, Max: 1, Mean: true},
		{Name: "accuracy", Better: unit.Higher, Min: -1, Max: 1},
		{Name: "accuracy", Better: unit.Lower, Min: 0, Max: 1},
		{Name: "error", Better: unit.Higher, Min: 0, Max: 1},
	} {
		other := s.clone()
		other.Units = []unit.Unit{u}
		require.Empty(t, noted(other, counts), u)
	}
	for _, protocol := range []string{
		"groups runs=2 folds=2 seed=1 v1",
		"subsample runs=2 train=0.5 stratified seed=1 v1", "timeseries folds=2 v1",
	} {
		h := s.Header
		h.Protocol = protocol
		b, err := NewBlock(h, s.Learners, s.Units, s.Examples)
		require.NoError(t, err)
		for _, tr := range s.Trials {
			if tr.Run <= b.Runs() && tr.Fold <= b.Folds() {
				require.NoError(t, b.Add(tr), protocol)
			}
		}
		SetRight(b, func(name string) []int { return counts[name] })
		require.Empty(t, b.Header.Right, protocol)
	}
	for _, runs := range []int{61, 62} {
		s, counts := hitsOf("mails", runs, 2, 4, accuracy, func(_, _, i int) bool { return i > 0 }, "a")
		if right := noted(s, counts); runs == 61 {
			require.Equal(t, "a 0 0zzz\n", right)
		} else {
			require.Empty(t, right)
		}
	}
}

// Shards add up, in any order, and a shard that does not count leaves the whole without counts of
// its learners.
func TestRightPredictionsOfShards(t *testing.T) {
	t.Parallel()
	s, counts := hitsOf("mails", 3, 4, 41, accuracy, some, "a", "b")
	whole := counted(t, s, counts)
	var parts []*Block
	for shard := range 3 {
		part := s.clone()
		part.Trials = slices.DeleteFunc(part.Trials,
			func(tr Trial) bool { return (tr.Run+tr.Fold)%3 != shard })
		own := map[string][]int{"a": make([]int, 41), "b": make([]int, 41)}
		for l, name := range s.Learners {
			for i := range 41 {
				for run := 1; run <= 3; run++ {
					if fold := (i+run*(i/4))%4 + 1; (run+fold)%3 == shard && some(l, run, i) {
						own[name][i]++
					}
				}
			}
		}
		parts = append(parts, counted(t, part, own))
		require.NotEmpty(t, parts[shard].Header.Right)
	}
	united := func(parts ...*Block) *Block {
		var read []*Block
		for _, b := range parts {
			read = append(read, readText(t, text(t, b)).Blocks()...)
		}
		u, err := Union(read...)
		require.NoError(t, err)
		return u
	}
	require.Equal(t, whole.Header.Right, united(parts...).Header.Right)
	require.Equal(t, whole.Header.Right, united(parts[2], parts[0], parts[1]).Header.Right)
	require.NotEqual(t, whole.Header.Right, united(parts[:2]...).Header.Right)

	silent := parts[1].Clone()
	silent.Header.Right = ""
	require.Empty(t, united(parts[0], silent, parts[2]).Header.Right)
	half := parts[1].Clone()
	TakeRight(half, parts[1])
	require.Equal(t, parts[1].Header.Right, half.Header.Right)
	half.Header.Right = regexpRight(t, "Right: "+strings.ReplaceAll(half.Header.Right, "\n",
		"\nRight: "), "b")[len("Right: "):] + "\n"
	u := united(parts[0], half, parts[2])
	require.Nil(t, u.Header.Of("a").Right())
	require.Equal(t, counts["b"], u.Header.Of("b").Right())

	// Another learner's block has nothing to say of it.
	more, others := hitsOf("mails", 3, 4, 41, accuracy, some, "c")
	u = united(whole, counted(t, more, others))
	require.Equal(t, counts["a"], u.Header.Of("a").Right())
	require.Equal(t, others["c"], u.Header.Of("c").Right())
}

// Blocks that take trials from another one take the counts only of learners whose trials they have
// all.
func TestRightPredictionsGoWithTheTrials(t *testing.T) {
	t.Parallel()
	s, counts := hitsOf("mails", 2, 4, 41, accuracy, some, "a", "b")
	s.Trials = append(s.Trials, Trial{Data: "mails", Learner: "a", Run: 3, Fold: 1, TrainN: 30, TestN: 11, Values: []float64{1}}) // of a further run
	b := counted(t, s, counts)
	require.Equal(t, counts["a"], b.Header.Of("a").Right())
	only := s.clone()
	only.Trials = slices.DeleteFunc(only.Trials, func(tr Trial) bool { return tr.Learner != "b" })
	rest, err := b.Minus(only.block(t))
	require.NoError(t, err)
	require.Equal(t, counts["a"], rest.Header.Of("a").Right())
	require.Nil(t, rest.Header.Of("b").Right())

	own := s.clone()
	own.Trials = own.Trials[:len(own.Trials)-1]
	rest, err = b.Minus(own.block(t)) // which leaves the further run
	require.NoError(t, err)
	require.Equal(t, 1, rest.Len())
	require.Empty(t, rest.Header.Right)
	own.Trials = own.Trials[:1]
	rest, err = b.Minus(own.block(t))
	require.NoError(t, err)
	require.Nil(t, rest.Header.Of("a").Right())
	require.Equal(t, counts["b"], rest.Header.Of("b").Right())

	fresh, err := NewBlock(b.Header, b.Learners, b.Units, 41)
	require.NoError(t, err)
	require.Empty(t, fresh.Header.Right)
	shorter := b.Header
	shorter.Protocol = "cv runs=1 folds=4 stratified seed=1 v1"
	short, err := NewBlock(shorter, b.Learners, b.Units, 41)
	require.NoError(t, err)
	TakeRight(short, b)
	require.Empty(t, short.Header.Right)

	// Trials that are missing count, even if nothing was right in them.
	early, hits := hitsOf("mails", 2, 4, 41, accuracy, func(_, run, i int) bool {
		return run == 1 &&
			i > 3
	}, "a")
	all := counted(t, early, hits)
	early.Trials = early.Trials[:4]
	half := early.block(t)
	TakeRight(half, all)
	require.Empty(t, half.Header.Right)

	// A trial that was added later makes the counts a lie.
	late := b.Clone()
	late.Header.Right = strings.Replace(late.Header.Right, "2", "1", 1)
	require.ErrorContains(t, Write(new(strings.Builder), late), "one of them was edited")
	_, err = Pair(NewFile(late).Of("mails", "a"), NewFile(late).Of("mails", "b"), "accuracy")
	require.ErrorContains(t, err, "one of them was edited")
}

// Pairs have the counts of the sides that have them. A learner in several experiments must have
// equal ones.
func TestRightPredictionsOfOneSide(t *testing.T) {
	t.Parallel()
	s, counts := hitsOf("mails", 2, 4, 41, accuracy, some, "a", "b")
	pair := func(a, b *File) (*Pairs, error) {
		return Pair(a.Of("mails", "a"), b.Of("mails", "b"), "accuracy")
	}
	one := NewFile(counted(t, s, map[string][]int{"a": counts["a"]}))
	p, err := pair(one, one)
	require.NoError(t, err)
	require.Equal(t, counts["a"], p.RightA)
	require.Nil(t, p.RightB)

	again := s.clone()
	again.Header.Test = "TestAgain"
	with, without := counted(t, again, counts), again.block(t)
	for _, f := range []*File{NewFile(counted(t, s, counts), without), NewFile(s.block(t), with)} {
		p, err = pair(f, f)
		require.NoError(t, err)
		require.Equal(t, counts["b"], p.RightB)
	}
	other := slices.Clone(counts["a"])
	i, j := slices.Index(other, 2), slices.Index(other, 1)
	other[i], other[j] = other[j], other[i]
	f := NewFile(counted(t, s, counts),
		counted(t, again, map[string][]int{"a": other, "b": counts["b"]}))
	_, err = pair(f, f)
	require.ErrorIs(t, err, ErrAmbiguous)
	require.ErrorContains(t, err, fmt.Sprintf("Right of example %d", min(i, j)))

	// Slices and other metrics have none.
	h := s.Header
	h.SetSlices([]Slice{{Name: "x", Members: 41, Digest: "00000000"}})
	b, err := NewBlock(h, s.Learners, slices.Concat(s.Units, SliceUnits(h.SliceList(), s.Units, 4)),
		41)
	require.NoError(t, err)
	for _, tr := range s.Trials {
		tr.Values = []float64{tr.Values[0], float64(tr.TestN), tr.Values[0] * float64(tr.TestN) * 4 / 41}
		require.NoError(t, b.Add(tr))
	}
	SetRight(b, func(name string) []int { return counts[name] })
	sel := NewFile(b).Of("mails", "a")
	for metric, has := range map[string]bool{"accuracy": true, "accuracy{x}": false} {
		p, err := Pair(sel, sel, metric)
		require.NoError(t, err)
		require.Equal(t, has, p.RightA != nil, metric)
		require.Equal(t, has, p.RightB != nil, metric)
	}
}
