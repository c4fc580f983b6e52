package record

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Selection names the trials of one learner on one data set.
//
// The learner may occur in several experiments of the file, as one that several
// tests compare others with does. Then its results must be the same in all of them that
// have the metric, apart from times.
type Selection struct {
	File    *File
	Data    string // name of the data set
	Learner string // name of the learner
	Title   string // what Pairs call the learner; if empty, its name

	// Only, if not nil, reports whether an experiment with that header is one
	// that is meant, be it of a second opinion or not. Without it all are.
	Only func(*Header) bool
}

func (sel Selection) title() string { return cmp.Or(sel.Title, sel.Learner) }

// Pairs are the paired scores of two learners in one metric, on one data set
// under one protocol. The protocol's own runs are complete. Further runs, which
// repeat the test, are there as far as both learners have them.
type Pairs struct {
	Data, Candidate, Baseline       string
	Unit                            unit.Unit
	CandidateHeader, BaselineHeader *Header // not to be changed

	Runs  int // of the protocol
	More  int // further runs
	Folds int // of each run

	// A and B are the scores of candidate and baseline, TrainN and TestN the
	// numbers of training and test examples. Fold f of run r, both from 1, is at
	// (r−1)·Folds+f−1. They may be shared with the file and are not to be changed.
	A, B          []float64
	TrainN, TestN []int32

	// MoreErr says why there are no more further runs, if that is because of a
	// trial that failed or a score that cannot be.
	MoreErr error

	// Second are those of the second opinion, whose runs are halvings; nil if there are
	// none, and SecondErr says why. Pair leaves both to its caller.
	Second    *Pairs
	SecondErr error
}

// Pair pairs the scores of two learners in a metric, cell by cell. The
// selections may be of the same file, as in the comparison of two learners, or
// of two, as in the comparison of a learner before and after a change.
//
// It returns an error, and no pairs, unless all of this holds:
//   - the data set, the learners and the metric are there (else ErrNotFound);
//   - every cell of the protocol's own runs has exactly one trial on both sides
//     (ErrIncomplete, ErrDouble);
//   - no trial of these failed (ErrFailedTrial);
//   - every score of these is within the range of the unit (ErrValue);
//   - both sides have the same data set, digests, protocol and unit, and in
//     every cell the same numbers of training and test examples (ErrMismatch);
//   - a learner that occurs in several experiments has the same results in all
//     (ErrAmbiguous).
//
// Several of these errors may be joined.
//
// Trials of a second opinion are left out: see [PairSecond].
func Pair(candidate, baseline Selection, metric string) (*Pairs, error) {
	a, err := candidate.scores("candidate", metric)
	if err != nil {
		return nil, err
	}
	b, err := baseline.scores("baseline", metric)
	if err != nil {
		return nil, err
	}
	return pairScores(candidate, baseline, a, b)
}

// pairScores pairs the scores of two selections.
func pairScores(candidate, baseline Selection, a, b *scores) (*Pairs, error) {
	more := min(a.more, b.more)
	n := (a.runs + more) * a.folds
	if err := a.comparable(b, n, ErrMismatch); err != nil {
		return nil, err
	}
	p := &Pairs{
		Data: candidate.Data, Candidate: candidate.title(), Baseline: baseline.title(),
		Unit:            a.unit,
		CandidateHeader: a.header, BaselineHeader: b.header,
		Runs: a.runs, More: more, Folds: a.folds,
		A: a.values[:n:n], B: b.values[:n:n],
		TrainN: a.trainN[:n:n], TestN: a.testN[:n:n],
	}
	if a.more == more {
		p.MoreErr = errors.Join(p.MoreErr, a.moreErr)
	}
	if b.more == more {
		p.MoreErr = errors.Join(p.MoreErr, b.moreErr)
	}
	return p, nil
}

// scores are the scores of a learner in a metric: those of the protocol's own
// runs, and of further ones up to the first that is not complete.
type scores struct {
	where         string // whose they are, in words
	data, learner string
	header        *Header
	unit          unit.Unit
	runs, folds   int
	more          int
	moreErr       error
	values        []float64
	trainN, testN []int32
}

