package record

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var accuracy = Unit{Name: "accuracy", Better: Higher, Min: 0, Max: 1}

// sampleHeader is the header of a plan on a data set.
func sampleHeader(runs, folds int) Header {
	return Header{
		Pkg:         "example.com/model",
		Commit:      "3f2a9c1",
		Protocol:    "cv runs=2 folds=3 stratified seed=1 v1",
		DataDigest:  "9a1f",
		SplitDigest: "77c0",
		Runs:        runs,
		Folds:       folds,
		Reproduce:   "go test -run '^TestForest$' ./...",
		Determinism: "c45=yes",
		Toolchain:   "go1.26.8 linux/amd64",
	}
}

// sampleSet is a complete set with made-up scores that differ from cell to
// cell.
func sampleSet(data string, runs, folds int, learners ...string) Set {
	s := Set{Header: sampleHeader(runs, folds), Learners: learners, Units: []Unit{accuracy}}
	for run := 1; run <= runs; run++ {
		for fold := 1; fold <= folds; fold++ {
			for i, learner := range learners {
				s.Trials = append(s.Trials, Trial{
					Data: data, Learner: learner, Run: run, Fold: fold,
					TrainN: 100 + fold, TestN: 50 - fold,
					Values:     []Value{{"accuracy", 1 / (1 + float64(run) + float64(fold)/7 + float64(i)/100)}},
					FitSeconds: 0.0012 * float64(run), PredictSec: 4e-5,
				})
			}
		}
	}
	return s
}

func fileOf(sets ...Set) *File { return &File{Sets: sets} }

// text returns the text of a file.
func text(t require.TestingT, f *File) string {
	var b bytes.Buffer
	require.NoError(t, Write(&b, f))
	return b.String()
}

// withoutPos returns a copy of the sets of f without positions.
func withoutPos(f *File) []Set {
	var sets []Set
	for _, s := range f.Sets {
		trials := s.Trials
		s.Trials = nil
		for _, t := range trials {
			t.Pos = Pos{}
			s.Trials = append(s.Trials, t)
		}
		sets = append(sets, s)
	}
	return sets
}

// anyText generates text of every kind: words, all of Unicode, and bytes.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-z0-9.()=-]{1,8}`),
		rapid.SampledFrom([]string{"", " ", "%", "%%", "%2", "a/b=c", "nb-8", "a b", "ns", "größe", "x\u00a0y", "\t", "\\", "\\n", "-", "=", "\r\n"}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func finite() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Float64(),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 5e-324, math.MaxFloat64, 0.1, 1.0 / 3, 1e21, 123456789012345678}),
	)
}

func seconds() *rapid.Generator[float64] {
	return rapid.Map(finite(), math.Abs)
}

func genUnit() *rapid.Generator[Unit] {
	return rapid.Custom(func(t *rapid.T) Unit {
		u := Unit{
			Name:   anyText().Draw(t, "unit"),
			Better: rapid.SampledFrom([]Direction{Higher, Lower}).Draw(t, "better"),
			Min:    math.Inf(-1),
			Max:    math.Inf(1),
		}
		if rapid.Bool().Draw(t, "bounded below") {
			u.Min = finite().Draw(t, "min")
		}
		if rapid.Bool().Draw(t, "bounded above") {
			u.Max = finite().Draw(t, "max")
		}
		if u.Min > u.Max {
			u.Min, u.Max = u.Max, u.Min
		}
		return u
	}).Filter(func(u Unit) bool { return u.validate() == nil })
}

// genSet generates a valid set in canonical order, with the given units; it
// may have cells without trial, and cells with several.
func genSet(units []Unit) *rapid.Generator[Set] {
	required := anyText().Filter(func(s string) bool { return s != "" })
	return rapid.Custom(func(t *rapid.T) Set {
		s := Set{
			Header: Header{
				Pkg:         anyText().Draw(t, "pkg"),
				Commit:      anyText().Draw(t, "commit"),
				Protocol:    required.Draw(t, "protocol"),
				DataDigest:  required.Draw(t, "data digest"),
				SplitDigest: required.Draw(t, "split digest"),
				Runs:        rapid.IntRange(1, 5).Draw(t, "runs"),
				Folds:       rapid.IntRange(1, 5).Draw(t, "folds"),
				Repeats:     rapid.IntRange(0, 3).Draw(t, "repeats"),
				Reproduce:   anyText().Draw(t, "reproduce"),
				Determinism: anyText().Draw(t, "determinism"),
				Toolchain:   anyText().Draw(t, "toolchain"),
			},
			Learners: rapid.SliceOfNDistinct(anyText(), 1, 4, rapid.ID[string]).Draw(t, "learners"),
			Units:    units,
		}
		data := anyText().Draw(t, "data")
		s.Trials = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Trial {
			tr := Trial{
				Data:       data,
				Learner:    rapid.SampledFrom(s.Learners).Draw(t, "learner"),
				Run:        rapid.IntRange(1, s.Header.Runs).Draw(t, "run"),
				Fold:       rapid.IntRange(1, s.Header.Folds).Draw(t, "fold"),
				TrainN:     rapid.IntRange(0, math.MaxInt32).Draw(t, "train-n"),
				TestN:      rapid.IntRange(1, math.MaxInt32).Draw(t, "test-n"),
				FitSeconds: seconds().Draw(t, "fit"),
				PredictSec: seconds().Draw(t, "predict"),
			}
			if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
				tr.Err = Cause(anyText().Draw(t, "cause"))
				return tr
			}
			for _, u := range units {
				tr.Values = append(tr.Values, Value{u.Name, finite().Draw(t, "value")})
			}
			return tr
		}), 1, 12).Draw(t, "trials")
		sorted := make([]Trial, len(s.Trials))
		for i, at := range s.canonicalOrder() {
			sorted[i] = s.Trials[at]
		}
		s.Trials = sorted
		return s
	})
}

func genFile() *rapid.Generator[*File] {
	return rapid.Custom(func(t *rapid.T) *File {
		units := rapid.SliceOfNDistinct(genUnit(), 1, 3, func(u Unit) string { return u.Name }).Draw(t, "units")
		return &File{Sets: rapid.SliceOfN(genSet(units), 1, 3).Draw(t, "sets")}
	})
}

// requireError checks the type of an error and returns it.
func requireError[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	require.ErrorAs(t, err, &e)
	return e
}
