package judge

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The gate asks of a row the strictest of its requirements, or a difference at the level of rows.
func TestQuestions(t *testing.T) {
	t.Parallel()
	claim := verdict.Claim{Metric: "accuracy", Alpha: 0.05, Margin: 0.02}
	bare := claim
	bare.Margin = 0
	for _, c := range []struct {
		require  string
		tail     Tail
		rowLevel float64
		claim    verdict.Claim
		want     string // kind, margin, level and tail; "" if nothing else is asked
	}{
		{"", Both, 0, claim, ""},
		{"", Both, 0.05, claim, ""},
		{"", Both, 0.04, claim, "differs from 0.02 0.04 both"},
		{"", Worse, 0.04, claim, "differs from 0.02 0.04 worse"},
		{improved, Both, 0.04, claim, "improves on 0 0.05 both"},
		{improved, Better, 0.04, claim, ""},
		{improved + ":logloss", Both, 0, claim, ""},
		{improved + ":logloss", Both, 0.04, claim, "differs from 0.02 0.04 both"},
		{nonInferior, Both, 0.04, claim, "does not regress from 0.02 0.05 both"},
		{nonInferior, Worse, 0.04, claim, "does not regress from 0.02 0.05 both"},
		{nonInferior, Both, 0.04, bare, ""},
		{equivalent, Both, 0.04, claim, "is equivalent to 0.02 0.05 both"},
		{equivalent, Both, 0, bare, ""},
		{nonInferior + "," + equivalent, Both, 0, claim, "is equivalent to 0.02 0.05 both"},
		{nonInferior + "," + equivalent + "," + improved, Both, 0, claim, "improves on 0 0.05 both"},
	} {
		f := &referee{
			Options:  &Options{Tail: c.tail, Gate: ruled(t, "", c.require, "")},
			rowLevel: c.rowLevel,
		}
		q, tail := f.question(c.claim)
		got := ""
		if q != nil {
			got = strings.Join([]string{q.Kind.String(), number(q.Margin), number(q.Alpha), tail.String()},
				" ")
		}
		assert.Equal(t, c.want, got, "%+v", c)
	}
	f := &referee{Options: &Options{}, rowLevel: 0.04}
	q, _ := f.question(claim)
	require.NotNil(t, q, "without rules there is the level of rows")
	assert.False(t, (&Rules{}).Strict())
	assert.True(t, ruled(t, regressed, "", "").Strict())
	assert.True(t, ruled(t, "", improved, "").Strict())
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// A row has two verdicts where the gate asks for something else: R and text are from the second
// one.
func TestAskedVerdicts(t *testing.T) {
	t.Parallel()
	f := &referee{Options: &Options{Full: true}, rowLevel: 0.001}
	j := &judgement{pairs: pairsAround(0.007, 0.001)}
	require.NoError(t, f.judge(j, verdict.Claim{Alpha: 0.05}))
	assert.InDelta(t, 0.05, j.Claim.Alpha, 1e-12)
	assert.InDelta(t, 0.001, j.asked.Claim.Alpha, 1e-12)
	assert.Equal(t, verdict.Improved, j.Outcome)
	assert.Equal(t, verdict.Inconclusive, j.asked.Outcome)
	text := f.text(j)
	assert.Equal(t, verdict.Improved, text.Outcome, "a difference is shown at the level of the table")
	assert.Equal(t, j.asked.Rerun, text.Rerun)
	assert.InDelta(t, j.asked.Detectable, text.Detectable, 0)
	facts := f.facts(j, false)
	assert.InDelta(t, j.asked.Rerun.R, float64(facts.Rerun.R), 0)
	assert.NotEqual(t, j.Rerun.R, j.asked.Rerun.R)
	assert.Equal(t, f.leastP(&j.Verdict), facts.LeastP)

	f = &referee{Options: &Options{Full: true, Gate: ruled(t, "", nonInferior, "")}}
	require.NoError(t, f.Margins.Set("1pp"))
	j = &judgement{pairs: pairsAround(-0.001, 0.001)}
	require.NoError(t, f.judge(j, verdict.Claim{Alpha: 0.05}))
	assert.Equal(t, verdict.NoRegression, f.text(j).Claim.Kind)
	assert.Equal(t, j.Warnings, f.text(j).Warnings)
	f.Tail = Worse
	require.NoError(t, f.judge(j, verdict.Claim{Alpha: 0.05}))
	assert.NotEqual(t, verdict.NoRegression, f.text(j).Claim.Kind, "the table has a tail")

	// A format that shows less needs less of a verdict.
	for _, c := range []struct {
		full, many, detectable, rerun bool
	}{
		{true, false, true, true},
		{true, true, true, true},
		{false, false, false, true},
		{false, true, false, false},
	} {
		f := &referee{Options: &Options{Full: c.full}, many: c.many}
		j := &judgement{pairs: pairsAround(0.004, 0.001)}
		require.NoError(t, f.judge(j, verdict.Claim{Alpha: 0.05}))
		assert.Equal(t, c.detectable, j.Detectable > 0, "%+v", c)
		assert.Equal(t, c.rerun, j.Rerun != nil, "%+v", c)
	}
	// What cannot be judged is an error, in the row or in the question.
	for _, margin := range []string{"80pp", ""} {
		f := &referee{Options: &Options{Gate: ruled(t, "", nonInferior, "")}}
		claim := verdict.Claim{Alpha: 0.05}
		if margin != "" {
			require.NoError(t, f.Margins.Set(margin))
		} else {
			claim.Repeats = 5
		}
		j := &judgement{pairs: pairsAround(0.004, 0.001)}
		require.Error(t, f.judge(j, claim))
	}
	// A second opinion that is there and cannot be read is a doubt; that there is none is not.
	for _, c := range []struct {
		err  error
		want bool
	}{{nil, false}, {record.ErrNotFound, false}, {errors.New("damaged"), true}} {
		f := &referee{Options: &Options{}}
		j := &judgement{pairs: pairsAround(0.004, 0.001)}
		j.pairs.SecondErr = c.err
		require.NoError(t, f.judge(j, verdict.Claim{Alpha: 0.05}))
		found := false
		for _, w := range j.Warnings {
			found = found || strings.Contains(w.Error(), "no second opinion: damaged")
		}
		assert.Equal(t, c.want, found)
	}
}

// The smallest p of a test depends on its design and its tail, and is found once.
func TestLeastPOfRows(t *testing.T) {
	t.Parallel()
	test := stat.MustLookup("permutation")
	v := &verdict.Verdict{Claim: verdict.Claim{Test: test}, Runs: 2, Folds: 3}
	both, one := &referee{Options: &Options{}}, &referee{Options: &Options{Tail: Worse}}
	for range 2 {
		assert.InDelta(t, stat.LeastP(test, 2, 3, stat.TwoSided), float64(both.leastP(v)), 0)
		assert.InDelta(t, stat.LeastP(test, 2, 3, stat.Greater), float64(one.leastP(v)), 0)
	}
	assert.NotEqual(t, both.leastP(v), one.leastP(v))
	v.Folds = 4
	assert.InDelta(t, stat.LeastP(test, 2, 4, stat.TwoSided), float64(both.leastP(v)), 0)
	assert.Len(t, both.least, 2)
}

// Each footnote is there where it is due, and nowhere else.
func TestFootnotes(t *testing.T) {
	t.Parallel()
	of := func(difference, noise float64, margin string, required bool) string {
		f := &referee{Options: &Options{}}
		if required {
			f.Gate = ruled(t, "", nonInferior, "")
		}
		if margin != "" {
			require.NoError(t, f.Margins.Set(margin))
		}
		j := &judgement{pairs: pairsAround(difference, noise)}
		require.NoError(t, f.judge(j, verdict.Claim{Alpha: 0.05}))
		return strings.Join(f.facts(j, same(j.pairs)).Notes, "; ")
	}
	assert.Regexp(t, `^less than the margin apart: p = [\d.e-]+$`, of(0.001, 0.0001, "1pp", false))
	assert.Regexp(t, `^equivalence cannot be shown with these runs: the interval is [\d.]+ points to either side, the margin 0\.10 points$`, of(0, 0.001, "0.1pp", false))
	assert.Regexp(t, `^a loss of the margin cannot be ruled out with these runs where there is no difference: `, of(0, 0.001, "0.1pp", true))
	assert.Empty(t, of(0, 0.001, "", false), "without a margin")
	assert.Empty(t, of(0.0095, 0.001, "1pp", false),
		"the margin is wide enough, and the difference too large")
	assert.Equal(t, "all scores are equal", of(0, 0, "", false))
	assert.Equal(t, "all scores are equal", of(0, 0, "1pp", false),
		"and not that they are less than the margin apart")
	constant := pairsAround(0, 0)
	constant.Unit.Name = "of no mean over examples"
	for i := range constant.A {
		constant.A[i], constant.B[i] = 0.75, 0.5
	}
	zero := verdict.Judge(constant, verdict.Claim{Alpha: 0.05})
	assert.Contains(t, strings.Join(notes(&zero, false, false), ""), "zero variance")
	assert.NotContains(t, strings.Join(notes(&zero, true, false), ""), "zero variance")

	second := &verdict.SecondOpinion{Asked: true}
	v := verdict.Verdict{Unit: accuracy, Second: second, Outcome: verdict.Improved}
	assert.Len(t, notes(&v, false, false), 1)
	assert.Contains(t, notes(&v, false, false)[0], "second opinion ")
	assert.NotContains(t, strings.Join(notes(&v, true, false), ""), "second opinion",
		"of equal scores there is none")
	second.Asked = false
	assert.Empty(t, notes(&v, false, false))
	// A significant difference that is not replicable says why it is inconclusive.
	f := verdict.Judge(pairsAround(0.01, 0.001), verdict.Claim{Alpha: 0.05})
	require.Equal(t, 1, f.Significance())
	f.Outcome, f.Reason, f.Warnings = verdict.Inconclusive, "not replicable", nil
	assert.Equal(t, []string{"not replicable"}, notes(&f, false, false))
	f.Claim.Kind = verdict.Improves
	assert.Empty(t, notes(&f, false, false))
	f.Claim.Kind, f.Outcome = verdict.Differs, verdict.Improved
	assert.Empty(t, notes(&f, false, false))
	f.Outcome, f.Reason = verdict.Inconclusive, ""
	assert.Empty(t, notes(&f, false, false))
	f = verdict.Judge(pairsAround(0, 0.001), verdict.Claim{Alpha: 0.05})
	f.Reason, f.Warnings = "no significant difference", nil
	assert.Empty(t, notes(&f, false, false))
}

// The tail that looks for losses gives the verdict of the other tail on exchanged learners.
func TestWorseMirrorsBetter(t *testing.T) {
	t.Parallel()
	for _, difference := range []float64{-0.01, 0.01, 0} {
		p := pairsAround(difference, 0.001)
		p.Second = pairsAround(difference, 0.001)
		p.Second.Second = nil
		worse := Worse.judge(p, verdict.Claim{Alpha: 0.05}, verdict.Whole)
		better := Better.judge(swapped(p), verdict.Claim{Alpha: 0.05}, verdict.Whole)
		require.NotEqual(t, verdict.Invalid, worse.Outcome, worse.Reason)
		assert.Equal(t, []any{"a", "b"}, []any{worse.Candidate, worse.Baseline})
		assert.Same(t, p.CandidateHeader, worse.CandidateHeader)
		assert.Same(t, p.BaselineHeader, worse.BaselineHeader)
		assert.InDelta(t, difference, worse.CandidateMean-worse.BaselineMean, 1e-12)
		assert.InDelta(t, difference, worse.Estimate, 1e-12)
		assert.InDelta(t, better.Difference.P, worse.Difference.P, 0)
		d, e := worse.Difference, better.Difference
		assert.InDelta(t, -e.Lo, d.Hi, 0)
		assert.InDelta(t, -e.Hi, d.Lo, 0)
		assert.InDelta(t, -e.Result.Statistic, d.Result.Statistic, 0)
		assert.InDelta(t, -e.Result.Estimate, d.Result.Estimate, 0)
		assert.InDelta(t, -e.Result.Mean, d.Result.Mean, 0)
		assert.Equal(t, map[bool]verdict.Outcome{
			true:  verdict.Regressed,
			false: verdict.Inconclusive,
		}[difference < 0], worse.Outcome)
		twice := swapped(swapped(p))
		assert.Equal(t, p, twice)
	}
}

// So it is of second opinions.
func TestWorseMirrorsSecondOpinions(t *testing.T) {
	t.Parallel()
	const m = 20
	p := pairsAround(-0.01, 0.001)
	protocol, err := verdict.SecondProtocol(p.CandidateHeader.Protocol, m)
	require.NoError(t, err)
	h := &record.Header{Protocol: protocol}
	p.Second = &record.Pairs{
		Data: p.Data, Candidate: p.Candidate, Baseline: p.Baseline,
		CandidateHeader: h, BaselineHeader: h, Unit: accuracy, Runs: m, Folds: 10,
	}
	for half := range 2 * m {
		for fold := range 5 {
			base := 0.7 + 0.02*float64(fold)
			p.Second.A = append(p.Second.A, base-0.011+0.0002*float64(half*7%11))
			p.Second.B = append(p.Second.B, base)
			p.Second.TrainN, p.Second.TestN = append(p.Second.TrainN, 16000), append(p.Second.TestN, 4000)
		}
	}
	claim := verdict.Claim{Alpha: 0.05, Halvings: m}
	worse, better := Worse.judge(p, claim, verdict.Whole), Better.judge(swapped(p), claim,
		verdict.Whole)
	require.Equal(t, verdict.Regressed, worse.Outcome, worse.Reason)
	require.Equal(t, verdict.Improved, better.Outcome, better.Reason)
	u, o := worse.Second, better.Second
	require.True(t, u.Asked)
	require.Negative(t, u.Estimate)
	assert.Equal(t, []float64{-o.Estimate, -o.Hi, -o.Lo}, []float64{u.Estimate, u.Lo, u.Hi})
	assert.Equal(t, []float64{-o.Result.Statistic, -o.Result.Estimate, -o.Result.Mean},
		[]float64{u.Result.Statistic, u.Result.Estimate, u.Result.Mean})
}