// scores returns the scores of the selection. The role is for messages.
func (sel Selection) scores(role, metric string) (*scores, error) {
	experiments, err := sel.experiments(role, metric)
	if err != nil {
		return nil, err
	}
	var first *scores
	for _, e := range experiments {
		if e.err != nil {
			return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, e.err)
		}
		sc, err := e.union.learnerScores(sel.Learner, metric)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, err)
		}
		sc.where = fmt.Sprintf("%s %s", role, sel.Learner)
		if pos := e.union.Pos(); pos != (Pos{}) {
			sc.where += " of " + pos.File
		}
		if len(experiments) > 1 {
			sc.where += e.distinction()
		}
		if first == nil {
			first = sc
			continue
		}
		if err := first.agrees(sc); err != nil {
			return nil, err
		}
	}
	return first, nil
}

// distinction says in words which of several experiments one is.
func (e *experiment) distinction() string {
	h := &e.union.Header
	s := " under " + strconv.Quote(h.Protocol)
	if h.Test != "" {
		s += ", test " + h.Test
	}
	if h.Pkg != "" {
		s += " of " + h.Pkg
	}
	return s
}

// experiments returns the experiments that have the learner and the metric.
func (sel Selection) experiments(role, metric string) ([]*experiment, error) {
	if sel.File == nil {
		return nil, fmt.Errorf("%w: no file for the %s %s", ErrNotFound, role, sel.Learner)
	}
	if !sel.File.HasData(sel.Data) {
		return nil, fmt.Errorf("%w: data set %s of the %s %s; there are: %s", ErrNotFound, sel.Data, role, sel.Learner, quotedNames(sel.File.DataSets()))
	}
	l := sel.File.learner(sel.Data, sel.Learner)
	if l == nil {
		return nil, fmt.Errorf("%w: %s %s on data set %s; there are: %s", ErrNotFound, role, sel.Learner, sel.Data, quotedNames(sel.File.Learners(sel.Data)))
	}
	has := func(e *experiment) bool {
		b := e.blocks[0]
		return !b.IsSecondOpinion() && (sel.Only == nil || sel.Only(&b.Header)) && b.hasMetric(metric)
	}
	if len(l.experiments) == 1 && has(l.experiments[0]) {
		return l.experiments, nil
	}
	var found []*experiment
	for _, e := range l.experiments {
		if has(e) {
			found = append(found, e)
		}
	}
	if found == nil {
		var names []string
		for _, u := range l.units {
			names = append(names, u.Name)
		}
		return nil, fmt.Errorf("%w: metric %s of the %s %s on data set %s; there are: %s",
			ErrNotFound, metric, role, sel.Learner, sel.Data, quotedNames(names))
	}
	return found, nil
}

