package record

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Selection names the trials of one learner on one data set.
//
// The learner may occur in several experiments of the file (see
// [File.Experiments]), as a baseline that several candidates are compared
// with does. Then its results must be the same in all of them that have the
// metric, apart from times; those of one experiment are selected by giving the
// File of that experiment.
type Selection struct {
	File    *File
	Data    string // name of the data set
	Learner string // name of the learner
}

// Pairs are the paired scores of two learners in one metric, on one data set
// under one protocol. They are complete: every cell of the plan is there.
type Pairs struct {
	Data, Candidate, Baseline       string
	Unit                            Unit
	CandidateHeader, BaselineHeader Header

	Runs, Folds   int
	A, B          []float64 // scores of candidate and baseline; fold f of run r, both from 1, is at (r-1)*Folds+f-1
	TrainN, TestN []int     // numbers of training and test examples, at the same places
}

// Pair pairs the scores of two learners in a metric, cell by cell. The
// selections may be of the same file, as in the comparison of two learners, or
// of two, as in the comparison of a learner before and after a change.
//
// It returns an error, and no pairs, unless all of this holds:
//   - the data set, the learners and the metric are there (else ErrNotFound);
//   - every cell of both plans has exactly one trial (ErrIncomplete, ErrDouble);
//   - no trial failed (ErrFailedTrial);
//   - every score is finite and within the range of the unit (ErrValue);
//   - both sides have the same data set, digests, protocol, runs, folds and
//     unit, and in every cell the same numbers of training and test examples
//     (ErrMismatch);
//   - a learner that occurs in several experiments has the same results in all
//     (ErrAmbiguous);
//   - the sets are valid (ErrInvalid).
//
// Several of these errors may be joined.
func Pair(candidate, baseline Selection, metric string) (*Pairs, error) {
	a, err := candidate.scores("candidate", metric)
	if err != nil {
		return nil, err
	}
	b, err := baseline.scores("baseline", metric)
	if err != nil {
		return nil, err
	}
	if err := a.comparable(b, ErrMismatch); err != nil {
		return nil, err
	}
	return &Pairs{
		Data: candidate.Data, Candidate: candidate.Learner, Baseline: baseline.Learner,
		Unit:            a.unit,
		CandidateHeader: a.header, BaselineHeader: b.header,
		Runs: a.header.Runs, Folds: a.header.Folds,
		A: a.values, B: b.values,
		TrainN: a.trainN, TestN: a.testN,
	}, nil
}

// scores are the scores of a learner in a metric, for every cell of the plan.
type scores struct {
	where         string // whose they are, in words
	data, learner string
	header        Header
	unit          Unit
	values        []float64
	trainN, testN []int
}

// scores returns the scores of the selection. The role is for messages.
func (sel Selection) scores(role, metric string) (*scores, error) {
	experiments, err := sel.experiments(role, metric)
	if err != nil {
		return nil, err
	}
	var first *scores
	for _, e := range experiments {
		s, err := mergeSets(e.Sets)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, err)
		}
		sc, err := s.scores(sel.Learner, metric)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, err)
		}
		sc.where = fmt.Sprintf("%s %s", role, sel.Learner)
		if pos := s.Trials[0].Pos; pos != (Pos{}) {
			sc.where += " of " + pos.File
		}
		if len(experiments) > 1 {
			sc.where += " with " + others(e, sel.Learner)
		}
		if first == nil {
			first = sc
			continue
		}
		if err := errors.Join(first.comparable(sc, ErrAmbiguous), first.equal(sc)); err != nil {
			return nil, err
		}
	}
	return first, nil
}

// experiments returns the experiments that have the learner and the metric.
func (sel Selection) experiments(role, metric string) ([]*File, error) {
	if sel.File == nil {
		return nil, fmt.Errorf("%w: no file for the %s %s", ErrNotFound, role, sel.Learner)
	}
	if all := sel.File.DataSets(); !slices.Contains(all, sel.Data) {
		return nil, fmt.Errorf("%w: data set %s of the %s %s; there are: %s", ErrNotFound, sel.Data, role, sel.Learner, list(all))
	}
	if all := sel.File.Learners(sel.Data); !slices.Contains(all, sel.Learner) {
		return nil, fmt.Errorf("%w: %s %s on data set %s; there are: %s", ErrNotFound, role, sel.Learner, sel.Data, list(all))
	}
	var found []*File
	var metrics []string
	for _, e := range sel.File.Experiments() {
		if s := &e.Sets[0]; s.data() != sel.Data || !slices.Contains(s.learners(), sel.Learner) {
			continue
		}
		has := false
		for _, u := range e.Units() {
			metrics = append(metrics, u.Name)
			has = has || u.Name == metric
		}
		if has {
			found = append(found, e)
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%w: metric %s of the %s %s on data set %s; there are: %s",
			ErrNotFound, metric, role, sel.Learner, sel.Data, list(metrics))
	}
	return found, nil
}

// list returns the different names, for a message.
func list(names []string) string {
	var quoted []string
	for _, name := range names {
		if q := strconv.Quote(name); !slices.Contains(quoted, q) {
			quoted = append(quoted, q)
		}
	}
	if len(quoted) == 0 {
		return "none"
	}
	return strings.Join(quoted, ", ")
}

// scores takes the scores of one learner from a merged set.
func (s *Set) scores(learner, metric string) (*scores, error) {
	p := newPlan(s, []string{learner})
	if err := p.check(s.Trials); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(s.Units, func(u Unit) bool { return u.Name == metric })
	if at < 0 {
		return nil, fmt.Errorf("%w: metric %s in %s", ErrNotFound, metric, s.where())
	}
	n := int(p.size()) // no more than there are trials
	sc := &scores{
		data: s.data(), learner: learner, header: s.Header, unit: s.Units[at],
		values: make([]float64, 0, n), trainN: make([]int, 0, n), testN: make([]int, 0, n),
	}
	var failed, invalid CellError
	for i := range s.Trials {
		t := &s.Trials[i]
		if t.Learner != learner {
			continue
		}
		if t.Err != "" {
			failed.add(t.Cell(), note(t, string(appendText(nil, excerpt([]byte(t.Err))))))
			continue
		}
		if len(t.Values) != len(s.Units) || t.Values[at].Unit != metric {
			return nil, fmt.Errorf("%w: %v: the values are not in the order of the units", ErrInvalid, t.Cell())
		}
		x := t.Values[at].Value
		if !isFinite(x) || x < sc.unit.Min || x > sc.unit.Max {
			invalid.add(t.Cell(), note(t, fmt.Sprintf("%s is %v", metric, x)))
		}
		sc.values = append(sc.values, x)
		sc.trainN = append(sc.trainN, t.TrainN)
		sc.testN = append(sc.testN, t.TestN)
	}
	return sc, errors.Join(failed.errorOrNil(ErrFailedTrial), invalid.errorOrNil(ErrValue))
}

// note prepends the position of a trial, if it has one, to a text.
func note(t *Trial, text string) string {
	if t.Pos == (Pos{}) {
		return text
	}
	return fmt.Sprintf("%v: %s", t.Pos, text)
}