// quotedNames returns the different names, for a message.
func quotedNames(names []string) string {
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

// learnerScores takes the scores of one learner from a block.
func (b *Block) learnerScores(learner, metric string) (*scores, error) {
	l, ok := b.index[learner]
	at := slices.IndexFunc(b.Units, func(u unit.Unit) bool { return u.Name == metric })
	if !ok || at < 0 {
		return nil, fmt.Errorf("%w: learner %s or metric %s in %s", ErrNotFound, learner, metric, b.where())
	}
	if err := b.checkCover(); err != nil {
		return nil, err
	}
	if b.Check() != nil {
		var missing CellError
		b.checkOwn(l, &missing)
		if err := missing.errorOrNil(ErrIncomplete); err != nil {
			return nil, err
		}
	}
	sc := &scores{
		data: b.Header.Data, learner: learner, header: &b.Header, unit: b.Units[at],
		runs: b.Runs(), folds: b.folds,
	}
	column := at*len(b.Learners) + l
	if err := b.checkScores(l, column, 1, b.Runs()); err != nil {
		return nil, err
	}
	for run := b.Runs() + 1; ; run++ {
		s, ok := b.slotOf(run)
		if !ok || b.count(l, s) < b.folds {
			break
		}
		if sc.moreErr = b.checkScores(l, column, run, run); sc.moreErr != nil {
			break
		}
		sc.more++
	}
	n := (sc.runs + sc.more) * b.folds
	if b.slots == nil {
		sc.values, sc.trainN, sc.testN = b.scores[column][:n], b.trainN[:n], b.testN[:n]
		return sc, nil
	}
	for run := 1; run <= sc.runs+sc.more; run++ {
		s, _ := b.slotOf(run)
		from, to := s*b.folds, (s+1)*b.folds
		sc.values = append(sc.values, b.scores[column][from:to]...)
		sc.trainN = append(sc.trainN, b.trainN[from:to]...)
		sc.testN = append(sc.testN, b.testN[from:to]...)
	}
	return sc, nil
}

// checkScores returns an error for trials of complete runs that failed, or whose
// score is not in the range of its unit.
func (b *Block) checkScores(learner, column, from, to int) error {
	u := &b.Units[column/len(b.Learners)]
	var failed, invalid CellError
	for run := from; run <= to; run++ {
		s, _ := b.slotOf(run)
		for place := s * b.folds; place < (s+1)*b.folds; place++ {
			x := b.scores[column][place]
			if x >= u.Min && x <= u.Max {
				continue
			}
			at := seat{learner, place}
			if cause, ok := b.failed[at]; ok {
				failed.add(b.cell(at), func() string { return b.pos(at).note(string(appendText(nil, excerpt([]byte(cause))))) })
			} else {
				invalid.add(b.cell(at), func() string { return b.pos(at).note(fmt.Sprintf("%s is %v", u.Name, x)) })
			}
		}
	}
	return errors.Join(failed.errorOrNil(ErrFailedTrial), invalid.errorOrNil(ErrValue))
}

// comparable returns an error of the given kind unless the first n scores are of
// the same partitions of the same data, and in the same unit.
func (s *scores) comparable(o *scores, n int, kind error) error {
	mismatch := &MismatchError{Err: kind, WhereA: s.where, WhereB: o.where}
	differ := func(what, a, b string) bool {
		mismatch.What, mismatch.A, mismatch.B = what, a, b
		return a != b
	}
	if differ("data set", s.data, o.data) ||
		differ(dataDigest, s.header.DataDigest, o.header.DataDigest) ||
		!predefinedAlike(s.header, o.header) && differ("protocol", s.header.Protocol, o.header.Protocol) ||
		differ(splitDigest, s.header.SplitDigest, o.header.SplitDigest) ||
		differ("number of folds", strconv.Itoa(s.folds), strconv.Itoa(o.folds)) {
		return mismatch
	}
	if s.unit != o.unit && differ("unit", string(appendUnit(nil, s.unit)), string(appendUnit(nil, o.unit))) {
		return mismatch
	}
	for i := range n {
		if s.trainN[i] == o.trainN[i] && s.testN[i] == o.testN[i] {
			continue
		}
		mismatch.Cell = s.cell(i)
		if !differ(unitTrain, strconv.Itoa(int(s.trainN[i])), strconv.Itoa(int(o.trainN[i]))) {
			differ(unitTest, strconv.Itoa(int(s.testN[i])), strconv.Itoa(int(o.testN[i])))
		}
		return mismatch
	}
	return nil
}

// predefinedAlike reports whether two protocols are of predefined partitions, and differ in nothing but which these are.
func predefinedAlike(a, b *Header) bool {
	const digest = "sha256"
	x, y := a.ProtocolSetting(digest), b.ProtocolSetting(digest)
	return a.ProtocolKind() == "predefined" && x != "" && y != "" && a.SplitDigest != b.SplitDigest &&
		strings.Replace(a.Protocol, x, y, 1) == b.Protocol
}

// agrees returns an error unless the scores of one learner in two experiments
// are the same, as far as both have them.
func (s *scores) agrees(o *scores) error {
	if err := s.comparable(o, s.runs*s.folds, ErrAmbiguous); err != nil {
		return err
	}
	for i := range min(len(s.values), len(o.values)) {
		if x := s.values[i]; math.Float64bits(x) != math.Float64bits(o.values[i]) {
			return &MismatchError{
				Err: ErrAmbiguous, What: s.unit.Name, Cell: s.cell(i),
				WhereA: s.where, WhereB: o.where,
				A: scoreText(x), B: scoreText(o.values[i]),
			}
		}
	}
	return nil
}

// cell returns the cell of the i-th score.
func (s *scores) cell(i int) *Cell {
	return &Cell{s.data, s.learner, i/s.folds + 1, i%s.folds + 1}
}
